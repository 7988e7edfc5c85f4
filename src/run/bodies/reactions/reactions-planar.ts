// Linkages that move in a plane, as far as their redundant rows go.
//
// Joints of such a linkage hold bodies in the plane as well, mostly several times over: forces along the normal n and
// torques that tilt are not determined by the motion. Where nothing loads them zero is a solution, which is what real
// bearings with clearance show. Equal compliance gives it while all bodies lie in one plane. With cylinders side by
// side along a shaft it does not: forces at an offset y along n have a moment y x F, and parts of equal compliance
// carry some of it as thrust of one bearing against another, kilonewtons of it in an engine. So forces along n, then
// tilting torques, are made as small as can be, before what remains is shared by compliance.

import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import type { Matrix, Vector } from "../../../describe/model/model-data.js";
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
} from "../../../ground/algebra/vectors.js";
import type { PlannedBlock } from "../../../systems/bodies/plan/table-builder.js";
import { poseOfBody } from "../probe/pose-reading.js";
import type { Probe, ReadModel } from "../probe/probe.js";

/** Directions closer than this are the same: constraints of a moving linkage hold far better. */
const PARALLEL = 1e-6;
/** Parts of a row that are rounding. */
const ROUNDING = 1e-9;

/** What a row does to one of its bodies, for a multiplier of one: in the world, the torque about its centre. */
interface Wrench {
  readonly force: Vector;
  readonly torque: Vector;
  /** It has no force. */
  readonly turns: boolean;
}

/** What a row has of the force along the normal, and of the two tilting torques, by a length. */
export type Across = readonly [axial: number, tilt: number, otherTilt: number];

/** Rows of blocks at one pose: made for it, and dropped with it. */
export class Wrenches {
  readonly #model: ReadModel;
  readonly #probe: Probe;
  readonly #known = new Map<string, readonly Wrench[]>();
  readonly #rotations = new Map<number, Matrix>();

  constructor(model: ReadModel, probe: Probe) {
    this.#model = model;
    this.#probe = probe;
  }

  /** The normal of the plane in which some blocks let bodies move; undefined if there is none. */
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
      if (norm(cross(normal, axis)) > PARALLEL) return undefined;
    }
    if (normal === undefined) return undefined;
    const n = normal;
    const { length } = this.#model;
    return all.every((wrenches) => isMirrored(wrenches, n, length)) ? n : undefined;
  }

  /** Of each row of a block, on its first body. */
  across(block: number, normal: Vector): readonly Across[] {
    const { length } = this.#model;
    const [one, other] = acrossOf(normal);
    return this.#wrenches(block, 0).map(({ force, torque, turns }) => {
      const axial = rounded(dot(force, normal), norm(force));
      if (!turns) return [axial, 0, 0];
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
      const turns = norm(force) * length <= ROUNDING * norm(torque);
      return { force, torque, turns };
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

/** Torques in two directions leave a turn about the third: an axis. */
function hingeAxisOf(wrenches: readonly Wrench[]): Vector | undefined {
  const [a, b, c] = basisOf(wrenches.filter(({ turns }) => turns).map(({ torque }) => torque));
  return a && b && !c ? cross(a, b) : undefined;
}

/**
 * Whether the mirror at the plane leaves the forces and torques of a joint unchanged: n is among them, or they are
 * all across it. Threads, which push along n while they turn about it, are not.
 */
function isMirrored(wrenches: readonly Wrench[], n: Vector, length: number): boolean {
  const forces = basisOf(wrenches.filter(({ turns }) => !turns).map(({ force }) => force));
  const torques = basisOf(wrenches.filter(({ turns }) => turns).map(({ torque }) => torque));
  const isThread = ({ force, torque, turns }: Wrench) =>
    !turns &&
    norm(cross(force, n)) < PARALLEL * norm(force) &&
    Math.abs(dot(torque, n)) > PARALLEL * norm(force) * length;
  return [forces, torques].every((basis) => isAligned(basis, n)) && !wrenches.some(isThread);
}

function isAligned(basis: readonly Vector[], n: Vector): boolean {
  const part = basis.reduce((sum, each) => add(sum, scale(dot(each, n), each)), ZERO);
  return norm(part) < PARALLEL || norm(subtract(n, part)) < PARALLEL;
}

/** Directions at right angles that span some vectors. */
function basisOf(vectors: readonly Vector[]): Vector[] {
  const basis: Vector[] = [];
  for (const vector of vectors) {
    const size = norm(vector);
    const rest = basis.reduce((left, each) => subtract(left, scale(dot(left, each), each)), vector);
    if (norm(rest) > PARALLEL * size) basis.push(unit(rest));
  }
  return basis;
}

/** Two directions across a third. */
function acrossOf(n: Vector): readonly [Vector, Vector] {
  const guide: Vector = Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const one = unit(cross(n, guide));
  return [one, cross(n, one)];
}

function rounded(part: number, whole: number): number {
  return Math.abs(part) > ROUNDING * whole ? part : 0;
}
