// The rank that the rows of equations have in general, found once where the constraints hold. Rows are redundant if they depend on
// each other there and at states nearby; at a singular pose they depend on each other there only.
//
// A state nearby is a displacement s along the constraints away, and off them by s^2. Rows that are redundant on the constraints
// are independent by s^2 there, rows of a singular pose by s: a tolerance between the two tells them apart, without a projection.

import { MassKind } from "../../assembly/layout.js";
import { dot, orthonormal } from "../ground/algebra/gram-schmidt.js";
import { seededNumbers } from "../ground/algebra/seeded-numbers.js";
import type { Address, Arena } from "../ground/memory/arena.js";
import type { GeneralRank, StateAddress } from "../seam/index.js";
import type { DenseQuantities } from "./dense-parts.js";

/** Largest |Phi| of a state on the constraints, in parts of the largest coordinate or of 1. */
const CLOSED = 1e-10;
/** Remainder of a row, in parts of its length, that makes it independent of others: at the state, and at states nearby. */
const INDEPENDENT = 1e-9;
const INDEPENDENT_NEARBY = 1e-6;
/** Displacement to a state nearby, in parts of the coordinates or of 1, and how many are tried. */
const DISPLACEMENT = 1e-4;
const NEARBY_STATES = 3;

/** What is evaluated at the states tried. */
export interface RankedEquations extends DenseQuantities {
  readonly trial: StateAddress;
  readonly time: number;
  at(t: number): void;
}

/** Finds the rank of a system's rows once, at the first state on the constraints it is asked at. */
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

  /** Undefined while the constraints do not hold at the trial state. */
  find(): GeneralRank | undefined {
    this.#found ??= this.#find();
    return this.#found;
  }

  #find(): GeneralRank | undefined {
    const { rows, holonomicRows, positions, trial, time } = this.#source;
    if (rows === 0) return { rank: 0, repeated: -1 };
    const { kernels } = this.#source.workspace;
    const unit = Math.max(1, kernels.largestMagnitude(positions, trial.q));
    if (!(kernels.largestMagnitude(holonomicRows, this.#source.phi()) <= CLOSED * unit)) {
      return undefined;
    }
    const here = this.#weighedRows();
    const basis = basisOf(here, INDEPENDENT);
    if (!(basis.length <= rows)) return undefined;
    if (basis.length === rows) return { rank: rows, repeated: -1 };
    const repeated = here.findIndex(
      (_, i) => basisOf(here.slice(0, i + 1), INDEPENDENT).length <= i,
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

  /** Callers may have asked for matrices before, and read them afterwards. */
  #evaluateAgain(): void {
    this.#source.mass();
    this.#source.phi();
    this.#source.jacobian();
    this.#source.phiDot();
    this.#source.gamma();
  }

  /** The rank at a random state nearby; 0 where functions are not defined there. */
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
      return basisOf(this.#weighedRows(), INDEPENDENT_NEARBY).length;
    } catch {
      return 0;
    }
  }

  /** Rows of J, coordinates weighed by the square roots of their masses so that units do not matter. */
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
