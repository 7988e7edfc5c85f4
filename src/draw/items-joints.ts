// Joint symbols as engineers draw them, and the bases of joints at the ground.

import { CoupleData } from "../../assembly/layout-bodies.js";
import {
  add,
  column,
  cross,
  dot,
  norm,
  scale,
  subtract,
  times,
  transposeTimes,
  unit,
  ZERO,
} from "../base/algebra/vectors.js";
import {
  appearanceOf,
  GROUND,
  type JointData,
  type ModelData,
  type Vector,
} from "../model/model-data.js";
import { anchorOf, type Poses } from "./frames.js";
import type { Drawing, Item } from "./scene-data.js";

/** Number of frames examined to find the travel of a slide. */
const SAMPLES = 200;
/** Mean offset of a body from its joint, relative to the largest, from which it counts as on one side. */
const MIN_ARM_FRACTION = 0.15;
/** Extension of a rail at either end, relative to the travel of its slide. */
const RAIL_END_FRACTION = 0.12;

/** Returns all items drawn for the joints of a model. */
export function jointItems(data: ModelData, poses: Poses, up: Vector): readonly Item[] {
  const driven = new Set(
    data.joints.flatMap(({ isDrive, markers }) => (isDrive ? (markers ?? []) : [])),
  );
  return data.joints.flatMap((joint) =>
    [
      ...symbolOf(data, joint, driven),
      ...railOf(data, joint, poses),
      ...mountOf(data, joint, poses, up),
      ...pitchCircles(data, joint, poses),
    ].map((drawing) => ({ ...drawing, of: joint.name })),
  );
}

/** Returns the fixed marker (that of the ground, if there is one) and the moving one. */
function sidesOf(data: ModelData, markers: readonly [number, number]) {
  const [a, b] = [data.markers[markers[0]]!, data.markers[markers[1]]!];
  return b.body === GROUND ? ([b, a] as const) : ([a, b] as const);
}

function symbolOf(data: ModelData, joint: JointData, driven: ReadonlySet<number>): Drawing[] {
  const { markers } = joint;
  if (markers === undefined) return [];
  const { symbol, line } = appearanceOf(joint);
  const [still, moving] = sidesOf(data, markers);
  const [a, b] = [anchorOf(still), anchorOf(moving)];
  if (line === "bar") return [{ kind: "bar", a, b }];
  if (line === "actuator") {
    return [{ kind: "spring", a, b, coil: false, damper: false, actuator: true }];
  }
  if (symbol === undefined) return [];
  // The block of a slide moves along the rail; at other joints both markers coincide.
  const { axes } = moving;
  const isDriven = driven.has(markers[0]);
  return [
    {
      kind: "joint",
      symbol,
      at: b,
      other: still.body,
      axes,
      ...(symbol === "cross" && { second: [still.body, ...column(still.axes, 2)] as const }),
      ...(isDriven && { driven: true }),
    },
  ];
}

/** Returns the rail of a sliding joint, as long as its travel. */
function railOf(data: ModelData, joint: JointData, poses: Poses): Drawing[] {
  if (!appearanceOf(joint).slides) return [];
  const [still, moving] = sidesOf(data, joint.markers!);
  const axis = column(still.axes, 2);
  const offsets = poses.sample(SAMPLES).map((frame) => {
    const { position, rotation } = poses.at(frame, still.body);
    const world = poses.point(frame, moving.body, moving.point);
    return dot(axis, subtract(transposeTimes(rotation, subtract(world, position)), still.point));
  });
  const [from, to] = [Math.min(...offsets), Math.max(...offsets)];
  const end = RAIL_END_FRACTION * (to - from);
  return [{ kind: "rail", at: anchorOf(still), axis, from: from - end, to: to + end }];
}

/**
 * Returns the base of a joint at the ground: above hanging bodies and below standing ones, by the mean position of the
 * centre of mass of the other body. A joint with a vertical axis has it at the side, like a door.
 */
function mountOf(data: ModelData, joint: JointData, poses: Poses, up: Vector): Drawing[] {
  const { stands, symbol } = appearanceOf(joint);
  if (joint.markers === undefined || !stands) return [];
  const [still, moving] = sidesOf(data, joint.markers);
  if (still.body !== GROUND) return [];
  const { centre } = data.bodies[moving.body]!;
  const arms = poses
    .sample(SAMPLES)
    .map((frame) => subtract(poses.point(frame, moving.body, centre), still.point));
  const mean = scale(1 / arms.length, arms.reduce(add, ZERO));
  const longest = Math.max(...arms.map(norm));
  const ground = { kind: "ground", at: still.point, holds: moving.body } as const;
  const axis = column(still.axes, 2);
  const aside = subtract(mean, scale(dot(mean, axis), axis));
  const isUpright = symbol === "pin" && Math.abs(dot(axis, up)) > 0.7;
  if (isUpright && norm(aside) > MIN_ARM_FRACTION * longest) {
    return [{ ...ground, base: unit(scale(-1, aside)) }];
  }
  // Bodies that rotate fully, or lie level, stand on a base.
  const hangs = dot(up, mean) < -MIN_ARM_FRACTION * longest;
  return [{ ...ground, base: hangs ? up : scale(-1, up) }];
}

/**
 * Returns pitch circles. For external gears with parallel axes r1 + r2 is their distance and r1 / r2 = |ratio|, since the
 * rims have the same speed. A rack and pinion has one circle, that of the pinion.
 */
function pitchCircles(data: ModelData, joint: JointData, poses: Poses): Drawing[] {
  const row = joint.blocks[0]?.rows[0];
  const { meshes } = appearanceOf(joint);
  if (row === undefined || meshes === undefined) return [];
  const wheels = [row.a, row.b].map((sensor) => {
    const { a, b } = data.sensors[sensor]!;
    const [, moving] = sidesOf(data, [a, b]);
    const { rotation } = poses.at(0, moving.body);
    return {
      ...moving,
      axis: times(rotation, column(moving.axes, 2)),
      place: poses.point(0, moving.body, moving.point),
    };
  });
  const factor = Math.abs(row.constants[CoupleData.FACTOR_A]!);
  const circle = (i: number, radius: number): Drawing => {
    const { body, point, axes } = wheels[i]!;
    return { kind: "circle", body, centre: point, axis: column(axes, 2), radius };
  };
  if (meshes === "pinion") return [circle(0, factor)];
  const [first, second] = [wheels[0]!, wheels[1]!];
  if (norm(cross(first.axis, second.axis)) > 1e-3) return [];
  const apart = subtract(second.place, first.place);
  const distance = norm(add(apart, scale(-dot(apart, first.axis), first.axis)));
  const radius = distance / (1 + factor);
  const isMeshed =
    distance > 0 && dot(first.axis, second.axis) * row.constants[CoupleData.FACTOR_A]! < 0;
  return isMeshed ? [circle(0, factor * radius), circle(1, radius)] : [];
}
