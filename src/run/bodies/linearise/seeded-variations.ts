// Ways away from a state that the joints allow: seeded, so that they are the same everywhere.

import { combination } from "../../../ground/algebra/gram-schmidt.js";
import { seededNumbers } from "../../../ground/algebra/seeded-numbers.js";
import type { NearbyStates, Variation } from "./nearby-states.js";

/** Displacements that joints allow, and velocities. */
export type Bases = readonly [readonly Float64Array[], readonly Float64Array[]];

export class SeededVariations {
  readonly #neighbours: NearbyStates;
  readonly #bases: Bases;
  readonly #count: number;
  readonly #random = seededNumbers();

  /** `count`: length of the vectors. */
  constructor(neighbours: NearbyStates, bases: Bases, count: number) {
    this.#neighbours = neighbours;
    this.#bases = bases;
    this.#count = count;
  }

  /** The next way: turns, or slides in lengths of the model, and changes of the velocities of given sizes. */
  next(turn: number, speed: number): Variation {
    const [displacements, velocities] = this.#bases;
    return {
      displacement: this.#mixed(displacements, turn),
      velocity: this.#mixed(velocities, speed),
    };
  }

  #mixed(basis: readonly Float64Array[], size: number): Float64Array {
    // Each vector moves something by as much: heavy bodies have short ones.
    const factors = basis.map((x) => (this.#random() - 0.5) / this.#neighbours.sizeOf(x));
    const sum = combination(basis, factors, this.#count);
    const found = this.#neighbours.sizeOf(sum);
    return found > 0 ? sum.map((x) => (x * size) / found) : sum;
  }
}
