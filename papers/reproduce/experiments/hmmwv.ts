// The HMMWV of Negrut et al., section 5.2: driving over a bump, and at rest.

import { eigenvalues } from "../../../src/analysis/index.js";
import { type CompiledModel, compile } from "../../../src/bodies.js";
import { sdirk4, solve } from "../../../src/solve.js";
import { hmmwv, hmmwvPartition, hmmwvPeak } from "../../mechanisms/index.js";
import { inStateSpace } from "./methods.js";
import { StateSpaceJacobian } from "./state-space-jacobian.js";

const method = inStateSpace(sdirk4());
/** Times around the highest point, close enough to resolve it to 1e-6 m. */
const AROUND_PEAK = Array.from({ length: 101 }, (_, k) => hmmwvPeak[0] + (k - 50) * 4e-4);

/** Height of the HMMWV at rest on a level road, m, and the eigenvalue of largest magnitude there, 1/s. */
export async function settledHmmwv() {
  const source = await compile(hmmwv({ bump: false, speed: 0 }));
  const { end } = solve(source, { span: [0, 10], tolerance: 1e-6, output: "ends", method });
  return { height: end.body("chassis").position[2], eigenvalue: dominantEigenvalue(source, end) };
}

/**
 * The dominant eigenvalue of the motion in independent coordinates at a state, as implicit methods
 * have df/dy.
 */
export function dominantEigenvalue(
  source: CompiledModel,
  { q, v }: { readonly q: ArrayLike<number>; readonly v: ArrayLike<number> },
): number {
  const motion = new StateSpaceJacobian(source);
  motion.begin(q, v);
  return Math.min(...eigenvalues(motion.size, motion.ofMethods()).map(({ real }) => real));
}

/** Heights of the chassis in the first 2 s at some times, and the largest of all, at a tolerance of 1e-5. */
export function hmmwvHeightsAt(source: CompiledModel, asked: readonly number[]) {
  const times = [...asked, ...AROUND_PEAK].sort((a, b) => a - b);
  const solution = solve(source, { span: [0, 2], tolerance: 1e-5, output: { times }, method });
  const found = solution.body("chassis").position[2] as Float64Array;
  return {
    heights: asked.map((time) => found[times.indexOf(time)] as number),
    peak: Math.max(...found),
  };
}

/**
 * Relative offsets of tolerances, over which the median of the steps is reported. At 1e-2 a change of the tolerance by a millionth
 * leads to 131 to 171 steps: which iterations fail there depends on rounding.
 */
const NEARBY = [-1e-4, -1e-6, 0, 1e-6, 1e-4];

/**
 * Accepted steps for 5 s over the bump at a tolerance, with the independent coordinates of the reference and with our own choice;
 * NaN if a run fails.
 */
export function hmmwvStepsAt(source: CompiledModel, tolerance: number) {
  const takenAt = (near: number, given: typeof method) => {
    const options = { span: [0, 5], tolerance: near, output: "ends", method: given } as const;
    const { statistics, status } = solve(source, options);
    return status === "finished" ? statistics.steps : Number.NaN;
  };
  const taken = (given: typeof method) => {
    const counts = NEARBY.map((by) => takenAt(tolerance * (1 + by), given));
    if (counts.some(Number.isNaN)) return Number.NaN;
    return counts.sort((a, b) => a - b)[counts.length >> 1]!;
  };
  return { byLengths: taken(inStateSpace(sdirk4(), hmmwvPartition)), chosen: taken(method) };
}
