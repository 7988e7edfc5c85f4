// Assembled poses near the initial pose. That pose may be singular, with dependent rows that are independent
// elsewhere: the rank of the rows is the largest one found nearby.

import { normalised, rotationOf, transposeTimes } from "../../../base/algebra/vectors.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import { Stopped } from "../../../base/run-limits.js";
import type { Vector } from "../../../model/model-data.js";
import { PositionAssembler } from "../initial-state/initial-positions.js";
import type { Plan } from "../plan/plan.js";
import type { BodySystem } from "../system/system.js";

/**
 * Range of the largest rotation to a nearby pose, in radians; also of the largest displacement, in lengths of the
 * model.
 */
const DISPLACEMENT = { least: 0.1, most: 0.3 } as const;
/**
 * Constraint error allowed at a pose, relative to the length of the model: its square must not be mistaken for a
 * pivot.
 */
const MAX_POSE_ERROR = 1e-5;
/** Size below which a random motion counts as vanished after projection. */
const MIN_MOTION = 1e-7;

/** The initial state, and a function that creates a system for a plan. */
export interface Examined {
  readonly plan: Plan;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  /** A typical length. */
  readonly length: number;
  readonly make: (plan: Plan) => BodySystem;
}

/** Moves the accepted state of a system to random poses near a first one. Deterministic. */
export class NearbyPoses {
  readonly #system: BodySystem;
  readonly #length: number;
  readonly #assembler: PositionAssembler;
  readonly #motion: Address;
  readonly #share: Address;
  readonly #rows: Address;
  readonly #random = randomNumbers(1);
  #moved = 0;
  /** The largest remaining |Phi| at a pose, and that of the last pose. */
  open = 0;
  left = 0;
  #view = new Float64Array(0);
  #moves = new Float64Array(0);

  /** Reserves memory. Call before the system is sealed. */
  constructor(system: BodySystem, length: number) {
    const { workspace, state } = system;
    const { velocities, positions } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    this.#length = length;
    this.#assembler = new PositionAssembler(system, length);
    const motion = workspace.reserve("random motion", velocities);
    this.#motion = motion.address;
    this.#share = workspace.vector("part of a motion across the rows", velocities);
    this.#rows = workspace.vector("rate of the rows", rows);
    workspace.whenSealed((arena) => {
      this.#moves = arena.floats(motion);
      this.#view = arena.floats({ name: "state", address: state.q, slots: positions + velocities });
    });
  }

  /** Sets the accepted state. */
  set(q: ArrayLike<number>, v: ArrayLike<number>): void {
    this.#view.set(q);
    this.#view.set(v, q.length);
  }

  /** Positions and velocities, as a copy. */
  get(): { q: Float64Array; v: Float64Array } {
    const { positions } = this.#system.coordinates;
    return { q: this.#view.slice(0, positions), v: this.#view.slice(positions) };
  }

  /**
   * Moves to another pose: a motion that the rows allow, then assembly. The first motion follows the velocities, if
   * there are any; the others are random, alternately of all bodies as one and of each separately. If many loops can
   * branch, bodies that move separately rarely find one branch together. Returns false if nothing can move, or
   * assembly fails.
   */
  move(t: number): boolean {
    const system = this.#system;
    const { workspace, state } = system;
    const { velocities } = system.coordinates;
    const { kernels } = workspace;
    this.#choose();
    system.load(t);
    system.constraints.jacobianTimes(this.#motion, this.#rows);
    system.dynamics.solver("auto").minnorm(1, this.#rows, this.#share);
    kernels.axpy(velocities, -1, this.#share, this.#motion, this.#motion);
    const size = this.#size();
    if (!(size > MIN_MOTION)) return false;
    const turn = DISPLACEMENT.least + (DISPLACEMENT.most - DISPLACEMENT.least) * this.#random();
    kernels.axpy(velocities, turn / size - 1, this.#motion, this.#motion, this.#motion);
    system.coordinates.displace(state.q, this.#motion);
    return this.#assemble(t);
  }

  #choose(): void {
    const { positions, velocities } = this.#system.coordinates;
    const moves = this.#moves;
    moves.set(this.#view.subarray(positions));
    if (this.#moved++ === 0 && this.#size() > MIN_MOTION) return;
    const together = this.#moved % 2 === 0;
    const common = Array.from({ length: 6 }, () => 2 * this.#random() - 1);
    for (let i = 0; i < velocities; i += 6) {
      const six = together ? common : common.map(() => 2 * this.#random() - 1);
      const e = this.#view.subarray((7 * i) / 6 + 3, (7 * i) / 6 + 7);
      const turn = transposeTimes(
        rotationOf(normalised([...e])),
        six.slice(3) as unknown as Vector,
      );
      for (let k = 0; k < 3; k++) {
        moves[i + k] = six[k]! * this.#length;
        moves[i + 3 + k] = turn[k]!;
      }
    }
  }

  /** Largest rotation of a body by the motion, or displacement over the length of the model. */
  #size(): number {
    const { kernels, table } = this.#system;
    const { velocities } = this.#system.coordinates;
    let slide = 0;
    for (let i = 0; i < velocities; i++) {
      if (i % 6 < 3) slide = Math.max(slide, Math.abs(this.#moves[i]!));
    }
    return Math.max(kernels.bodyAngularRate(table, this.#motion), slide / this.#length);
  }

  #assemble(t: number): boolean {
    try {
      const residual = this.#assembler.run(t);
      if (!(residual <= MAX_POSE_ERROR * this.#length)) return false;
      this.left = residual;
      this.open = Math.max(this.open, residual);
      return true;
    } catch (error) {
      if (error instanceof NodriftError && !(error instanceof Stopped)) return false;
      throw error;
    }
  }
}

/** Generator of numbers in [0, 1), the same in each run: a counter times the golden ratio, mixed (Weyl, xorshift). */
export function randomNumbers(seed: number): () => number {
  let counter = seed >>> 0;
  return () => {
    counter = (counter + 0x9e3779b9) >>> 0;
    let x = counter;
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
  };
}
