import type { EmbeddedTableau } from "./embedded-rk.js";

/**
 * Local extrapolation: the step is that of order 3, the error is estimated by order 2. Dense output is the cubic
 * Hermite polynomial, which has order 3.
 */
export const bogackiShampineTableau: EmbeddedTableau = {
  name: "bs3",
  reference: "Bogacki and Shampine, Appl. Math. Lett. 2 (1989) 321-325",
  order: 3,
  errorOrder: 3,
  a: [[], [1 / 2], [0, 3 / 4]],
  b: [2 / 9, 1 / 3, 4 / 9],
  c: [0, 1 / 2, 3 / 4],
  errors: [[-5 / 72, 1 / 12, 1 / 9, -1 / 8]],
  dense: [],
};
