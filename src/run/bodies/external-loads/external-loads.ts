// Pushes and grips: loads on bodies in addition to those of the model, constant in the world during each step.

import { BODY_VELOCITIES, BodyFrame } from "../../../../assembly/layout-bodies.js";
import { boundedSolve } from "../../../base/algebra/symmetric-inverse.js";
import { vectorOf, ZERO } from "../../../base/algebra/vectors.js";
import { number, type Shape } from "../../../base/checking/index.js";
import { type VectorLike, vector } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address, Segment } from "../../../base/memory/arena.js";
import type { BodyAccess, System } from "../../../interfaces/index.js";
import { NearestStep } from "../../../interfaces/projection/projector.js";
import type { Vector } from "../../../model/model-data.js";

/** Options of `push`. */
export interface PushOptions {
  /** Force in newtons, in the world. Default: none. */
  readonly force?: VectorLike;
  /** Torque in newton metres, in the world. Default: none. */
  readonly torque?: VectorLike;
  /** Point at which the force acts, in the body's frame. Default: the centre of mass. */
  readonly at?: VectorLike;
  /** Duration in seconds. Default: one step. */
  readonly for?: number;
}

/** Options of `grab`. */
export interface GrabOptions {
  /** Natural frequency of the critically damped pull, in hertz. Default: 3. */
  readonly frequency?: number;
  /** Largest force in newtons. Default: no limit. */
  readonly maximumForce?: number;
}

/** Checks a vector of three numbers; errors name the option. */
const point = (wants: string) => ({
  wants,
  read: (value: unknown, place: { readonly path: string }) => vector("push", place.path, value),
});

const three = point("three numbers");

export const PUSH_SHAPE: Shape<PushOptions> = {
  force: three,
  torque: three,
  at: three,
  for: number("a positive number of seconds", (value) => value > 0),
};

export const GRAB_SHAPE: Shape<GrabOptions> = {
  frequency: number("a positive number of hertz", (value) => value > 0),
  maximumForce: number("a positive number of newtons", (value) => value > 0),
};

export const DEFAULT_FREQUENCY = 3;

/** Operations of a simulation that a grip needs. */
export interface GripOwner {
  /** Returns the data of a grip, or undefined after its release. */
  find(id: number): GripData | undefined;
  move(id: number, target: Vector): void;
  release(id: number): void;
}

/**
 * A point of a body that is being dragged. Created by `grab` of a simulation.
 *
 * @example
 * const grip = simulation.grab("rod", [0, 0, -0.5]);
 * grip.moveTo([1, 0, 0.3]);
 * simulation.advance(240);
 * grip.release();
 */
export class Grip {
  readonly #id: number;
  readonly #owner: GripOwner;

  constructor(id: number, owner: GripOwner) {
    this.#id = id;
    this.#owner = owner;
  }

  /** Whether the grip has not been released. */
  get isHolding(): boolean {
    return this.#owner.find(this.#id) !== undefined;
  }

  /** Target of the point, in the world. */
  get target(): Vector {
    const { target } = this.#data("target");
    return vectorOf(target[0]!, target[1]!, target[2]!);
  }

  /** Force on the body in the last step, in the world. */
  get force(): Vector {
    const { force } = this.#data("force");
    return vectorOf(force[0]!, force[1]!, force[2]!);
  }

  /** Sets the target of the point, in the world. */
  moveTo(place: VectorLike): void {
    this.#data("moveTo");
    this.#owner.move(this.#id, vector("moveTo", "the place", place));
  }

  /** Releases the point. */
  release(): void {
    this.#data("release");
    this.#owner.release(this.#id);
  }

  #data(what: string): GripData {
    const found = this.#owner.find(this.#id);
    if (found) return found;
    throw new NodriftError("STEP", `${what}: this grip has been released: grab again`);
  }
}

/** A force at a point of a body, for a limited time. Plain data. */
export interface PushData {
  readonly body: number;
  /** Force and torque in the world. */
  readonly force: readonly number[];
  readonly torque: readonly number[];
  /** Vector from the centre of mass to the point, in the body's axes. */
  readonly arm: readonly number[];
  /** End time in seconds. */
  readonly until: number;
}

/** A point of a body that is pulled to a target. Plain data, changed in place. */
export interface GripData {
  readonly id: number;
  readonly body: number;
  readonly arm: readonly number[];
  /** Angular frequency of the pull in rad/s. */
  readonly omega: number;
  /** Largest force in newtons. */
  readonly limit: number;
  readonly target: number[];
  /** Force of the last step, in the world. */
  readonly force: number[];
}

/** Pushes and grips. Plain data. */
export interface ExternalLoadsData {
  readonly pushes: readonly PushData[];
  readonly grips: readonly GripData[];
}

/**
 * Lower bound on the mobility of a grabbed point, relative to its most mobile direction. Without it, pulling a nearly
 * straight chain along its length would need an unbounded force.
 */
const MIN_RELATIVE_MOBILITY = 0.1;

/** Largest rotation of a body in a substep, and the largest number of substeps in a step. */
const MAX_ROTATION_PER_SUBSTEP_RAD = 0.2;
const MAX_SUBSTEPS = 32;

/** Time difference treated as zero, in steps: a push that ends with a step does not act in the next one. */
const TIME_TOLERANCE_STEPS = 1e-9;

/** Unit forces. */
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;

/** A load on a body during a step, in the world, with an arm in the body's axes. */
class ActingLoad {
  body = 0;
  readonly arm = new Float64Array(3);
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);

  /** Writes a fraction of a force and of a torque. */
  write(
    body: number,
    arm: readonly number[],
    fraction: number,
    force: readonly number[],
    torque: readonly number[],
  ): void {
    this.body = body;
    for (let i = 0; i < 3; i++) {
      this.arm[i] = arm[i]!;
      this.force[i] = fraction * force[i]!;
      this.torque[i] = fraction * torque[i]!;
    }
  }
}

/**
 * Loads the bodies of a system in fixed steps. A grip pulls its point p to the target x like a critically damped spring
 * with the effective mass at the point, p'' = -w^2 (p - x) - 2 w p'. The mass is the inverse of A = P M^-1 P^T under
 * the constraints, where P maps velocities to that of the point. With the force at the end of the step (implicit
 * Euler),
 *
 *   u+ = (u - h w^2 (p - x)) / (1 + w h)^2,   F = A^+ (u+ - u) / h
 *
 * the step is stable at any length: with e+ = e + h (u + u+) / 2 its determinant is
 * (1 + (w h)^2 / 2) / (1 + w h)^2 < 1. Rejected: a spring of given stiffness. A stiffness that holds a crane tears a
 * watch apart, and at 1/240 s both must be stable.
 */
export class ExternalLoads {
  pushes: PushData[] = [];
  grips: GripData[] = [];
  readonly #system: System;
  readonly #access: BodyAccess;
  readonly #nearest: NearestStep;
  /** Responses of all coordinates to three unit forces at a point, and scratch memory. */
  readonly #responses: readonly Address[];
  readonly #forces: Address;
  readonly #bodyValues: Segment;
  readonly #rows: Address;
  #bodies = new Float64Array(0);
  /** Loads of this step, the first {@link #count} of them: allocated once, written in each step. */
  readonly #acting: ActingLoad[] = [];
  #count = 0;
  #source: ExternalLoads | undefined;
  readonly #unit = new ActingLoad();
  #lastId = 0;
  readonly #mass = new Float64Array(9);
  readonly #columns = [0, 3, 6].map((at) => this.#mass.subarray(at, at + 3));
  readonly #change = new Float64Array(3);
  readonly #relative = new Float64Array(3);
  readonly #pull = new Float64Array(3);
  readonly #bodyForce = new Float64Array(3);

  /** Reserves memory. Call before the memory of the system is sealed. */
  constructor(system: System, access: BodyAccess) {
    const { workspace, coordinates, constraints } = system;
    this.#system = system;
    this.#access = access;
    this.#nearest = new NearestStep(system, "grips");
    this.#responses = [0, 1, 2].map((i) =>
      workspace.vector(`response ${i} to a grip`, coordinates.velocities),
    );
    this.#forces = workspace.vector("force of a grip", coordinates.velocities);
    this.#bodyValues = workspace.reserve("bodies at a grip", BODY_VELOCITIES * access.count);
    this.#rows = workspace.vector("rows at a grip", constraints.rows);
    workspace.whenSealed((arena) => {
      this.#bodies = arena.floats(this.#bodyValues);
    });
  }

  get isIdle(): boolean {
    return this.pushes.length === 0 && this.grips.length === 0;
  }

  get isResting(): boolean {
    return this.#source === undefined && this.isIdle && this.#count === 0;
  }

  /**
   * Returns the number of substeps of a step of length h while a grip acts: no body rotates by more than
   * {@link MAX_ROTATION_PER_SUBSTEP_RAD} in one. A drag of a metre whips the links of a chain, and steps chosen for the
   * model alone are too long for that.
   */
  parts(span: Float64Array): number {
    if (this.grips.length === 0) return 1;
    const rotation = this.#access.angularRate() * span[1]!;
    return Math.min(MAX_SUBSTEPS, Math.max(1, Math.ceil(rotation / MAX_ROTATION_PER_SUBSTEP_RAD)));
  }

  /** Sets the loads of a step of length h that begins at t, from its accepted state. */
  begin(span: Float64Array): void {
    const t = span[0]!;
    const h = span[1]!;
    if (this.#source) {
      this.#source.begin(span);
      this.#access.setPushes(this.#source.acting);
      return;
    }
    if (this.isIdle && this.#count === 0) return;
    this.#removeExpired(t + TIME_TOLERANCE_STEPS * h);
    this.#count = 0;
    this.#access.setPushes(undefined);
    for (let i = 0; i < this.pushes.length; i++) {
      const { body, arm, force, torque, until } = this.pushes[i]!;
      this.#nextLoad().write(body, arm, Math.min(1, (until - t) / h), force, torque);
    }
    if (this.grips.length > 0) {
      this.#system.load(t);
      for (let i = 0; i < this.grips.length; i++) this.#applyGrip(this.grips[i]!, h);
    }
    if (this.#count > 0) this.#access.setPushes(this.#addLoads);
  }

  /** Removes the loads that end with a step, at t. */
  end(t: number): void {
    if (this.#count === 0) return;
    this.#removeExpired(t);
    if (!this.isIdle) return;
    this.#count = 0;
    this.#access.setPushes(undefined);
  }

  /** Removes the pushes that end at a time or before. */
  #removeExpired(t: number): void {
    let remaining = 0;
    for (let i = 0; i < this.pushes.length; i++) {
      const push = this.pushes[i]!;
      if (push.until > t) this.pushes[remaining++] = push;
    }
    this.pushes.length = remaining;
  }

  /** Returns the next load of this step. */
  #nextLoad(): ActingLoad {
    if (this.#count === this.#acting.length) this.#acting.push(new ActingLoad());
    return this.#acting[this.#count++]!;
  }

  /** Adds the acting loads to the loads of the bodies. */
  readonly #addLoads = (frames: Float64Array, loads: Float64Array) => {
    for (let i = 0; i < this.#count; i++) addLoad(frames, loads, this.#acting[i]!, this.#bodyForce);
  };

  /** The acting loads, for readings. */
  get acting(): ((frames: Float64Array, loads: Float64Array) => void) | undefined {
    if (this.#source) return this.#source.acting;
    return this.#count === 0 ? undefined : this.#addLoads;
  }

  data(): ExternalLoadsData {
    return { pushes: this.pushes, grips: this.grips };
  }

  /** Returns an identifier for a new grip that no earlier grip has had. */
  nextId(): number {
    return 1 + this.grips.reduce((highest, { id }) => Math.max(highest, id), this.#lastId);
  }

  grab(grip: GripData): void {
    this.#lastId = Math.max(this.#lastId, grip.id);
    this.grips.push({ ...grip, target: [...grip.target], force: [...grip.force] });
  }

  move(id: number, target: readonly number[]): void {
    const grip = this.grips.find((each) => each.id === id);
    for (let i = 0; grip && i < 3; i++) grip.target[i] = target[i]!;
  }

  release(id: number): void {
    this.grips = this.grips.filter((grip) => grip.id !== id);
  }

  /**
   * Applies the loads of `other` to the same bodies of a contact mode, where resting contacts leave a grip no
   * mobility.
   */
  mirror(other: ExternalLoads): void {
    this.#source = other;
  }

  restore({ pushes, grips }: ExternalLoadsData): void {
    this.pushes = [...pushes];
    this.grips = grips.map((grip) => ({
      ...grip,
      target: [...grip.target],
      force: [...grip.force],
    }));
    this.#count = 0;
    this.#access.setPushes(undefined);
  }

  /** Computes the force of a grip in a step of length h from the trial state. */
  #applyGrip(grip: GripData, h: number): void {
    const { body, arm, omega, target, force, limit } = grip;
    const frames = this.#access.frames();
    const frame = BodyFrame.LENGTH * body;
    this.#system.dynamics.solver("auto").factor();
    for (let k = 0; k < 3; k++) this.#respond(body, arm, frames, k);
    this.#access.velocities(this.#system.trial.v, this.#bodyValues.address);
    this.#pointVelocity(body, arm, frames, this.#change);
    const factor = 1 / ((1 + omega * h) * (1 + omega * h));
    for (let i = 0; i < 3; i++) {
      const point = frames[frame + BodyFrame.POINT + i]! + rotated(frames, frame, arm, i);
      const u = this.#change[i]!;
      this.#change[i] = (u - h * omega * omega * (point - target[i]!)) * factor - u;
    }
    boundedSolve(this.#mass, MIN_RELATIVE_MOBILITY, this.#change, this.#pull);
    let square = 0;
    for (let i = 0; i < 3; i++) square += (this.#pull[i]! / h) * (this.#pull[i]! / h);
    const magnitude = Math.sqrt(square);
    const fraction = magnitude > limit ? limit / magnitude : 1;
    for (let i = 0; i < 3; i++) force[i] = (fraction * this.#pull[i]!) / h;
    this.#nextLoad().write(body, arm, 1, force, ZERO);
  }

  /** Computes the velocity of the point under a unit force along an axis of the world: a column of A. */
  #respond(body: number, arm: readonly number[], frames: Float64Array, axis: number): void {
    const { workspace, dynamics, constraints, coordinates } = this.#system;
    const response = this.#responses[axis]!;
    this.#unit.write(body, arm, 1, AXES[axis]!, ZERO);
    this.#bodies.fill(0);
    addLoad(frames, this.#bodies, this.#unit, this.#bodyForce);
    this.#access.forces(this.#bodyValues.address, this.#forces);
    dynamics.solver("auto").massSolve(this.#forces, response);
    if (constraints.rows > 0) {
      constraints.jacobianTimes(response, this.#rows);
      this.#nearest.find(this.#rows);
      workspace.kernels.axpy(coordinates.velocities, 1, this.#nearest.address, response, response);
    }
    this.#access.velocities(response, this.#bodyValues.address);
    this.#pointVelocity(body, arm, frames, this.#columns[axis]!);
  }

  /** Computes v + R (w x arm) from the velocities of the bodies in memory. */
  #pointVelocity(body: number, arm: readonly number[], frames: Float64Array, out: Float64Array) {
    const at = BODY_VELOCITIES * body;
    const own = this.#relative;
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const k = (i + 2) % 3;
      own[i] = this.#bodies[at + 3 + j]! * arm[k]! - this.#bodies[at + 3 + k]! * arm[j]!;
    }
    for (let i = 0; i < 3; i++) {
      out[i] = this.#bodies[at + i]! + rotated(frames, BodyFrame.LENGTH * body, own, i);
    }
  }
}

/** Component i of R x, for the frame at an offset. */
function rotated(frames: Float64Array, frame: number, x: ArrayLike<number>, i: number): number {
  const r = frame + BodyFrame.ROTATION;
  return frames[r + i]! * x[0]! + frames[r + 3 + i]! * x[1]! + frames[r + 6 + i]! * x[2]!;
}

/** Adds a force at a point: F, and arm x R^T F + R^T T in the body's axes. */
function addLoad(
  frames: Float64Array,
  loads: Float64Array,
  load: ActingLoad,
  own: Float64Array,
): void {
  const { body, arm, force, torque } = load;
  const r = BodyFrame.LENGTH * body + BodyFrame.ROTATION;
  const at = BODY_VELOCITIES * body;
  for (let i = 0; i < 3; i++) {
    const c = r + 3 * i;
    own[i] = frames[c]! * force[0]! + frames[c + 1]! * force[1]! + frames[c + 2]! * force[2]!;
    const t = frames[c]! * torque[0]! + frames[c + 1]! * torque[1]! + frames[c + 2]! * torque[2]!;
    loads[at + 3 + i] = loads[at + 3 + i]! + t;
    loads[at + i] = loads[at + i]! + force[i]!;
  }
  const x = arm[0]!;
  const y = arm[1]!;
  const z = arm[2]!;
  loads[at + 3] = loads[at + 3]! + y * own[2]! - z * own[1]!;
  loads[at + 4] = loads[at + 4]! + z * own[0]! - x * own[2]!;
  loads[at + 5] = loads[at + 5]! + x * own[1]! - y * own[0]!;
}
