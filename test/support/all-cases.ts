// Runs every kernel case on fixed input and hashes the bits of the results: Node, a page and a worker run this
// function and must get identical bits.

import { kernelCases } from "../../bench/cases/index.js";
import { Hash } from "./hash.js";
import { seeded } from "./random.js";

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 24, 33];
const CONDITIONS = [1, 1e6];

/** Results of all cases. */
export interface Digests {
  /** Hash of the result bits, by the name of the case. */
  readonly hashes: Readonly<Record<string, string>>;
  /** Cases with a NaN or infinite result: such bits differ between machines and prove nothing. */
  readonly nonFinite: readonly string[];
}

/** Runs all cases over sizes and conditions; `seed` starts the random sequence. */
export function digestAllCases(): Digests {
  const hashes: Record<string, string> = {};
  const nonFinite: string[] = [];
  for (const kernelCase of kernelCases) {
    const hash = new Hash();
    let seed = 0;
    for (const n of SIZES) {
      for (const condition of CONDITIONS) {
        const { results } = kernelCase.run(seeded(++seed), n, condition);
        for (const result of results) hash.add(result);
        if (!results.every((result) => result.every(Number.isFinite))) {
          nonFinite.push(`${kernelCase.name}, n = ${n}, condition ${condition}`);
        }
      }
    }
    hashes[kernelCase.name] = hash.digest();
  }
  return { hashes, nonFinite };
}
