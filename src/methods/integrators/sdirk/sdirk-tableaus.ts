import type { Named } from "../../../interfaces/index.js";

/**
 * gamma = 4/15: an L-stable method of this kind with a small error. Coefficients whose numerator or denominator is
 * not exactly representable are given as decimals.
 */
export const sdirk415Tableau: SdirkTableau = {
  name: "sdirk4-15",
  reference:
    "Hairer and Wanner, Solving ODEs II, section IV.6; Negrut, Haug and German, Multibody System Dynamics 9 (2003)",
  order: 4,
  errorOrder: 4,
  gamma: 4 / 15,
  c: [4 / 15, 23 / 30, 17 / 30, 707 / 1931, 1],
  alpha: [
    [],
    [15 / 8],
    [1577061 / 922880, -23427 / 115360],
    [0.2680325578937784, -593512117011179 / 3245291041943520, 559907973726451 / 1886325418129671],
    [
      724545451 / 796538880,
      -830832077 / 267298560,
      30957577 / 2509272,
      -69863904375173 / 6212571137048,
    ],
  ],
  embedded: [
    7752107607 / 11393456128,
    -17881415427 / 11470078208,
    2433277665 / 179459416,
    -96203066666797 / 6212571137048,
  ],
  guesses: [
    [23 / 8],
    [907973 / 922880, 45789 / 115360],
    [4349295166479305 / 6626614847094348, 0, 558706165466680 / 1656653711773587],
  ],
  dense: [
    [
      264288555637595 / 10680842944512,
      -15503117207965 / 3584224210944,
      535722773425 / 12941152128,
      -61.041446199017855,
      -682119 / 201136,
    ],
    [
      -51.98245719616864,
      704181908771699 / 66905518604288,
      -5321636152745 / 34509739008,
      214.30821253198255,
      165706491 / 11263616,
    ],
    [
      762462182266591 / 23004892495872,
      -152311966563257 / 7719867531264,
      11931113333855 / 51764608512,
      -287.6629744338197,
      -8230811 / 433216,
    ],
    [
      -392450447604375 / 66458578321408,
      905246655991875 / 66905518604288,
      -1353677821875 / 11503246336,
      134.39620810085503,
      97756875 / 11263616,
    ],
  ],
};

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

/**
 * Data of a stiffly accurate, singly diagonally implicit Runge-Kutta method. It is written in the displacements of
 * its stages, z_i = Y_i - y0, instead of their slopes: no slope of a stiff system, which is large and
 * inaccurate, is stored, and none is needed at the ends of steps.
 *
 *   z_i = sum_{j<i} alpha_ij z_j + h gamma f(t + c_i h, y0 + z_i),   alpha = I - gamma A^-1,   y1 = y0 + z_s
 */
export interface SdirkTableau extends Named {
  /** Order of accuracy. */
  readonly order: number;
  /** The difference from the embedded solution is O(h^errorOrder). */
  readonly errorOrder: number;
  /** The diagonal of A, all the same: one matrix is factored for all stages. */
  readonly gamma: number;
  /** Row i has the weights of the displacements before stage i. */
  readonly alpha: readonly (readonly number[])[];
  /** Times of the stages, in steps. */
  readonly c: readonly number[];
  /** Weights e_i of the embedded solution, y0 + sum e_i z_i over all stages except the last. */
  readonly embedded: readonly number[];
  /**
   * Weights of first guesses of z_i from the displacements before it, for the inner stages. The first stage is
   * extrapolated from the previous step, and the last is guessed by the embedded solution.
   */
  readonly guesses: readonly (readonly number[])[];
  /** Rows D_k of y(t + s h) = y0 + sum_k s^k sum_i D_ki z_i, k = 1, 2, 3, 4. */
  readonly dense: readonly (readonly number[])[];
}
