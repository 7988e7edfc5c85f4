import type { Tableau } from "./tableau.js";

export const midpointTableau: Tableau = {
  name: "midpoint",
  reference: "Runge, Math. Ann. 46 (1895) 167-178",
  order: 2,
  a: [[], [1 / 2]],
  b: [0, 1],
  c: [0, 1 / 2],
};
