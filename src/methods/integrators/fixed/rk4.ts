import type { Tableau } from "./tableau.js";

export const rk4Tableau: Tableau = {
  name: "rk4",
  reference: "Kutta, Z. Math. Phys. 46 (1901) 435-453",
  order: 4,
  a: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]],
  b: [1 / 6, 1 / 3, 1 / 3, 1 / 6],
  c: [0, 1 / 2, 1 / 2, 1],
};
