// Pushes and grips: loads on bodies besides those of the model, constant in the world during each step.

import { BODY_VELOCITIES, BodyFrame } from "../../../../assembly/layout-bodies.js";
import { boundedSolve } from "../../../ground/algebra/symmetric-inverse.js";
import { ZERO } from "../../../ground/algebra/vectors.js";
import type { Address, Segment } from "../../../ground/memory/arena.js";
import type { BodyAccess, System } from "../../../seam/index.js";
import { NearestStep } from "../../../seam/projection/nearest-step.js";

/** A force at a point of a body, for some time. Plain data. */
export interface PushData {
  readonly body: number;
  /** In the world. */
  readonly force: readonly number[];
  readonly torque: readonly number[];
  /** From the centre of mass, in the body's axes. */
  readonly arm: readonly number[];
  /** When it ends. */
  readonly until: number;
}

/** A point of a body that is pulled to a target. Plain data, changed in place. */
export interface GripData {
  readonly id: number;
  readonly body: number;
  readonly arm: readonly number[];
  /** Circular frequency of the pull. */
  readonly omega: number;
  /** Newtons at most. */
  readonly limit: number;
  readonly target: number[];
  /** The force of the last step, in the world. */
  readonly force: number[];
}

/** What acts on the bodies, as plain data. */
export interface HandData {
  readonly pushes: readonly PushData[];
  readonly grips: readonly GripData[];
}

/**
 * Least mobility of a point, as a part of that along its easiest direction. A chain that is nearly straight can hardly be
 * lengthened, and a pull that insisted on it would be as large as one likes.
 */
const LIGHTEST = 0.1;

/** Radians in a part of a step, and parts of a step at most. */
const TURN = 0.2;
const MOST_PARTS = 32;

/** Part of a step that is rounding: a push that ends with a step acts in no later one. */
const ROUNDING = 1e-9;

/** Unit forces. */
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;

/** A load on a body during a step, in the world, at an arm in the body's axes. */
class ActingLoad {
  body = 0;
  readonly arm = new Float64Array(3);
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);

  /** Part of a force and of a torque. */
  write(
    body: number,
    arm: readonly number[],
    part: number,
    force: readonly number[],
    torque: readonly number[],
  ): void {
    this.body = body;
    for (let i = 0; i < 3; i++) {
      this.arm[i] = arm[i]!;
      this.force[i] = part * force[i]!;
      this.torque[i] = part * torque[i]!;
    }
  }
}

/**
 * Pushes bodies of a system in fixed steps. A grip pulls its point p to the target x as a critically damped spring would
 * with the mass that is felt there, p'' = -w^2 (p - x) - 2 w p'. The mass is the inverse of A = P M^-1 P^T, with the
 * constraints holding, where P gives the velocity of the point. With the force of the end of the step (implicit Euler),
 *
 *   u+ = (u - h w^2 (p - x)) / (1 + w h)^2,   F = A^+ (u+ - u) / h
 *
 * this is stable at any length of step: with e+ = e + h (u + u+) / 2 the determinant of a step is
 * (1 + (w h)^2 / 2) / (1 + w h)^2 < 1. Rejected: a spring of given stiffness. What holds a crane tears a watch apart,
 * and at 1/240 s both must be stable.
 */
export class Hand {
  pushes: PushData[] = [];
  grips: GripData[] = [];
  readonly #system: System;
  readonly #access: BodyAccess;
  readonly #nearest: NearestStep;
  /** Responses of all coordinates to three unit forces at a point, and scratch. */
  readonly #responses: readonly Address[];
  readonly #forces: Address;
  readonly #ofBodies: Segment;
  readonly #rows: Address;
  #bodies = new Float64Array(0);
  /** Loads of this step, the first {@link #count} of them: made once, written in each step. */
  readonly #acting: ActingLoad[] = [];
  #count = 0;
  #leader: Hand | undefined;
  readonly #unit = new ActingLoad();
  #last = 0;
  readonly #mass = new Float64Array(9);
  readonly #columns = [0, 3, 6].map((at) => this.#mass.subarray(at, at + 3));
  readonly #change = new Float64Array(3);
  readonly #turning = new Float64Array(3);
  readonly #pull = new Float64Array(3);
  readonly #own = new Float64Array(3);

  /** Reserves memory: before the system's is sealed. */
  constructor(system: System, access: BodyAccess) {
    const { workspace, coordinates, constraints } = system;
    this.#system = system;
    this.#access = access;
    this.#nearest = new NearestStep(system, "grips");
    this.#responses = [0, 1, 2].map((i) =>
      workspace.vector(`response ${i} to a grip`, coordinates.velocities),
    );
    this.#forces = workspace.vector("force of a grip", coordinates.velocities);
    this.#ofBodies = workspace.reserve("bodies at a grip", BODY_VELOCITIES * access.count);
    this.#rows = workspace.vector("rows at a grip", constraints.rows);
    workspace.whenSealed((arena) => {
      this.#bodies = arena.floats(this.#ofBodies);
    });
  }

  get isIdle(): boolean {
    return this.pushes.length === 0 && this.grips.length === 0;
  }

  get isResting(): boolean {
    return this.#leader === undefined && this.isIdle && this.#count === 0;
  }

  /**
   * Into how many parts a step of length h is divided while a grip holds: no body turns by more than {@link TURN} in one. A
   * drag of a metre makes the links of a chain whip, and steps that are short enough for the model are not for that.
   */
  parts(span: Float64Array): number {
    if (this.grips.length === 0) return 1;
    const turn = this.#access.angularRate() * span[1]!;
    return Math.min(MOST_PARTS, Math.max(1, Math.ceil(turn / TURN)));
  }

  /** What acts in a step that begins at t, for h, from its accepted state on. */
  begin(span: Float64Array): void {
    const t = span[0]!;
    const h = span[1]!;
    if (this.#leader) {
      this.#leader.begin(span);
      this.#access.setPushes(this.#leader.acting);
      return;
    }
    if (this.isIdle && this.#count === 0) return;
    this.#drop(t + ROUNDING * h);
    this.#count = 0;
    this.#access.setPushes(undefined);
    for (let i = 0; i < this.pushes.length; i++) {
      const { body, arm, force, torque, until } = this.pushes[i]!;
      this.#next().write(body, arm, Math.min(1, (until - t) / h), force, torque);
    }
    if (this.grips.length > 0) {
      this.#system.load(t);
      for (let i = 0; i < this.grips.length; i++) this.#hold(this.grips[i]!, h);
    }
    if (this.#count > 0) this.#access.setPushes(this.#add);
  }

  /** A step has ended at t: what ends with it acts no more. */
  end(t: number): void {
    if (this.#count === 0) return;
    this.#drop(t);
    if (!this.isIdle) return;
    this.#count = 0;
    this.#access.setPushes(undefined);
  }

  /** Pushes that end at a time or before are over. */
  #drop(t: number): void {
    let kept = 0;
    for (let i = 0; i < this.pushes.length; i++) {
      const push = this.pushes[i]!;
      if (push.until > t) this.pushes[kept++] = push;
    }
    this.pushes.length = kept;
  }

  /** The next load of this step. */
  #next(): ActingLoad {
    if (this.#count === this.#acting.length) this.#acting.push(new ActingLoad());
    return this.#acting[this.#count++]!;
  }

  /** Adds what acts to the loads of the bodies. */
  readonly #add = (frames: Float64Array, loads: Float64Array) => {
    for (let i = 0; i < this.#count; i++) addLoad(frames, loads, this.#acting[i]!, this.#own);
  };

  /** What acts now, for readings. */
  get acting(): ((frames: Float64Array, loads: Float64Array) => void) | undefined {
    if (this.#leader) return this.#leader.acting;
    return this.#count === 0 ? undefined : this.#add;
  }

  data(): HandData {
    return { pushes: this.pushes, grips: this.grips };
  }

  /** For a grip to be made: none of before has it. */
  nextId(): number {
    return 1 + this.grips.reduce((most, { id }) => Math.max(most, id), this.#last);
  }

  grab(grip: GripData): void {
    this.#last = Math.max(this.#last, grip.id);
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
   * Does what another one does, to the same bodies in another mechanism. Its own grips would not pull what rests at a stop: that has no
   * mobility there.
   */
  follow(other: Hand): void {
    this.#leader = other;
  }

  restore({ pushes, grips }: HandData): void {
    this.pushes = [...pushes];
    this.grips = grips.map((grip) => ({
      ...grip,
      target: [...grip.target],
      force: [...grip.force],
    }));
    this.#count = 0;
    this.#access.setPushes(undefined);
  }

  /** The force of a grip in a step of length h from the trial state on. */
  #hold(grip: GripData, h: number): void {
    const { body, arm, omega, target, force, limit } = grip;
    const frames = this.#access.frames();
    const frame = BodyFrame.LENGTH * body;
    this.#system.dynamics.solver("auto").factor();
    for (let k = 0; k < 3; k++) this.#respond(body, arm, frames, k);
    this.#access.velocities(this.#system.trial.v, this.#ofBodies.address);
    this.#pointVelocity(body, arm, frames, this.#change);
    const factor = 1 / ((1 + omega * h) * (1 + omega * h));
    for (let i = 0; i < 3; i++) {
      const point = frames[frame + BodyFrame.POINT + i]! + turned(frames, frame, arm, i);
      const u = this.#change[i]!;
      this.#change[i] = (u - h * omega * omega * (point - target[i]!)) * factor - u;
    }
    boundedSolve(this.#mass, LIGHTEST, this.#change, this.#pull);
    let square = 0;
    for (let i = 0; i < 3; i++) square += (this.#pull[i]! / h) * (this.#pull[i]! / h);
    const size = Math.sqrt(square);
    const part = size > limit ? limit / size : 1;
    for (let i = 0; i < 3; i++) force[i] = (part * this.#pull[i]!) / h;
    this.#next().write(body, arm, 1, force, ZERO);
  }

  /** The velocity that a unit force along an axis of the world gives the point: a column of A. */
  #respond(body: number, arm: readonly number[], frames: Float64Array, axis: number): void {
    const { workspace, dynamics, constraints, coordinates } = this.#system;
    const response = this.#responses[axis]!;
    this.#unit.write(body, arm, 1, AXES[axis]!, ZERO);
    this.#bodies.fill(0);
    addLoad(frames, this.#bodies, this.#unit, this.#own);
    this.#access.forces(this.#ofBodies.address, this.#forces);
    dynamics.solver("auto").massSolve(this.#forces, response);
    if (constraints.rows > 0) {
      constraints.jacobianTimes(response, this.#rows);
      this.#nearest.find(this.#rows);
      workspace.kernels.axpy(coordinates.velocities, 1, this.#nearest.address, response, response);
    }
    this.#access.velocities(response, this.#ofBodies.address);
    this.#pointVelocity(body, arm, frames, this.#columns[axis]!);
  }

  /** v + R (w x arm), by the velocities of the bodies in memory. */
  #pointVelocity(body: number, arm: readonly number[], frames: Float64Array, out: Float64Array) {
    const at = BODY_VELOCITIES * body;
    const own = this.#turning;
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const k = (i + 2) % 3;
      own[i] = this.#bodies[at + 3 + j]! * arm[k]! - this.#bodies[at + 3 + k]! * arm[j]!;
    }
    for (let i = 0; i < 3; i++) {
      out[i] = this.#bodies[at + i]! + turned(frames, BodyFrame.LENGTH * body, own, i);
    }
  }
}

/** A component of R x, of the frame at a place. */
function turned(frames: Float64Array, frame: number, x: ArrayLike<number>, i: number): number {
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
