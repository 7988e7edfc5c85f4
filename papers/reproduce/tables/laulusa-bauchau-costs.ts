import { basisCosts } from "../experiments/basis-costs.js";
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
