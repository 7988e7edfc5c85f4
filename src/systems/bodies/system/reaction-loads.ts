// Friction whose magnitude follows the reaction of its joint at the evaluated state, not at the last step.
//
// With the accelerations M a = Q + J^T l, J a = gamma, multipliers are affine in the forces. Friction of joint j is a
// force N_j f_j, where f_j depends on the state alone and N_j is the magnitude of the joint's reaction. So
//
//   l = l_0 + sum_j N_j L_j,    N_i = | P_i l |
//
// with P_i the rows of joint i that are forces (along a tree: the vector of the force it transmits, system.ts). l_0 is
// one solve, each L_j another with the same factor. The remaining equations, one per joint with friction, are solved
// by Newton's iteration to rounding. If rows are redundant, l has least norm (interfaces/constraints.ts). Rejected:
// the reaction of the last step, which makes results depend on steps; repeated solves of all until nothing changes,
// which converge slowly just when joints nearly jam. If a joint jams (Painleve: the friction of a reaction makes that
// reaction grow by more than itself) there is no solution, or two: an error names the joint.

import { FrictionData } from "../../../../assembly/layout-bodies.js";
import { SimulationError } from "../../../base/errors.js";
import type { Segment } from "../../../base/memory/arena.js";
import type { ConstraintSolver } from "../../../interfaces/index.js";
import type { BodyQuantities } from "./quantities.js";

/** Maximum number of iterations, and the remaining change of a magnitude, relative to it. */
const MAX_ITERATIONS = 50;
const CONVERGENCE_TOLERANCE = 1e-14;

/** One friction: its slot in the data, and the number of force components of its joint. */
export interface Rubbing {
  readonly name: string;
  readonly slot: number;
  readonly size: number;
}

/** Computes the forces of all joints with friction that follows reactions. */
export interface ReactionSource {
  readonly rubbing: readonly Rubbing[];
  /** Invalidates the forces after constants of laws have changed. */
  forget(): void;
  /** Writes these forces for the current constants, at the trial state, one after the other. */
  read(out: Float64Array): void;
}

export class ReactionLoads {
  readonly #system: BodyQuantities;
  readonly #source: ReactionSource;
  readonly #rubbing: readonly Rubbing[];
  /** P l_0, then P L_j for each friction, one after the other. */
  readonly #parts: readonly Float64Array[];
  readonly #loads: Float64Array;
  readonly #matrix: Float64Array;

  constructor(system: BodyQuantities, source: ReactionSource) {
    this.#system = system;
    this.#source = source;
    this.#rubbing = source.rubbing;
    const count = this.#rubbing.length;
    const size = this.#rubbing.reduce((sum, { size: own }) => sum + own, 0);
    this.#parts = Array.from({ length: count + 1 }, () => new Float64Array(size));
    this.#loads = new Float64Array(count);
    this.#matrix = new Float64Array(count * (count + 1));
  }

  /** Writes the magnitudes at the trial state into the constants of the laws. */
  settle(): void {
    const { data } = this.#system.arrays;
    const rubbing = this.#rubbing;
    for (let j = 0; j < rubbing.length; j++) data[rubbing[j]!.slot] = 0;
    this.#read(this.#parts[0]!);
    for (let j = 0; j < rubbing.length; j++) {
      data[rubbing[j]!.slot] = 1;
      const part = this.#parts[j + 1]!;
      this.#read(part);
      for (let k = 0; k < part.length; k++) part[k] = part[k]! - this.#parts[0]![k]!;
      data[rubbing[j]!.slot] = 0;
    }
    this.#solve();
    for (let j = 0; j < rubbing.length; j++) data[rubbing[j]!.slot] = this.#loads[j]!;
    this.#source.forget();
  }

  #read(out: Float64Array): void {
    this.#source.forget();
    this.#source.read(out);
  }

  /** Newton's iteration for N_i = | P_i (l_0 + sum_j N_j L_j) |, from N without friction. */
  #solve(): void {
    const loads = this.#loads;
    const count = loads.length;
    loads.fill(0);
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      const change = this.#newton();
      let size = 0;
      for (let i = 0; i < count; i++) size = Math.max(size, Math.abs(loads[i]!));
      if (change > CONVERGENCE_TOLERANCE * size) continue;
      this.#check();
      return;
    }
    throw this.#jams(0);
  }

  /** Performs one iteration; returns the largest change of a load. */
  #newton(): number {
    const [matrix, loads] = [this.#matrix, this.#loads];
    const count = loads.length;
    const width = count + 1;
    let first = 0;
    for (let i = 0; i < count; i++) {
      const end = first + this.#rubbing[i]!.size;
      let square = 0;
      for (let k = first; k < end; k++) square += this.#at(k) ** 2;
      const norm = Math.sqrt(square);
      for (let j = 0; j < count; j++) {
        let slope = 0;
        for (let k = first; k < end; k++) slope += this.#at(k) * this.#parts[j + 1]![k]!;
        matrix[width * i + j] = (i === j ? 1 : 0) - (norm > 0 ? slope / norm : 0);
      }
      matrix[width * i + count] = norm - loads[i]!;
      first = end;
    }
    return this.#eliminate();
  }

  /** P (l_0 + sum_j N_j L_j) of one row. */
  #at(k: number): number {
    let sum = this.#parts[0]![k]!;
    for (let j = 0; j < this.#loads.length; j++) sum += this.#loads[j]! * this.#parts[j + 1]![k]!;
    return sum;
  }

  /** Solves for the changes and adds them. The matrix is near the identity unless a joint jams: its pivots stay positive. */
  #eliminate(): number {
    const [matrix, loads] = [this.#matrix, this.#loads];
    const count = loads.length;
    const width = count + 1;
    for (let i = 0; i < count; i++) {
      const pivot = matrix[width * i + i]!;
      if (!(pivot > 0)) throw this.#jams(i);
      for (let row = 0; row < count; row++) {
        if (row === i) continue;
        const factor = matrix[width * row + i]! / pivot;
        for (let k = i; k < width; k++) {
          matrix[width * row + k] = matrix[width * row + k]! - factor * matrix[width * i + k]!;
        }
      }
    }
    let largest = 0;
    for (let i = 0; i < count; i++) {
      const change = matrix[width * i + count]! / matrix[width * i + i]!;
      loads[i] = loads[i]! + change;
      largest = Math.max(largest, Math.abs(change));
    }
    return largest;
  }

  #check(): void {
    for (let i = 0; i < this.#loads.length; i++) if (this.#loads[i]! < 0) throw this.#jams(i);
  }

  #jams(index: number): SimulationError {
    const { time } = this.#system;
    return new SimulationError(
      "SINGULAR",
      time,
      `friction "${this.#rubbing[index]!.name}" jams at t = ${time}: it makes the reaction of its joint grow by more than itself, ` +
        "so that no reaction fits. Give a smaller coefficient or radius, or a constant magnitude (coulomb)",
    );
  }
}

/** Returns whether some friction of a model follows a reaction: its name. */
export function followsReaction({ plan }: Pick<BodyQuantities, "plan">): boolean {
  return plan.model.forces.some(({ reaction }) => reaction !== undefined);
}

/** Frictions that follow reactions: their slots, and the rows of their joints that are forces. */
export function rubbingRows({ plan }: Pick<BodyQuantities, "plan">) {
  const { model, forceSlots, blocks } = plan;
  return model.forces.flatMap(({ name, reaction }, index) => {
    if (reaction === undefined) return [];
    const own = blocks.filter(({ joint }) => model.joints[joint]!.name === reaction);
    const rows = own.flatMap(({ block, firstRow }) => {
      const units = block.rows.flatMap(({ names, unit }) => names.map(() => unit));
      return units.flatMap((unit, i) => (unit === "force" ? [firstRow + i] : []));
    });
    return [{ name, reaction, slot: forceSlots[index]! + FrictionData.LOAD, rows }];
  });
}

/** Forces of joints as multipliers of their rows. */
export class RowReactions implements ReactionSource {
  readonly rubbing: readonly Rubbing[];
  readonly #rows: readonly number[];
  readonly #system: BodyQuantities;
  readonly #solver: ConstraintSolver;
  readonly #multipliers: Segment;
  #found = new Float64Array(0);

  constructor(system: BodyQuantities, solver: ConstraintSolver) {
    const found = rubbingRows(system);
    this.rubbing = found.map(({ name, slot, rows }) => ({ name, slot, size: rows.length }));
    this.#rows = found.flatMap(({ rows }) => rows);
    this.#system = system;
    this.#solver = solver;
    const { workspace } = system;
    this.#multipliers = workspace.reserve("multipliers for friction", system.rows);
    workspace.whenSealed((arena) => {
      this.#found = arena.floats(this.#multipliers);
    });
  }

  forget(): void {
    this.#system.forgetForces();
  }

  read(out: Float64Array): void {
    this.#solver.multipliers(this.#system.gamma(), this.#multipliers.address);
    for (let i = 0; i < this.#rows.length; i++) out[i] = this.#found[this.#rows[i]!]!;
  }
}
