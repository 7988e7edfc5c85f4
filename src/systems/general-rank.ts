// The generic rank of the rows of equations, found once at a state that satisfies the constraints. Rows are redundant
// if they depend on each other there and at nearby states; at a singular pose they depend on each other only there.
//
// A nearby state is displaced by s along the constraints, and violates them by s^2. Rows that are redundant on the
// constraints are independent by s^2 there, rows of a singular pose by s: a tolerance between the two separates them,
// without a projection.

import { MassKind } from "../../assembly/layout.js";
import { dot, orthonormal } from "../base/algebra/gram-schmidt.js";
import { seededNumbers } from "../base/algebra/seeded-numbers.js";
import type { Address, Arena } from "../base/memory/arena.js";
import type { GeneralRank, StateAddress } from "../interfaces/index.js";
import type { DenseQuantities } from "./dense-parts.js";

/** Largest |Phi| of a state on the constraints, relative to the largest coordinate or 1. */
const CONSTRAINT_TOLERANCE = 1e-10;
/**
 * Remainder of a row, relative to its length, above which it is independent of others: at the state, and at nearby
 * states.
 */
const INDEPENDENCE_TOLERANCE = 1e-9;
const NEARBY_INDEPENDENCE_TOLERANCE = 1e-6;
/** Displacement to a nearby state, relative to the coordinates or 1, and number of such states. */
const DISPLACEMENT = 1e-4;
const NEARBY_STATES = 3;

/** Quantities evaluated at the tested states. */
export interface RankedEquations extends DenseQuantities {
  readonly trial: StateAddress;
  readonly time: number;
  at(t: number): void;
}

/** Finds the rank of a system's rows once, at the first state on the constraints for which it is requested. */
export class GeneralRankFinder {
  readonly #source: RankedEquations;
  #arena: Arena | undefined;
  #found: GeneralRank | undefined;

  constructor(source: RankedEquations) {
    this.#source = source;
    source.workspace.whenSealed((arena) => {
      this.#arena = arena;
    });
  }

  /** Returns the rank; undefined while the trial state violates the constraints. */
  find(): GeneralRank | undefined {
    this.#found ??= this.#find();
    return this.#found;
  }

  #find(): GeneralRank | undefined {
    const { rows, holonomicRows, positions, trial, time } = this.#source;
    if (rows === 0) return { rank: 0, repeated: -1 };
    const { kernels } = this.#source.workspace;
    const unit = Math.max(1, kernels.largestMagnitude(positions, trial.q));
    if (
      !(kernels.largestMagnitude(holonomicRows, this.#source.phi()) <= CONSTRAINT_TOLERANCE * unit)
    ) {
      return undefined;
    }
    const here = this.#weighedRows();
    const basis = basisOf(here, INDEPENDENCE_TOLERANCE);
    if (!(basis.length <= rows)) return undefined;
    if (basis.length === rows) return { rank: rows, repeated: -1 };
    const repeated = here.findIndex(
      (_, i) => basisOf(here.slice(0, i + 1), INDEPENDENCE_TOLERANCE).length <= i,
    );
    const state = this.#numbers(trial.q, 2 * positions).slice();
    let rank = basis.length;
    const random = seededNumbers();
    for (let i = 0; i < NEARBY_STATES; i++) {
      rank = Math.max(rank, this.#rankNearby(state, basis, random));
      this.#numbers(trial.q, 2 * positions).set(state);
      this.#source.at(time);
    }
    this.#evaluateAgain();
    return { rank, repeated };
  }

  /** Callers may have read matrices before, and may read them afterwards. */
  #evaluateAgain(): void {
    this.#source.mass();
    this.#source.phi();
    this.#source.jacobian();
    this.#source.phiDot();
    this.#source.gamma();
  }

  /** Rank at a random nearby state; 0 if functions are not defined there. */
  #rankNearby(state: Float64Array, basis: readonly Float64Array[], random: () => number): number {
    const { positions: n, trial, time } = this.#source;
    const weights = this.#weights();
    const along = Float64Array.from(weights, () => random() - 0.5);
    for (const one of basis) {
      const part = dot(along, one);
      for (let j = 0; j < n; j++) along[j] = along[j]! - part * one[j]!;
    }
    const moves = along.map((x, j) => x / weights[j]! / Math.max(1, Math.abs(state[j]!)));
    const largest = moves.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    if (!(largest > 0)) return 0;
    const q = this.#numbers(trial.q, n);
    for (let j = 0; j < n; j++) {
      q[j] = state[j]! + (DISPLACEMENT / largest) * (along[j]! / weights[j]!);
    }
    this.#source.at(time);
    try {
      return basisOf(this.#weighedRows(), NEARBY_INDEPENDENCE_TOLERANCE).length;
    } catch {
      return 0;
    }
  }

  /** Rows of J, with coordinates weighted by the square roots of their masses so that units do not matter. */
  #weighedRows(): Float64Array[] {
    const { rows, velocities: n } = this.#source;
    const jacobian = this.#numbers(this.#source.jacobian(), rows * n);
    const weights = this.#weights();
    return Array.from({ length: rows }, (_, i) =>
      weights.map((weight, j) => jacobian[i * n + j]! / weight),
    );
  }

  #weights(): Float64Array {
    const { velocities: n, massKind } = this.#source;
    const isFull = massKind === MassKind.FULL;
    const mass = this.#numbers(this.#source.mass(), isFull ? n * n : n);
    return Float64Array.from({ length: n }, (_, j) => {
      const own = mass[isFull ? j * (n + 1) : j]!;
      return own > 0 ? Math.sqrt(own) : 1;
    });
  }

  #numbers(address: Address, slots: number): Float64Array {
    return this.#arena!.floats({ name: "numbers", address, slots });
  }
}

function basisOf(rows: readonly Float64Array[], tolerance: number): Float64Array[] {
  return orthonormal(rows, [], { tolerance: tolerance * tolerance });
}
