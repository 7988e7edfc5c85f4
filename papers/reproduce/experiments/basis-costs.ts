// Cost of bases of the null space of a constraint matrix: steps of RK4 that differ in nothing else.

import { equations, nullSpace, rk4, type Simulation, simulate } from "../../../src/index.js";
import { cpuSeconds } from "./cpu.js";
import { seeded } from "./numbers.js";

const ROUNDS = 7;
/** Approximate number of multiplications in a run, a few milliseconds. */
const WORK = 1e6;
const BASES = { svd: "svd", qr: "qr", lu: "lu", gramSchmidt: "gram-schmidt" } as const;

/**
 * CPU seconds of a step by the null space of a random matrix, for four ways to find its basis (SVD, QR, LU with complete pivoting,
 * Gram-Schmidt): the least of seven rounds each.
 */
export function basisCosts(rows: number, columns: number) {
  const names = Object.keys(BASES) as (keyof typeof BASES)[];
  const runs = names.map((name) => ({ name, run: runOf(rows, columns, BASES[name]) }));
  const repeats = Math.max(1, Math.round(WORK / columns ** 3));
  const least = { svd: 1e9, qr: 1e9, lu: 1e9, gramSchmidt: 1e9 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, run } of runs) {
      const seconds = cpuSeconds(() => run.advance(repeats));
      least[name] = Math.min(least[name], seconds / repeats);
    }
  }
  return least;
}

/** Points of mass 1 on random planes: matrices do not change, so that only bases are computed. */
function runOf(m: number, n: number, basis: (typeof BASES)[keyof typeof BASES]): Simulation {
  const random = seeded(7);
  const planes = Float64Array.from({ length: m * n }, random);
  const system = equations({
    coordinates: Array.from({ length: n }, (_, i) => `q${i}`),
    mass: Array.from({ length: n }, () => 1),
    forces: (_q, _v, out) => {
      out.fill(-1);
    },
    holonomic: {
      rows: m,
      value: (q, out) => {
        for (let i = 0; i < m; i++) {
          let sum = 0;
          for (let k = 0; k < n; k++) sum += planes[i * n + k]! * q[k]!;
          out[i] = sum;
        }
      },
      jacobian: (_q, out) => {
        out.set(planes);
      },
      gamma: (_q, _v, out) => {
        out.fill(0);
      },
    },
  });
  const still = Array.from({ length: n }, () => 0);
  const method = { formulation: nullSpace({ basis }), integrator: rk4() };
  return simulate(system, { method, step: 1e-3, q: still, v: still });
}
