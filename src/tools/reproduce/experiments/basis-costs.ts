// What bases of the null space of a constraint matrix cost, by the kernels alone.

import { ArenaPlan, checkStatus, luSlots, qrSlots, svdSlots } from "../../../kernels.js";
import { cpuSeconds } from "./cpu.js";
import { seeded } from "./random.js";

const ROUNDS = 9;
/** Multiplications of a run, roughly: some milliseconds. */
const WORK = 4e6;

/** CPU for one basis, in seconds. */
export interface BasisCosts {
  /** Singular values. */
  readonly svd: number;
  /** Householder QR of the transposed matrix, without pivots. */
  readonly qr: number;
  /** LU of the columns of dependent coordinates, which are known, and a solve for each independent one. */
  readonly lu: number;
  /** Gram and Schmidt, of the rows and as many columns that complete them. */
  readonly gramSchmidt: number;
}

/**
 * Bases of the null space of a random matrix: the least of nine rounds each.
 *
 * @example
 * const { svd, qr } = basisCosts(32, 48);
 * console.log(svd / qr);
 */
export function basisCosts(rows: number, columns: number): BasisCosts {
  const runs = basesOf(rows, columns);
  const repeats = Math.max(1, Math.round(WORK / columns ** 3));
  const least = { svd: 1e9, qr: 1e9, lu: 1e9, gramSchmidt: 1e9 };
  const names = Object.keys(least) as (keyof typeof least)[];
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const seconds = cpuSeconds(() => {
        for (let i = 0; i < repeats; i++) runs[name]();
      });
      least[name] = Math.min(least[name], seconds / repeats);
    }
  }
  return least;
}

/** Calls that find a basis, in memory of their own. Matrices are by columns. */
function basesOf(m: number, n: number): Readonly<Record<keyof BasisCosts, () => void>> {
  const plan = new ArenaPlan();
  const reserve = (name: string, slots: number) => plan.reserve(name, slots);
  const [wide, tall] = [reserve("J", m * n), reserve("J^T and more", n * n)];
  const [svd, qr, lu] = [
    reserve("svd", svdSlots(m, n)),
    reserve("qr", qrSlots(n, m)),
    reserve("lu", luSlots(m)),
  ];
  const [basis, kept] = [reserve("basis", n * n), reserve("kept", n + 1)];
  const arena = plan.seal();
  const random = seeded(7);
  const [j, completed] = [arena.floats(wide), arena.floats(tall)];
  completed.set(completed.map(() => random()));
  for (let row = 0; row < m; row++) {
    for (let k = 0; k < n; k++) j[row + m * k] = completed[k + n * row]!;
  }
  const { kernels } = arena;
  const z = basis.address;
  return {
    svd() {
      checkStatus("svdFactor", kernels.svdFactor(m, n, wide.address, m, svd.address));
      checkStatus("svdNullSpace", kernels.svdNullSpace(m, n, svd.address, 0, z, n));
    },
    qr() {
      checkStatus("qrFactor", kernels.qrFactor(n, m, tall.address, n, qr.address));
      checkStatus("qrForm", kernels.qrForm(n, m, n, qr.address, z, n));
    },
    lu() {
      const independent = wide.address + 8 * m * m;
      checkStatus("luFactor", kernels.luFactor(m, wide.address, m, lu.address));
      checkStatus("luSolve", kernels.luSolveMany(m, n - m, lu.address, independent, m, z, m));
    },
    gramSchmidt() {
      const status = kernels.gramSchmidt(n, n, tall.address, n, 0, z, n, kept.address);
      checkStatus("gramSchmidt", status);
    },
  };
}
