// Assembled poses near the start. The start may be a singular pose, where rows are dependent that are independent
// elsewhere: the rank of the rows is the highest one found nearby.

import type { Vector } from "../../../describe/model/model-data.js";
import { normalised, rotationOf, transposeTimes } from "../../../ground/algebra/vectors.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Address } from "../../../ground/memory/arena.js";
import { Stopped } from "../../../ground/run-limits.js";
import type { Plan } from "../plan/plan.js";
import { PositionAssembler } from "../start/start-positions.js";
import type { BodySystem } from "../system/system.js";

/** Largest turn to a pose nearby, in radians; also the largest slide, in lengths of the model. */
const TURN = { least: 0.1, most: 0.3 } as const;
/** Constraint error allowed at a pose, over the length of the model: its square must not pass for a pivot. */
const OPEN = 1e-5;
/** Size below which a random motion has vanished after projection. */
const STUCK = 1e-7;

/** The start, and how to make a system for a plan. */
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
  /** The largest |Phi| left at a pose, and that of the last pose. */
  open = 0;
  left = 0;
  #view = new Float64Array(0);
  #moves = new Float64Array(0);

  /** Reserves memory: before the system's is sealed. */
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

  /** Puts a state in place. */
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
   * From the present pose to another: a motion that the rows allow, then assembled again. First
   * along the velocities, if there are any; then at random, alternately all bodies as one and each by itself.
   * Where many loops can branch, bodies that move each by themselves rarely find one branch together.
   * False where nothing can move, or nothing fits.
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
    if (!(size > STUCK)) return false;
    const turn = TURN.least + (TURN.most - TURN.least) * this.#random();
    kernels.axpy(velocities, turn / size - 1, this.#motion, this.#motion, this.#motion);
    system.coordinates.displace(state.q, this.#motion);
    return this.#assemble(t);
  }

  #choose(): void {
    const { positions, velocities } = this.#system.coordinates;
    const moves = this.#moves;
    moves.set(this.#view.subarray(positions));
    if (this.#moved++ === 0 && this.#size() > STUCK) return;
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

  /** Largest turn of a body by the motion, or slide over the length of the model. */
  #size(): number {
    const { kernels, table } = this.#system.quantities;
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
      if (!(residual <= OPEN * this.#length)) return false;
      this.left = residual;
      this.open = Math.max(this.open, residual);
      return true;
    } catch (error) {
      if (error instanceof NodriftError && !(error instanceof Stopped)) return false;
      throw error;
    }
  }
}

/** Numbers in [0, 1), the same in each run: a counter times the golden ratio, mixed (Weyl, xorshift). */
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
