import type { EmbeddedTableau } from "./embedded-rk.js";

/** Local extrapolation: the step is that of order 5, the error is estimated by order 4. */
export const dormandPrinceTableau: EmbeddedTableau = {
  name: "dp5",
  reference:
    "Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19-26; dense output: Hairer, Norsett and Wanner, Solving ODEs I, section II.6",
  order: 5,
  errorOrder: 5,
  a: [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  ],
  b: [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
  c: [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1],
  errors: [[71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]],
  dense: [
    [
      -12715105075 / 11282082432,
      0,
      87487479700 / 32700410799,
      -10690763975 / 1880347072,
      701980252875 / 199316789632,
      -1453857185 / 822651844,
      69997945 / 29380423,
    ],
  ],
};
