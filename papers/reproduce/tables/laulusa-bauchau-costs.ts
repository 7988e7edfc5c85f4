import { equations, nullSpace, rk4, type Simulation, simulate } from "../../../src/index.js";
import { cpuSeconds } from "../experiments/cpu.js";
import { seeded } from "../experiments/numbers.js";
import { reported } from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

/** Numbers of constraints and coordinates of a planar linkage, a machine and the HMMWV. */
const SIZES = [
  [8, 12],
  [32, 48],
  [80, 98],
] as const;
const LU =
  "Ours pivots completely and finds the partition anew at each stage; the review counts operations with a partition that is known.";

export const laulusaBauchauCosts = reproduction({
  name: "laulusa-bauchau-costs",
  paper: "Laulusa and Bauchau 2008",
  title: "Section 4.3: what bases of the null space cost, by SVD, QR, LU and Gram-Schmidt",
  notes: [
    "Ratios of the CPU of whole steps by nullSpace(), on this machine; the review counts operations. They depend on the programs " +
      "and the machine, and are reported without a verdict.",
    'It says: SVD costs "two to ten times" what QR does, depending on the size; QR is "about two times more costly" than LU; SVD ' +
      'is "many times more expensive" than Gram-Schmidt.',
    "Gram-Schmidt here is Gram-Schmidt alone: the rows of J are orthonormalised, and completed by directions that are kept from " +
      "step to step; no SVD comes before it.",
  ],
  seconds: 2,
  isTimed: true,
  *measure() {
    for (const [rows, columns] of SIZES) {
      const { svd, qr, lu, gramSchmidt } = basisCosts(rows, columns);
      const size = `${rows} x ${columns}`;
      yield reported({ quantity: `CPU of SVD / QR, ${size}`, value: svd / qr });
      yield reported({ quantity: `CPU of QR / LU, ${size}`, printed: 2, value: qr / lu, note: LU });
      yield reported({ quantity: `CPU of SVD / Gram-Schmidt, ${size}`, value: svd / gramSchmidt });
    }
  },
});

// Cost of bases of the null space of a constraint matrix: steps of RK4 that differ in nothing else.

const ROUNDS = 7;
/** Approximate number of multiplications in a run, a few milliseconds. */
const WORK = 1e6;
const BASES = { svd: "svd", qr: "qr", lu: "lu", gramSchmidt: "gram-schmidt" } as const;

/**
 * CPU seconds of a step by the null space of a random matrix, for four ways to find its basis (SVD, QR, LU with complete pivoting,
 * Gram-Schmidt): the least of seven rounds each.
 */
function basisCosts(rows: number, columns: number) {
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
