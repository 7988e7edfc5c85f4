import type { Tableau } from "./tableau.js";

/** The trapezoidal rule made explicit: the second-order Runge-Kutta method of Welch's comparison. */
export const heunTableau: Tableau = {
  name: "heun",
  reference: "Heun, Z. Math. Phys. 45 (1900) 23-38",
  order: 2,
  a: [[], [1]],
  b: [1 / 2, 1 / 2],
  c: [0, 1],
};
