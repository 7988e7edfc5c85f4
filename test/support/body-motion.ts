// States of hand-made mechanisms: random and displaced ones, and finite differences along them.

import { exponential, product, rotationOf } from "../oracles/rotation.js";
import { GROUND, type MarkerSpec, type Mechanism, Want } from "./body-harness.js";
import { type Random, randomVector } from "./random.js";

export function randomQuaternion(random: Random): number[] {
  const e = randomVector(random, 4);
  const size = Math.hypot(...e);
  return size > 0.1 ? [...e].map((x) => x / size) : randomQuaternion(random);
}

export function randomMarker(random: Random, body: number): MarkerSpec {
  return { body, arm: [...randomVector(random, 3)], axes: rotationOf(randomQuaternion(random)) };
}

/** Markers of two bodies that both move, or one of which is the ground. */
export function randomPair(random: Random, index: number): [MarkerSpec, MarkerSpec] {
  const [a, b] = [
    [0, 1],
    [GROUND, 1],
    [1, GROUND],
  ][index % 3];
  return [randomMarker(random, a), randomMarker(random, b)];
}

/** A random pose and velocity of every body. */
export function randomise(random: Random, { q, v, spec }: Mechanism): void {
  for (let body = 0; body < spec.bodies; body++) {
    q.set(randomVector(random, 3), 7 * body);
    q.set(randomQuaternion(random), 7 * body + 3);
  }
  v.set(randomVector(random, v.length));
}

/** q displaced by `delta`: translations in the world, rotations in each body's frame. */
export function displaced(q: Float64Array, delta: ArrayLike<number>): Float64Array {
  const moved = q.slice();
  for (let body = 0; body < q.length / 7; body++) {
    const [at, from] = [7 * body, 6 * body];
    for (let i = 0; i < 3; i++) moved[at + i] += delta[from + i];
    const turn = exponential([delta[from + 3], delta[from + 4], delta[from + 5]]);
    moved.set(product(q.subarray(at + 3, at + 7), turn), at + 3);
  }
  return moved;
}

/** Evaluates everything wanted at the present state. */
export function evaluate({ kernels, table }: Mechanism, want: number): void {
  const status = kernels.bodyEvaluate(table, want);
  if (status !== 0) throw new Error(`the kinematics failed with ${status}`);
}

/** f'(0) with an error of fourth order. */
export function slope(f: (x: number) => Float64Array, h: number): Float64Array {
  const [far, near, less, least] = [f(2 * h), f(h), f(-h), f(-2 * h)];
  return near.map((_, i) => (8 * (near[i] - less[i]) - (far[i] - least[i])) / (12 * h));
}

/** f''(0) with an error of fourth order. */
export function curvature(f: (x: number) => Float64Array, h: number): Float64Array {
  const [far, near, here, less, least] = [f(2 * h), f(h), f(0), f(-h), f(-2 * h)];
  return here.map((x, i) => (16 * (near[i] + less[i]) - far[i] - least[i] - 30 * x) / (12 * h * h));
}

/** Largest difference relative to the largest magnitude, or to 1 if that is less. */
export function difference(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let scale = 1;
  let worst = 0;
  for (let i = 0; i < x.length; i++) {
    scale = Math.max(scale, Math.abs(y[i]));
    const error = Math.abs(x[i] - y[i]);
    worst = Number.isNaN(error) ? Number.POSITIVE_INFINITY : Math.max(worst, error);
  }
  return worst / scale;
}

/** The quantity under test: a value with its Jacobian, rate and gamma, after `evaluate`. */
export interface Subject {
  readonly value: () => Float64Array;
  readonly rate: () => Float64Array;
  readonly gamma: () => Float64Array;
  readonly jacobian: () => Float64Array[];
}

/** Largest errors of derivatives compared with finite differences. */
export function derivativeErrors(
  m: Mechanism,
  subject: Subject,
  setTime: (t: number) => void = () => {},
) {
  const q = m.q.slice();
  setTime(0);
  evaluate(m, ALL);
  m.kernels.bodyContinue(m.table);
  const jacobian = subject.jacobian();
  const [rate, gamma] = [subject.rate(), subject.gamma()];
  const displacedBy = (delta: Float64Array, want: number, read: () => Float64Array) => {
    m.q.set(displaced(q, delta));
    evaluate(m, want);
    m.q.set(q);
    return read();
  };
  const moved = (want: number, read: () => Float64Array) => (t: number) => {
    setTime(t);
    const result = displacedBy(
      m.v.map((x) => t * x),
      want,
      read,
    );
    setTime(0);
    return result;
  };
  let worst = 0;
  for (let j = 0; j < m.width; j++) {
    const column = slope((x) => {
      const delta = new Float64Array(m.width);
      delta[j] = x;
      return displacedBy(delta, Want.PHI, subject.value);
    }, STEP);
    worst = Math.max(
      worst,
      difference(
        column,
        Float64Array.from(jacobian, (row) => row[j]),
      ),
    );
  }
  const opposite = gamma.map((x) => -x);
  return {
    jacobian: worst,
    rate: difference(slope(moved(Want.PHI, subject.value), STEP), rate),
    gamma: difference(slope(moved(Want.RATES, subject.rate), STEP), opposite),
    gammaTwice: difference(curvature(moved(Want.PHI, subject.value), LONG_STEP), opposite),
  };
}

export const ALL = Want.PHI | Want.JACOBIAN | Want.RATES;

/** Step of first and second differences, at which truncation and rounding are about equal. */
export const STEP = 5e-4;
const LONG_STEP = 2e-3;

/** The rows of a mechanism as a subject. */
export function rowsOf(m: Mechanism): Subject {
  return {
    value: () => m.phi.slice(),
    rate: () => m.phiDot.slice(),
    gamma: () => m.gamma.slice(),
    jacobian: m.jacobian,
  };
}

/** Keeps the largest of every error. */
export function worstOf<T extends Record<string, number>>(errors: readonly T[]): T {
  const names = Object.keys(errors[0]);
  return Object.fromEntries(
    names.map((name) => [name, Math.max(...errors.map((error) => error[name]))]),
  ) as T;
}
