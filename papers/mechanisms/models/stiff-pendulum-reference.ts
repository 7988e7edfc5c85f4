import { rowsOf } from "../checks.js";
import type { ReferenceRow } from "./benchmark-model.js";

/**
 * The stiff double pendulum as two methods found it, which agree to 9e-11: t, theta1, theta2 and
 * their rates.
 */
export const stiffPendulumReference: readonly ReferenceRow[] = [
  [0.1, 6.067066513031779, 5.923642439659574, -5.792112369185844, -4.92927538539698],
  [0.25, 4.778703731920604, 4.720470822838664, -9.44226713103798, -9.093271297205334],
  [0.413557, 3.71965458018454, 3.69766214688513, -2.2863382114234705, -2.1564165185469433],
  [0.5, 3.7363754783895216, 3.7231547756132612, 2.5257755528722483, 2.603423091201806],
  [0.578444, 4.063483749887298, 4.055147425460595, 5.506492564748887, 5.5556558325822],
  [1.0, 5.161439799330777, 5.160924184973902, -3.606803134762077, -3.6030967486306746],
  [1.5, 4.615635626301588, 4.615535626058447, 2.8612829496381305, 2.861893214779392],
  [2.0, 4.640478183220456, 4.640496701687647, -1.6298924540897342, -1.630252715386158],
];

/** Eigenvalues of the motion linearised at the start: real and imaginary parts. */
export const stiffPendulumEigenvalues: readonly (readonly [re: number, im: number])[] = [
  [-99866.98983558065, 0.0],
  [-7.184987671990806, 0.0],
  [-1.3472465969521386, 6.875127988389862],
  [-1.3472465969521386, -6.875127988389862],
];

/** SDIRK4 of Hairer and Wanner, gamma = 4/15, for 2 s at a tolerance, absolute and relative. */
export interface StiffPendulumRun {
  /** Tolerance of the run. */
  readonly tolerance: number;
  /** Accepted steps of table III: in the two angles, and on constraints by partitioning. */
  readonly printed: { readonly angles: number; readonly partitioned: number };
  /** Accepted steps in the two angles, recomputed with a first step of 1e-6 s. */
  readonly steps: number;
  /** Largest errors of theta1 and its rate in that run. */
  readonly errors: readonly [position: number, velocity: number];
}

/**
 * Table III of Negrut et al., and runs that repeat it. Table II is omitted: its errors are larger
 * than those of the method from the initial state in the paper.
 */
export const stiffPendulumRuns: readonly StiffPendulumRun[] = /* @__PURE__ */ rowsOf(`
  0.01    31   29   31   2.7e-3   2.01e-2
  0.001   47   47   47   1.14e-4  7.31e-4
  0.0001  76   75   76   3.99e-5  2.83e-4
  1e-5    127  126  127  8.76e-7  1.01e-5
  1e-6    223  219  223  7.12e-7  5.79e-6
  1e-7    387  384  386  1.77e-8  1.26e-7
  1e-8    682  678  682  4.08e-9  2.93e-8
`).map((cells) => {
  const [tolerance = 0, angles = 0, partitioned = 0, steps = 0, ...errors] = cells.map(Number);
  return { tolerance, printed: { angles, partitioned }, steps, errors: errors as [number, number] };
});
