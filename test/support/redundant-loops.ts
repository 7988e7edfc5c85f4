// All methods of all registries on redundant constraints: a method accepts them with correct results, or rejects
// them, consistently at every step size. The pivot that falls to rounding must not matter.

import {
  type CoupledMethod,
  coupledMethods,
  equations,
  type Formulation,
  formulations,
  type Method,
  rk4,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { type CompiledModel, type Model, model } from "nodrift/bodies";
import { directFormulations, directMethods, radau5, stateSpace } from "nodrift/solve";
import { type LoopClass, loopsOf } from "../reference/loops.js";
import type { Mechanism } from "../reference/mechanism.js";
import { stateDistance, stateOf } from "../reference/nodrift-model.js";
import { solutionOf } from "../reference/solution.js";
import { type Random, seeded } from "./random.js";

/** Step sizes, and the duration of motions: ten of the longest steps. */
export const STEPS = [2e-3, 1e-3, 5e-4] as const;
export const SECONDS = 0.02;
/** Allowed difference from the trusted motion for methods of order 4 and more. */
export const AGREED = 1e-8;

export interface RedundantLoop {
  readonly mechanism: Mechanism;
  /** After {@link SECONDS}, by the reference. */
  readonly end: { readonly q: number[]; readonly v: number[] };
}

/** Random loops with redundant rows: planar ones, overconstrained spatial ones, and several loops in one mechanism. */
export function* redundantLoops(
  counts: Readonly<Partial<Record<LoopClass, number>>>,
): Generator<RedundantLoop> {
  for (const [loopClass, count] of Object.entries(counts) as [LoopClass, number][]) {
    let found = 0;
    for (const { mechanism, solution } of loopsOf(loopClass, Number.POSITIVE_INFINITY)) {
      if (solution.motion.rows(solution.start).length === solution.rank) continue;
      yield { mechanism, end: stateOf(solutionOf(mechanism, SECONDS).end) };
      if (++found === count) break;
    }
  }
}

export interface NamedMethod {
  readonly name: string;
  readonly method: Method;
  /** Order of its motion. */
  readonly order: number;
  readonly isApproximate: boolean;
}

const coupled = (method: CoupledMethod): NamedMethod => ({
  name: method.name,
  method: { coupled: method },
  order: method.order,
  isApproximate: false,
});

const formulated = (formulation: Formulation): NamedMethod => ({
  name: formulation.name,
  method: { formulation, integrator: formulation.index ? radau5() : rk4() },
  // Velocities of the index-3 form are of order 3 with radau5 (Hairer and Wanner, section VII.4).
  order: formulation.index === 3 ? 3 : 4,
  isApproximate: formulation.isApproximate ?? false,
});

/** Every formulation and every coupled method. */
export const everyMethod: readonly NamedMethod[] = [
  ...[...formulations, stateSpace(), ...directFormulations].map(formulated),
  ...[...coupledMethods, ...directMethods].map(coupled),
];

/** Outcome of a method at each of {@link STEPS}: its error, or the code of its rejection. */
export type Outcome = readonly (number | string)[];

/** All steps are shorter by `divisor`. */
export function outcomeOf(run: (step: number) => number, divisor = 1): Outcome {
  return STEPS.map((step) => {
    try {
      return run(step / divisor);
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  });
}

export function loopOutcome(
  compiled: CompiledModel,
  { end }: RedundantLoop,
  { method }: NamedMethod,
  divisor?: number,
): Outcome {
  return outcomeOf(
    (step) => stateDistance(compiled.simulate({ step, method }).runTo(SECONDS), end),
    divisor,
  );
}

/**
 * Whether an outcome is reliable: the same rejection at every step size, or errors within
 * {@link AGREED}. Larger errors are truncation errors if they fall with the step by the order of the method, minus
 * 1/2 for steps that are not yet short. A penalty is not exact at any step size; its differences from its result at
 * the shortest step must fall this way.
 */
export function isAlike(outcome: Outcome, { order, isApproximate }: NamedMethod): boolean {
  const refusals = outcome.filter((one) => typeof one === "string");
  if (refusals.length > 0) {
    return refusals.length === STEPS.length && new Set(refusals).size === 1;
  }
  const errors = outcome as readonly number[];
  if (errors.every((error) => error <= AGREED)) return true;
  const falls = 2 ** (order - 0.5);
  if (isApproximate) {
    const [first, second] = errors.map((error) => Math.abs(error - errors.at(-1)!));
    return first! <= AGREED || second! <= first! / falls;
  }
  return errors.every(
    (error, i) => error <= AGREED || (i > 0 ? error <= errors[i - 1]! / falls : true),
  );
}

/**
 * Equations whose last rows are combinations of the others, with factors that depend on q: redundant if the others
 * hold.
 */
export interface RedundantEquations {
  readonly plain: ReturnType<typeof equations>;
  readonly redundant: ReturnType<typeof equations>;
  readonly q: number[];
  readonly v: number[];
}

/** Particles on random quadrics through their initial positions. */
export function redundantEquations(seed: number): RedundantEquations {
  const random = seeded(seed);
  const n = 5 + (seed % 4);
  const rows = 2 + (seed % 3);
  const more = 1 + (seed % 2);
  const numbers = (count: number) => Array.from({ length: count }, () => random());
  const mass = numbers(n).map((x) => 2 + x);
  const slopes = Array.from({ length: rows }, () => numbers(n));
  const bends = Array.from({ length: rows }, () => numbers(n).map((x) => 0.5 * x));
  const factors = Array.from({ length: more }, () =>
    Array.from({ length: rows }, () => ({ at: 1 + random(), along: numbers(n) })),
  );
  const force = numbers(n).map((x) => 5 * x);
  const value = (i: number, q: ArrayLike<number>) =>
    slopes[i]!.reduce((sum, s, j) => sum + s * q[j]! + bends[i]![j]! * q[j]! * q[j]!, 0);
  const slope = (i: number, j: number, q: ArrayLike<number>) =>
    slopes[i]![j]! + 2 * bends[i]![j]! * q[j]!;
  const factor = (k: number, i: number, q: ArrayLike<number>) => {
    const { at, along } = factors[k]![i]!;
    return along.reduce((sum, a, j) => sum + a * q[j]!, at);
  };
  const made = (extra: number) =>
    equations({
      coordinates: n,
      mass,
      forces: (_q, v, out) => {
        for (let j = 0; j < n; j++) out[j] = force[j]! - 0.1 * v[j]!;
      },
      holonomic: {
        rows: rows + extra,
        value: (q, out) => {
          for (let i = 0; i < rows; i++) out[i] = value(i, q);
          for (let k = 0; k < extra; k++) {
            out[rows + k] = 0;
            for (let i = 0; i < rows; i++) out[rows + k] += factor(k, i, q) * value(i, q);
          }
        },
        jacobian: (q, out) => {
          for (let j = 0; j < n; j++) {
            for (let i = 0; i < rows; i++) out[i * n + j] = slope(i, j, q);
            for (let k = 0; k < extra; k++) {
              let sum = 0;
              for (let i = 0; i < rows; i++) {
                sum += factor(k, i, q) * slope(i, j, q);
                sum += factors[k]![i]!.along[j]! * value(i, q);
              }
              out[(rows + k) * n + j] = sum;
            }
          }
        },
      },
    });
  return {
    plain: made(0),
    redundant: made(more),
    q: new Array<number>(n).fill(0),
    v: tangent(random, slopes, n),
  };
}

/** A velocity along the constraints at q = 0, by Gram and Schmidt. */
function tangent(random: Random, slopes: readonly number[][], n: number): number[] {
  const basis: number[][] = [];
  const off = (x: number[]) => {
    for (let round = 0; round < 2; round++) {
      for (const b of basis) {
        const part = b.reduce((sum, s, j) => sum + s * x[j]!, 0);
        x = x.map((s, j) => s - part * b[j]!);
      }
    }
    return x;
  };
  for (const row of slopes) {
    const rest = off([...row]);
    const size = Math.sqrt(rest.reduce((sum, s) => sum + s * s, 0));
    basis.push(rest.map((s) => s / size));
  }
  return off(Array.from({ length: n }, () => random()));
}

export function equationOutcome(
  { plain, redundant, q, v }: RedundantEquations,
  { method }: NamedMethod,
  divisor?: number,
): Outcome {
  const trusted = simulate(plain, {
    method: { formulation: udwadiaKalaba({ solver: "cod" }), integrator: rk4() },
    step: 1e-3,
    q,
    v,
  }).runTo(SECONDS);
  const known = [...trusted.q, ...trusted.v];
  return outcomeOf((step) => {
    const end = simulate(redundant, { method, step, q, v }).runTo(SECONDS);
    return [...end.q, ...end.v].reduce(
      (most, x, i) => Math.max(most, Math.abs(x - known[i]!) / (1 + Math.abs(known[i]!))),
      0,
    );
  }, divisor);
}

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;

type Point = readonly [number, number, number];

const middle = (a: Point, b: Point): Point => [
  (a[0] + b[0]) / 2,
  (a[1] + b[1]) / 2,
  (a[2] + b[2]) / 2,
];

/** Seven hinges in a ring, at points of a grid and along its axes: many begin at or near a singular pose. */
export function hingesOnGrid(seed: number): Model {
  const any = seeded(seed);
  const random = () => (any() + 1) / 2;
  const whole = (count: number) => Math.min(count - 1, Math.floor(count * random()));
  const m = model({ name: `hinges ${seed}` });
  const place = () => whole(4) - 1.5;
  const points = Array.from({ length: 7 }, () => [place(), place(), place()] as const);
  const links = [m.ground];
  for (let i = 0; i < 6; i++) {
    links.push(
      m.body({
        name: `link ${i}`,
        mass: 0.5 + random(),
        inertia: [0.1 + 0.05 * random(), 0.1 + 0.05 * random(), 0.1 + 0.05 * random()],
        position: middle(points[i]!, points[i + 1]!),
      }),
    );
  }
  links.push(m.ground);
  for (const [i, at] of points.entries()) {
    const along = whole(3);
    const axis = AXES[along]!;
    m.revolute({ name: `hinge ${i}`, between: [links[i]!, links[i + 1]!], at, axis });
  }
  return m;
}
