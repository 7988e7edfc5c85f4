// Springs, dampers, loads, and wheels.

import { SensorKind, SpringData, TyreData, WheelData } from "../../../assembly/layout-bodies.js";
import type { forces } from "../../describe/forces/index.js";
import {
  type ForceData,
  GROUND,
  type ModelData,
  type Vector,
} from "../../describe/model/model-data.js";
import {
  column,
  cross,
  dot,
  norm,
  scale,
  subtract,
  times,
  transposeTimes,
  unit,
} from "../../ground/algebra/vectors.js";
import { type JointLook, lookOf } from "./joint-looks.js";
import { anchorOf, type Poses } from "./poses.js";
import type { Drawing, Item } from "./scene-data.js";

/** Breadth of a wheel, relative to its radius: of tyres, and of disks that touch in a point. */
const TYRE_WIDTH = 0.45;
const DISK_WIDTH = 0.06;
/** A body that turns by less than this, in radians, does not turn as wheels do. */
const TURN = 0.5;
/** Frames at which it is looked how a wheel turns. */
const SAMPLES = 100;

/** Everything drawn for forces, but not roads. */
export function forceItems(data: ModelData, poses: Poses, up: Vector): readonly Item[] {
  return data.forces.flatMap((force) =>
    lookOfForce(force)
      .draw(data, force, poses, up)
      .map((drawing) => ({ ...drawing, of: force.name })),
  );
}

interface ForceLook {
  readonly draw: (data: ModelData, force: ForceData, poses: Poses, up: Vector) => Drawing[];
  /** As that of joints. */
  readonly attaches: JointLook["attaches"];
}

/** What a page shows of each force. One of the registry that has no line here does not compile. */
const LOOKS: Readonly<Record<keyof typeof forces, ForceLook>> = {
  pointForce: { draw: loadOf, attaches: "neither" },
  torque: { draw: loadOf, attaches: "neither" },
  spring: { draw: springOf, attaches: "both" },
  torsionSpring: { draw: spiralOf, attaches: "neither" },
  bushing: {
    draw: (data, { b }) => [{ kind: "bushing", at: anchorOf(data.markers[b]!) }],
    attaches: "both",
  },
  drag: { draw: () => [], attaches: "neither" },
  // Drawn as wheels, and roads.
  tyre: { draw: () => [], attaches: "second" },
  stop: { draw: () => [], attaches: "neither" },
  friction: { draw: () => [], attaches: "neither" },
  motor: { draw: motorOf, attaches: "neither" },
};

function lookOfForce({ type }: ForceData): ForceLook {
  return LOOKS[type as keyof typeof forces];
}

/** Which of its markers are points of bodies, to which their links are drawn. */
export function attachesForce(force: ForceData): JointLook["attaches"] {
  return lookOfForce(force).attaches;
}

function spiralOf(data: ModelData, force: ForceData): Drawing[] {
  const { a, b } = data.sensors[force.a]!;
  const marker = data.markers[a]!;
  const other = data.markers[b]!.body;
  return [{ kind: "spiral", at: anchorOf(marker), axis: column(marker.axes, 2), other }];
}

/** A spiral where it turns a joint, an actuator where it acts between two points. */
function motorOf(data: ModelData, force: ForceData): Drawing[] {
  const { kind, a, b } = data.sensors[force.a]!;
  if (kind === SensorKind.ANGLE) return spiralOf(data, force);
  const ends = { a: anchorOf(data.markers[a]!), b: anchorOf(data.markers[b]!) };
  return [{ kind: "spring", ...ends, coil: false, damper: false, actuator: true }];
}

/** A spring, with a base where it ends at the ground. */
function springOf(data: ModelData, force: ForceData, poses: Poses, up: Vector): Drawing[] {
  const ends = [data.markers[force.a]!, data.markers[force.b]!] as const;
  const { constants } = force;
  const [a, b] = [anchorOf(ends[0]), anchorOf(ends[1])];
  const actuator = force.update !== undefined || constants[SpringData.FORCE] !== 0;
  const spring: Drawing = {
    kind: "spring",
    a,
    b,
    coil: constants[SpringData.STIFFNESS] !== 0,
    damper: constants[SpringData.DAMPING] !== 0,
    actuator,
  };
  const held = ends.findIndex(({ body }) => body === GROUND);
  if (held < 0) return [spring];
  const at = ends[held]!.point;
  const { body, point } = ends[1 - held]!;
  const hangs = dot(up, subtract(poses.point(0, body, point), at)) < 0;
  return [spring, { kind: "ground", at, base: hangs ? up : scale(-1, up), holds: body }];
}

/** An arrow for a constant force or torque. User laws are not evaluated here. */
function loadOf(data: ModelData, force: ForceData): Drawing[] {
  const [x, y, z] = force.constants;
  const given: Vector = [x!, y!, z!];
  if (force.update !== undefined || norm(given) === 0) return [];
  const marker = data.markers[force.a]!;
  const turns = force.flag === 1;
  const direction = unit(turns ? times(marker.axes, given) : given);
  const torque = force.type === "torque";
  return [{ kind: "arrow", at: anchorOf(marker), direction, turns, torque }];
}

/** Wheels: on tyres, and those that roll. They stay when what they roll on is absent. */
export function wheelItems(data: ModelData, poses: Poses): readonly Drawing[] {
  const tyres = data.forces
    .filter(({ type, constants }) => type === "tyre" && constants[TyreData.RADIUS]! > 0)
    .map(({ a, b, constants }) => {
      const { body, point } = data.markers[b]!;
      const normal = column(data.markers[a]!.axes, 2);
      const axis = axleOf(data, body, point, normal, poses);
      return wheel(body, point, axis, constants[TyreData.RADIUS]!, TYRE_WIDTH, poses);
    });
  const rolling = data.joints
    .filter((joint) => lookOf(joint).rolls !== undefined)
    .map((joint): Drawing => {
      const { body, point, axes } = data.markers[joint.markers![1]]!;
      const radius = joint.blocks[0]!.rows[0]!.constants[WheelData.RADIUS]!;
      if (lookOf(joint).rolls === "ball") return { kind: "sphere", body, centre: point, radius };
      return wheel(body, point, column(axes, 2), radius, DISK_WIDTH, poses);
    });
  return [...tyres, ...rolling];
}

function wheel(
  body: number,
  centre: Vector,
  axis: Vector,
  radius: number,
  width: number,
  poses: Poses,
): Drawing {
  const turns = turnsAbout(body, axis, poses);
  return { kind: "wheel", body, centre, axis, radius, width: width * radius, turns };
}

/**
 * The axle of a wheel, which a tyre does not specify: the axis of a hinge of its body, if there is one; else
 * across the way it goes; else from the centre of mass to that of the wheel. In the frame of the body.
 */
function axleOf(
  data: ModelData,
  body: number,
  centre: Vector,
  normal: Vector,
  poses: Poses,
): Vector {
  const level = (v: Vector) => subtract(v, scale(dot(v, normal), normal));
  const { rotation } = poses.at(0, body);
  const hinge = data.joints
    .filter((joint) => lookOf(joint).isAxle)
    .flatMap(({ markers }) => markers!.map((marker) => data.markers[marker]!))
    .find((marker) => {
      const axis = times(rotation, column(marker.axes, 2));
      return marker.body === body && norm(level(axis)) > 0.9;
    });
  if (hinge !== undefined) return column(hinge.axes, 2);
  const way = level(
    subtract(poses.point(poses.count - 1, body, centre), poses.point(0, body, centre)),
  );
  const out = level(times(rotation, subtract(centre, data.bodies[body]!.centre)));
  const across: Vector =
    norm(way) > norm(out) ? cross(normal, way) : norm(out) > 0 ? out : [0, 1, 0];
  return transposeTimes(rotation, unit(across));
}

/** Whether a direction across the axis turns far from where it was at the start. */
function turnsAbout(body: number, axis: Vector, poses: Poses): boolean {
  const guide: Vector = Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const across = unit(cross(axis, guide));
  const start = times(poses.at(0, body).rotation, across);
  return poses
    .sample(SAMPLES)
    .some((frame) => dot(start, times(poses.at(frame, body).rotation, across)) < Math.cos(TURN));
}
