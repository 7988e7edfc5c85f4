// Radau IIA of order 5 (Hairer and Wanner, Solving ODEs II, 2nd ed., section IV.8). Stages z_i = Y_i - y
// solve Z = h A F. With the real eigenvalue g of A^-1, the pair a +- i b and T^-1 A^-1 T = L, W = T^-1 Z,
//
//   (I - h / g J) dW_1 = h (T^-1 A F)_1 - W_1
//   (I - h / (a + i b) J) (dW_2 + i dW_3) = h (T^-1 A F)_2 - W_2 + i (h (T^-1 A F)_3 - W_3)
//
// is a step of simplified Newton iterations, since T^-1 A = L^-1 T^-1.

const ROOT = Math.sqrt(6);

/** Where the stages lie in a step. */
export const NODES = [(4 - ROOT) / 10, (4 + ROOT) / 10, 1] as const;

/** Eigenvalues of A^-1. Decimals, for engines differ in the last bit of cube roots. */
export const REAL = 3.637834252744496;
export const PAIR = { real: 2.6810828736277523, imaginary: 3.0504301992474105 } as const;

type Rows = readonly (readonly [number, number, number])[];

export const T: Rows = [
  [0.09123239487089295, -0.1412552950209542, -0.030029194105147424],
  [0.241717932707107, 0.20412935229379994, 0.3829421127572619],
  [0.966048182615093, 1, 0],
];

export const T_INVERSE: Rows = [
  [4.325579890063155, 0.33919925181580984, 0.5417705399358749],
  [-4.178718591551905, -0.32768282076106237, 0.47662355450055044],
  [-0.5028726349457868, 2.571926949855605, -0.5960392048282249],
];

/** 1 / (a + i b): h times this shifts the complex system. */
const SQUARE = PAIR.real * PAIR.real + PAIR.imaginary * PAIR.imaginary;
export const SHIFT = { real: PAIR.real / SQUARE, imaginary: -PAIR.imaginary / SQUARE } as const;

/** L^-1 T^-1 = T^-1 A: weights of the slopes. */
export const T_INVERSE_A: Rows = [
  combination(1 / REAL, 0, 0),
  combination(0, SHIFT.real, -SHIFT.imaginary),
  combination(0, SHIFT.imaginary, SHIFT.real),
];

/** Rows of T^-1, combined. */
function combination(first: number, second: number, third: number): [number, number, number] {
  const [a, b, c] = T_INVERSE as [Rows[0], Rows[0], Rows[0]];
  const at = (k: 0 | 1 | 2) => first * a![k] + second * b![k] + third * c![k];
  return [at(0), at(1), at(2)];
}

/**
 * Weights of the stages in the estimate of the error, (I - h / g J)^-1 (h / g f(t, y) + sum e_i z_i): the
 * difference to a formula of order 3 that uses the slope at the beginning, and thus 1 / g times that between
 * h f(t, y) and the slope there of the polynomial through the stages (equation 8.19).
 */
export const ERROR = [
  -(13 + 7 * ROOT) / (3 * REAL),
  (-13 + 7 * ROOT) / (3 * REAL),
  -1 / (3 * REAL),
] as const;

/** The last row of A^-1. */
export const END = [(8 * ROOT - 3) / 3, -(8 * ROOT + 3) / 3, 5] as const;

/**
 * Rows 2 and 3 of the polynomial through y and the stages in the nested form of dense output, as weights of the
 * stages: (z_i / c_i - z_3) / (1 - c_i) = row 2 + c_i row 3 for i = 1, 2.
 */
export const DENSE: Rows = denseRows();

function denseRows(): Rows {
  const [c1, c2] = NODES;
  const first = [1 / (c1 * (1 - c1)), 0, -1 / (1 - c1)] as const;
  const second = [0, 1 / (c2 * (1 - c2)), -1 / (1 - c2)] as const;
  const rise = (k: 0 | 1 | 2) => (second[k] - first[k]) / (c2 - c1);
  const base = (k: 0 | 1 | 2) => first[k] - c1 * rise(k);
  return [
    [base(0), base(1), base(2)],
    [rise(0), rise(1), rise(2)],
  ];
}

/**
 * The slope of that polynomial is f at the stages. It is given that at the beginning, too, and the polynomial one
 * order more, by adding d s (1 - s)^2 (1 - 5 s / 2), with d = h f(t, y) - its slope there: that has the slope 1
 * at 0, 0 at the stages, and vanishes at both ends. Rows 2, 3 and 4 get these multiples of the estimate of the
 * error, which is d / g without the stiff parts.
 */
export const SLOPE_ROWS = [REAL, -REAL, -2.5 * REAL] as const;
