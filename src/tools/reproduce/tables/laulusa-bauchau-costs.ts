import { basisCosts } from "../experiments/basis-costs.js";
import {
  checked,
  factor,
  least,
  MAGNITUDE,
  most,
  reported,
  reproduced,
} from "../judging/entries.js";
import { reproduction } from "../judging/reproduction.js";

/** Constraints and coordinates: of a linkage in the plane, of a vehicle, of a machine. */
const SIZES = [
  [8, 12],
  [32, 48],
  [80, 98],
] as const;

export const laulusaBauchauCosts = reproduction({
  name: "laulusa-bauchau-costs",
  paper: "Laulusa and Bauchau 2008",
  title: "Section 4.3: what bases of the null space cost, by SVD, QR, LU and Gram-Schmidt",
  notes: [
    "Ratios of CPU on this machine, by the kernels alone; the review counts operations. Both are accepted as orders of magnitude.",
    'The review says: SVD costs "two to ten times" what QR does, depending on the size; QR is "about two times more costly" ' +
      'than LU; SVD is "many times more expensive" than Gram-Schmidt, which is no number and reported only.',
    "LU is that of the columns of dependent coordinates, which are known, as where a partition is kept.",
  ],
  seconds: 2,
  isTimed: true,
  *measure() {
    for (const [rows, columns] of SIZES) {
      const { svd, qr, lu, gramSchmidt } = basisCosts(rows, columns);
      const size = `${rows} x ${columns}`;
      yield checked(
        { quantity: `CPU of SVD / QR, ${size}`, value: svd / qr },
        least(2 / MAGNITUDE),
        most(10 * MAGNITUDE),
      );
      yield reproduced(
        { quantity: `CPU of QR / LU, ${size}`, printed: 2, value: qr / lu },
        factor(),
      );
      yield reported({ quantity: `CPU of SVD / Gram-Schmidt, ${size}`, value: svd / gramSchmidt });
    }
  },
});
