import type { ReferenceRow } from "./benchmark-model.js";

// Computed by an independent implementation of Negrut's method: partitioned coordinates and SDIRK4,
// gamma = 4/15. Heights are those of the centre of mass of the chassis.

/** Height at which the vehicle rests on a level road. */
export const hmmwvSettledHeight = 0.710043173752916;

/**
 * The four eigenvalues of largest magnitude, all real, of the motion linearised at rest on a level
 * road and at the start: one for each bushing.
 */
export const hmmwvEigenvalues: Readonly<Record<"settled" | "design", ReferenceRow>> = {
  settled: [-259956.39547836845, -254884.1195326092, -217250.67604577032, -215861.91661543757],
  design: [-260770.46866511778, -255689.24649872066, -217338.55767332105, -215938.1624909363],
};

/** Heights while driving over the bump, at a tolerance of 1e-8: t, z. */
export const hmmwvHeights: readonly ReferenceRow[] = [
  [0.25, 0.7102462938562316],
  [0.5, 0.7103036786823114],
  [0.55, 0.7140477280639822],
  [0.6, 0.7216767422701785],
  [0.65, 0.722166848882851],
  [0.7, 0.7202386168976685],
  [0.8, 0.7137841305296659],
  [1.0, 0.7067087865658461],
  [1.25, 0.7096892246128813],
  [1.3, 0.717165854413829],
  [1.35, 0.7258548476281138],
  [1.4, 0.7227202975549093],
  [1.5, 0.7124260401805633],
  [2.0, 0.7099137604686528],
  [3.0, 0.7100584316688666],
  [4.0, 0.7100436525039281],
  [5.0, 0.710043173191652],
];

/** The highest point of the motion, when the rear wheels are on the bump: t, z. */
export const hmmwvPeak: readonly [time: number, height: number] = [
  1.35449808943575, 0.725909645288813,
];

/** Accepted steps for 5 s over the bump by tolerance, absolute and relative: tolerance, steps. */
export const hmmwvSteps: readonly ReferenceRow[] = [
  [0.01, 177],
  [0.001, 211],
  [0.0001, 270],
  [1e-5, 365],
  [1e-6, 567],
  [1e-7, 1338],
  [1e-8, 4743],
];

/**
 * Independent positions that complete pivoting chooses if rotations are scaled by a length and masses do not
 * count. With them steps are near those of the reference; our own choice, by masses as well, takes fewer at loose
 * tolerances, with smaller errors.
 */
export const hmmwvPartition: readonly string[] = [
  "rack e1",
  ...["front right", "front left", "rear right", "rear left"].flatMap((corner) =>
    ["e1", "e2", "e3"].map((turn) => `upper arm ${corner} ${turn}`),
  ),
  "spindle front right e2",
  "spindle front left e2",
  ...["x", "y", "z"].map((place) => `spindle rear left ${place}`),
];

/** RK4 was stable with the first of these steps and unstable with the second. */
export const hmmwvExplicitSteps: readonly [stable: number, unstable: number] = [1.05e-5, 1.1e-5];
