import type { CompiledModel, Linearisation } from "nodrift/bodies";
import { solve } from "nodrift/solve";

/** Distance of the perturbed initial states. */
const PERTURBATION = 1e-5;

/**
 * Largest difference between small motions predicted by the linearisation and those of the equations of
 * motion, relative to the largest of these: the angle of a joint at a time, for each perturbed initial velocity.
 */
export function predictionError(
  system: CompiledModel,
  found: Linearisation,
  joint: string,
  time: number,
  { q, v }: { readonly q: Float64Array; readonly v: Float64Array } = system,
): number {
  const { A, basis, degreesOfFreedom } = found;
  const unwrappedAngles = new Float64Array(system.bodySystem().continuation.unwrappedAngles.count);
  const end = exponential(A, time);
  const angleOf = (u: Float64Array, factor: number) => {
    const start = v.map((x, i) => x + factor * u[i]!);
    const { status, end: last } = solve(system, { q, v: start, span: [0, time], tolerance: 1e-12 });
    if (status !== "finished") throw new Error(status);
    return last.joint(joint).angle!;
  };
  const rateOf = (u: Float64Array) =>
    system.state({ q, v: u, time: 0, unwrappedAngles }).joint(joint).angleRate!;
  const angles = basis.slice(0, degreesOfFreedom).map(rateOf);
  let [largest, worst] = [0, 0];
  for (let j = degreesOfFreedom; j < basis.length; j++) {
    const expected = angles.reduce((sum, c, i) => sum + c * end[i]![j]!, 0);
    const seen =
      (angleOf(basis[j]!, PERTURBATION) - angleOf(basis[j]!, -PERTURBATION)) / (2 * PERTURBATION);
    largest = Math.max(largest, Math.abs(seen));
    worst = Math.max(worst, Math.abs(seen - expected));
  }
  return worst / largest;
}

/** exp(A t) by scaling and squaring: a series for a short time, squared repeatedly. */
function exponential(A: readonly (readonly number[])[], t: number): number[][] {
  const n = A.length;
  const times = (x: readonly (readonly number[])[], y: readonly (readonly number[])[]) =>
    x.map((row) => y[0]!.map((_, j) => row.reduce((sum, value, k) => sum + value * y[k]![j]!, 0)));
  const halvings = 20;
  const short = A.map((row) => row.map((value) => (value * t) / 2 ** halvings));
  const unit = A.map((_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
  let sum: number[][] = unit;
  for (let k = 6; k > 0; k--) {
    const product = times(short, sum);
    sum = unit.map((row, i) => row.map((value, j) => value + product[i]![j]! / k));
  }
  for (let k = 0; k < halvings; k++) sum = times(sum, sum);
  return sum;
}
