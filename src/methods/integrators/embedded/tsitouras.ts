import type { EmbeddedTableau } from "./embedded-rk.js";

/**
 * Local extrapolation: the step is that of order 5, the error is estimated by order 4. Among the pairs of orders 5
 * and 4 that fulfil only the first column of the usual simplifying conditions, this one has the smallest error of
 * order 6. Its coefficients are found by search and are not fractions. Dense output is the free one of the paper:
 * given the values and slopes of both ends, only the fourth power of s remains, which is the row below.
 *
 * Weights of the slopes in the error are b minus those of order 4, whose last is 1/66. The paper lists these
 * differences with the opposite sign.
 */
export const tsitourasTableau: EmbeddedTableau = {
  name: "tsit5",
  reference: "Tsitouras, Comput. Math. Appl. 62 (2011) 770-775",
  order: 5,
  errorOrder: 5,
  a: [
    [],
    [0.161],
    [-0.008480655492356989, 0.335480655492357],
    [2.8971530571054935, -6.359448489975075, 4.3622954328695815],
    [5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525],
    [
      5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401,
      -0.028269050394068383,
    ],
  ],
  b: [
    0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081,
    2.324710524099774,
  ],
  c: [0, 0.161, 0.327, 0.9, 0.9800255409045097, 1],
  errors: [
    [
      0.001780011052225777,
      0.0008164344596567469,
      -0.007880878010261995,
      0.1447110071732629,
      -0.5823571654525552,
      0.45808210592918697,
      -1 / 66,
    ],
  ],
  dense: [
    [
      -1.0530884977290216, 0.1017, 2.490627285651253, -16.548102889244902, 47.37952196281928,
      -34.87065786149661, 2.5,
    ],
  ],
};
