// Shared code of the figures of mechanisms: methods, and runs that monitor energy and constraints.

import { heun, type Method, projection, type Simulation, udwadiaKalaba } from "nodrift";
import { type BodySimulation, type CompileOptions, compile, type Model } from "nodrift/bodies";

export const projectedHeun: Method = {
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator: heun(),
};

/** A simulation of a model; without a given method by the default one. */
export async function start(
  model: Model,
  step: number,
  method?: Method,
  options?: CompileOptions,
): Promise<BodySimulation> {
  const compiled = await compile(model, options);
  return compiled.simulate({ step, ...(method && { method }) });
}

/** Monitored values of a run: largest errors after a step. */
export interface Watched {
  readonly violation: number;
  readonly energy: number;
}

/** Runs to a time and monitors constraints and energy; `each` may inspect more. */
export function watch<Run extends Simulation>(
  simulation: Run,
  until: number,
  each: (simulation: Run) => void = () => {},
): Watched {
  const { total } = simulation.energy();
  let [violation, energy] = [0, 0];
  simulation.runTo(until, () => {
    violation = Math.max(violation, simulation.constraintError().position);
    energy = Math.max(energy, Math.abs(simulation.energy().total - total));
    each(simulation);
  });
  return { violation, energy };
}

/** Largest difference of two states, with each body's Euler parameters up to their sign. */
export function stateError(
  { q, v }: { readonly q: ArrayLike<number>; readonly v: ArrayLike<number> },
  expected: { readonly q: readonly number[]; readonly v: readonly number[] },
): number {
  let worst = 0;
  for (let at = 0; at < q.length; at += 7) {
    let product = 0;
    for (let i = 3; i < 7; i++) product += q[at + i] * expected.q[at + i];
    for (let i = 0; i < 7; i++) {
      const sign = i > 2 && product < 0 ? -1 : 1;
      worst = Math.max(worst, Math.abs(sign * q[at + i] - expected.q[at + i]));
    }
  }
  for (let i = 0; i < v.length; i++) worst = Math.max(worst, Math.abs(v[i] - expected.v[i]));
  return worst;
}

/** Position of a point of a body, from its centre of mass and orientation in q. */
export function pointOf(q: ArrayLike<number>, body: number, arm: readonly number[]): number[] {
  const at = 7 * body;
  const [w, x, y, z] = [q[at + 3], q[at + 4], q[at + 5], q[at + 6]];
  const u = [x, y, z];
  const once = cross(u, arm);
  const twice = cross(u, once);
  return arm.map((value, i) => q[at + i] + value + 2 * (w * once[i] + twice[i]));
}

export function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, i) => value - b[i]));
}
