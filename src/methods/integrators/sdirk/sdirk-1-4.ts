import type { SdirkTableau } from "./tableau.js";

/** gamma = 1/4: the method with simple coefficients. */
export const sdirk14Tableau: SdirkTableau = {
  name: "sdirk4-quarter",
  reference: "Hairer and Wanner, Solving ODEs II, section IV.6",
  order: 4,
  errorOrder: 4,
  gamma: 1 / 4,
  c: [1 / 4, 3 / 4, 11 / 20, 1 / 2, 1],
  alpha: [
    [],
    [2],
    [42 / 25, -4 / 25],
    [89 / 68, -25 / 136, 15 / 136],
    [-37 / 12, -103 / 24, 275 / 8, -85 / 3],
  ],
  embedded: [-23 / 6, -17 / 12, 125 / 4, -85 / 3],
  guesses: [[3], [22 / 25, 11 / 25], [3 / 17, 0, 155 / 187]],
  dense: [
    [61 / 27, -185 / 54, 2525 / 18, -3740 / 27, -44 / 9],
    [2315 / 81, 1049 / 162, -27725 / 54, 40460 / 81, 557 / 27],
    [-6178 / 81, -1607 / 81, 20075 / 27, -56440 / 81, -718 / 27],
    [3680 / 81, 1360 / 81, -10000 / 27, 27200 / 81, 320 / 27],
  ],
};
