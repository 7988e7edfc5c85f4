// Redundant rows of planar linkages.
//
// Joints of such a linkage also hold bodies in the plane, mostly several times over: forces along the normal n and
// tilting torques are not determined by the motion. Without loads across the plane zero is a solution, as in real
// bearings with clearance. Equal compliance yields it while all bodies lie in one plane. With cylinders side by
// side along a shaft it does not: forces at an offset y along n have a moment y x F, and parts of equal compliance
// carry some of it as thrust of one bearing against another, kilonewtons of it in an engine. So forces along n, then
// tilting torques, are minimised first, and the remaining load is shared by compliance.

import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import {
  add,
  cross,
  dot,
  norm,
  scale,
  subtract,
  threeAt,
  times,
  unit,
  ZERO,
} from "../../../base/algebra/vectors.js";
import type { Matrix, Vector } from "../../../model/model-data.js";
import type { PlannedBlock } from "../../../systems/bodies/plan/table-builder.js";
import { poseOfBody } from "../probe/pose-reading.js";
import type { Probe, ReadModel } from "../probe/probe.js";

/** Sine below which directions are parallel: constraints of a moving linkage hold far better. */
const PARALLEL_TOLERANCE = 1e-6;
/** Components of a row treated as zero. */
const COMPONENT_TOLERANCE = 1e-9;

/**
 * Load of a row on one of its bodies for a multiplier of one: in the world, with the torque about the centre of mass.
 */
interface Wrench {
  readonly force: Vector;
  readonly torque: Vector;
  /** Whether it is a pure torque. */
  readonly isTorque: boolean;
}

/** Components of a row: the force along the normal, and the two tilting torques over a length. */
export type Across = readonly [axial: number, tilt: number, otherTilt: number];

/** Rows of blocks at one pose. Create one for each pose. */
export class Wrenches {
  readonly #model: ReadModel;
  readonly #probe: Probe;
  readonly #known = new Map<string, readonly Wrench[]>();
  readonly #rotations = new Map<number, Matrix>();

  constructor(model: ReadModel, probe: Probe) {
    this.#model = model;
    this.#probe = probe;
  }

  /** Returns the normal of the plane of motion of some blocks; undefined if there is none. */
  normalOf(blocks: readonly number[]): Vector | undefined {
    const { plan } = this.#model;
    const all = blocks.flatMap((block) =>
      plan.blocks[block]!.bodies.map((_, place) => this.#wrenches(block, place)),
    );
    let normal: Vector | undefined;
    for (const wrenches of all) {
      const axis = hingeAxisOf(wrenches);
      if (axis === undefined) continue;
      normal ??= axis;
      if (norm(cross(normal, axis)) > PARALLEL_TOLERANCE) return undefined;
    }
    if (normal === undefined) return undefined;
    const n = normal;
    const { length } = this.#model;
    return all.every((wrenches) => isMirrored(wrenches, n, length)) ? n : undefined;
  }

  /** Returns the components of each row of a block, on its first body. */
  across(block: number, normal: Vector): readonly Across[] {
    const { length } = this.#model;
    const [one, other] = acrossOf(normal);
    return this.#wrenches(block, 0).map(({ force, torque, isTorque }) => {
      const axial = rounded(dot(force, normal), norm(force));
      if (!isTorque) return [axial, 0, 0];
      const tilt = (direction: Vector) => rounded(dot(torque, direction), norm(torque)) / length;
      return [0, tilt(one), tilt(other)];
    });
  }

  #wrenches(index: number, place: number): readonly Wrench[] {
    const key = `${index} ${place}`;
    const known = this.#known.get(key) ?? this.#found(index, place);
    this.#known.set(key, known);
    return known;
  }

  #found(index: number, place: number): readonly Wrench[] {
    const { plan, length } = this.#model;
    const { bodies, rows }: PlannedBlock = plan.blocks[index]!;
    const first = plan.sparse.jacobianSlotOf[index]![place]!;
    const rotation = this.#rotationOf(bodies[place]!);
    return Array.from({ length: rows }, (_, row) => {
      const slot = first + BODY_VELOCITIES * row;
      const force = threeAt(this.#probe.jacobian, slot);
      const torque = times(rotation, threeAt(this.#probe.jacobian, slot + 3));
      const isTorque = norm(force) * length <= COMPONENT_TOLERANCE * norm(torque);
      return { force, torque, isTorque };
    });
  }

  #rotationOf(body: number): Matrix {
    const known = this.#rotations.get(body);
    if (known) return known;
    const { rotation } = poseOfBody(this.#model.data, this.#probe.present, body);
    this.#rotations.set(body, rotation);
    return rotation;
  }
}

/** Returns the axis of a hinge: torques in two directions leave a rotation about the third. */
function hingeAxisOf(wrenches: readonly Wrench[]): Vector | undefined {
  const [a, b, c] = basisOf(
    wrenches.filter(({ isTorque }) => isTorque).map(({ torque }) => torque),
  );
  return a && b && !c ? cross(a, b) : undefined;
}

/**
 * Whether reflection at the plane leaves the forces and torques of a joint unchanged: n is among them, or they are
 * all perpendicular to it. Threads, which push along n as they rotate about it, are not.
 */
function isMirrored(wrenches: readonly Wrench[], n: Vector, length: number): boolean {
  const forces = basisOf(wrenches.filter(({ isTorque }) => !isTorque).map(({ force }) => force));
  const torques = basisOf(wrenches.filter(({ isTorque }) => isTorque).map(({ torque }) => torque));
  const isThread = ({ force, torque, isTorque }: Wrench) =>
    !isTorque &&
    norm(cross(force, n)) < PARALLEL_TOLERANCE * norm(force) &&
    Math.abs(dot(torque, n)) > PARALLEL_TOLERANCE * norm(force) * length;
  return [forces, torques].every((basis) => isAligned(basis, n)) && !wrenches.some(isThread);
}

function isAligned(basis: readonly Vector[], n: Vector): boolean {
  const part = basis.reduce((sum, each) => add(sum, scale(dot(each, n), each)), ZERO);
  return norm(part) < PARALLEL_TOLERANCE || norm(subtract(n, part)) < PARALLEL_TOLERANCE;
}

/** Returns an orthogonal basis of the span of some vectors. */
function basisOf(vectors: readonly Vector[]): Vector[] {
  const basis: Vector[] = [];
  for (const vector of vectors) {
    const size = norm(vector);
    const rest = basis.reduce((left, each) => subtract(left, scale(dot(left, each), each)), vector);
    if (norm(rest) > PARALLEL_TOLERANCE * size) basis.push(unit(rest));
  }
  return basis;
}

/** Returns two directions perpendicular to a third. */
function acrossOf(n: Vector): readonly [Vector, Vector] {
  const guide: Vector = Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const one = unit(cross(n, guide));
  return [one, cross(n, one)];
}

function rounded(part: number, whole: number): number {
  return Math.abs(part) > COMPONENT_TOLERANCE * whole ? part : 0;
}
