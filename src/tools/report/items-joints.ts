// Joints as the symbols engineers draw, and what holds them where they are joined to the ground.

import { CoupleData } from "../../../assembly/layout-bodies.js";
import {
  GROUND,
  type JointData,
  type ModelData,
  type Vector,
} from "../../describe/model/model-data.js";
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
} from "../../ground/algebra/vectors.js";
import { lookOf } from "./joint-looks.js";
import { anchorOf, type Poses } from "./poses.js";
import type { Drawing, Item } from "./scene-data.js";

/** Frames examined to find how far something slides. */
const SAMPLES = 200;
/** A body is to one side of its joint if it is by more than this part of how far it gets. */
const LEAST_ARM = 0.15;
/** A rail is longer than the way of what slides on it by this part of that way, at either end. */
const RAIL_END = 0.12;

/** Everything drawn for the joints of a model. */
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

/** The marker that stays (of the ground, if one is) and the one that moves. */
function sidesOf(data: ModelData, markers: readonly [number, number]) {
  const [a, b] = [data.markers[markers[0]]!, data.markers[markers[1]]!];
  return b.body === GROUND ? ([b, a] as const) : ([a, b] as const);
}

function symbolOf(data: ModelData, joint: JointData, driven: ReadonlySet<number>): Drawing[] {
  const { markers } = joint;
  if (markers === undefined) return [];
  const { symbol, line } = lookOf(joint);
  const [still, moving] = sidesOf(data, markers);
  const [a, b] = [anchorOf(still), anchorOf(moving)];
  if (line === "bar") return [{ kind: "bar", a, b }];
  if (line === "actuator") {
    return [{ kind: "spring", a, b, coil: false, damper: false, actuator: true }];
  }
  if (symbol === undefined) return [];
  // On a slide the block moves; all else is where both sides are.
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

/** The line on which something slides, as long as its way. */
function railOf(data: ModelData, joint: JointData, poses: Poses): Drawing[] {
  if (!lookOf(joint).slides) return [];
  const [still, moving] = sidesOf(data, joint.markers!);
  const axis = column(still.axes, 2);
  const ways = poses.sample(SAMPLES).map((frame) => {
    const { position, rotation } = poses.at(frame, still.body);
    const world = poses.point(frame, moving.body, moving.point);
    return dot(axis, subtract(transposeTimes(rotation, subtract(world, position)), still.point));
  });
  const [from, to] = [Math.min(...ways), Math.max(...ways)];
  const end = RAIL_END * (to - from);
  return [{ kind: "rail", at: anchorOf(still), axis, from: from - end, to: to + end }];
}

/**
 * A base where the ground holds something: above what hangs, below what stands, by where the centre of
 * mass of the other body is most of the time. What turns about a vertical axis has it beside, like a door.
 */
function mountOf(data: ModelData, joint: JointData, poses: Poses, up: Vector): Drawing[] {
  const { stands, symbol } = lookOf(joint);
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
  if (isUpright && norm(aside) > LEAST_ARM * longest) {
    return [{ ...ground, base: unit(scale(-1, aside)) }];
  }
  // What swings all around, or lies level, stands on a base.
  const hangs = dot(up, mean) < -LEAST_ARM * longest;
  return [{ ...ground, base: hangs ? up : scale(-1, up) }];
}

/**
 * Pitch circles of gears with parallel axes that touch from outside: r1 + r2 is their distance, and
 * r1 / r2 = |ratio|, since the rims have the same speed. Of a pinion its own.
 */
function pitchCircles(data: ModelData, joint: JointData, poses: Poses): Drawing[] {
  const row = joint.blocks[0]?.rows[0];
  const { meshes } = lookOf(joint);
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
