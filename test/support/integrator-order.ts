// Orders of adaptive integrators, measured by stepping through a motion known in closed form, which is
// nonlinear and depends on time.

import type { AdaptiveIntegrator, AdaptiveStepper, Ode } from "nodrift";
import { initSync, Workspace } from "nodrift/kernels";

export interface IntegratorOrders {
  /** Order of the largest error at the ends of the steps of a run. */
  readonly global: number;
  /**
   * Order of the largest error of dense output in a run: the lower one of the order of the
   * method and q + 1, where q is the order of dense output. Its own error is that of one step,
   * O(h^(q + 1)), and is added to the error of the run, O(h^order).
   */
  readonly dense: number;
  /** Order of the error estimate of one step from the exact motion, the largest of several steps. */
  readonly estimate: number;
}

/** y' = f(t, y) with a known solution. */
export interface Motion {
  readonly dimension: number;
  exact(t: number, index: number): number;
  rate(t: number, y: Float64Array, out: Float64Array): void;
}

const PHASES = [0, 1, 2];
const SPAN = 2;
/** Tolerance of iterative methods, below the measured errors. */
const ALLOWED = 1e-13;
/** Points inside a step at which dense output is compared. */
const INSIDE = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/**
 * y' = g' y log z, z' = -g' z log y with g = t + t^2 / 4: y = exp(sin(g + phase)),
 * z = exp(cos(g + phase)).
 */
export const swings: Motion = {
  dimension: 2 * PHASES.length,
  exact(t, index) {
    const angle = t + (t * t) / 4 + PHASES[index >> 1];
    return Math.exp(index % 2 === 0 ? Math.sin(angle) : Math.cos(angle));
  },
  rate(t, y, out) {
    for (let i = 0; i < y.length; i += 2) {
      out[i] = (1 + t / 2) * y[i] * Math.log(y[i + 1]);
      out[i + 1] = -(1 + t / 2) * y[i + 1] * Math.log(y[i]);
    }
  },
};

/** A bound integrator and its operations. */
export interface BoundIntegrator {
  readonly stepper: AdaptiveStepper;
  /** The accepted y. */
  readonly y: Float64Array;
  /** Evaluations of f so far. */
  readonly evaluations: number;
  /** Writes the exact motion at t to y, and resets the history. */
  begin(t: number): void;
  /** Takes a step, not yet error-tested. */
  advance(t: number, h: number): void;
  /** Error-tests it: returns the largest component of the estimate. */
  judge(t: number, h: number): number;
  /** Writes the interpolant of the last error-tested step. */
  prepareDense(t: number, h: number): void;
  /** A component of the interpolant at t + s h. */
  dense(s: number, index: number): number;
}

/** Binds an integrator to a motion. */
export function bindToMotion(integrator: AdaptiveIntegrator, motion = swings): BoundIntegrator {
  const n = motion.dimension;
  const workspace = new Workspace(initSync);
  const pieces = ["y", "trial", "before"].map((name) => workspace.reserve(name, n));
  const [yAddress, trialAddress, beforeAddress] = pieces.map(({ address }) => address);
  const slope = new Float64Array(n);
  let evaluations = 0;
  const ode: Ode = {
    dimension: n,
    positions: n,
    y: yAddress,
    trial: trialAddress,
    rate(t, out) {
      evaluations++;
      motion.rate(t, trial, slope);
      memory.set(slope, out / 8);
    },
    tolerate() {},
  };
  const stepper = integrator.bind(ode, workspace);
  // Only methods with their own step rule iterate, and use the given tolerance. Multistep methods begin with substeps
  // if steps are fixed.
  const tolerance = { relative: 0, positions: ALLOWED, velocities: ALLOWED };
  if (stepper.rule) stepper.setTolerance(tolerance, integrator.isMultistep);
  const unit = stepper.rule ? ALLOWED : 1;
  const rows = workspace.reserve("interpolant", n * stepper.interpolantRows);
  const arena = workspace.seal();
  const memory = new Float64Array(arena.memory.buffer);
  const [y, trial, before, interpolant] = [...pieces, rows].map((piece) => arena.floats(piece));
  const largest = (error: number) => arena.kernels.largestMagnitude(n, error);
  return {
    stepper,
    y,
    get evaluations() {
      return evaluations;
    },
    begin(t) {
      for (let i = 0; i < n; i++) y[i] = motion.exact(t, i);
      stepper.reset();
    },
    advance(t, h) {
      before.set(y);
      stepper.attempt(t, h);
      stepper.accept();
    },
    judge: (t, h) => unit * stepper.error(t, h, largest),
    prepareDense: (t, h) => stepper.interpolant(t, h, beforeAddress, rows.address),
    dense(s, index) {
      let value = 0;
      for (let j = stepper.interpolantRows - 1; j > 0; j--) {
        value = (j % 2 === 1 ? s : 1 - s) * (interpolant[j * n + index] + value);
      }
      return interpolant[index] + value;
    },
  };
}

/** The largest |value - exact| of all components at t. */
function deviation(t: number, value: (index: number) => number): number {
  let worst = 0;
  for (let i = 0; i < swings.dimension; i++) {
    worst = Math.max(worst, Math.abs(value(i) - swings.exact(t, i)));
  }
  return worst;
}

/** Largest errors of a run: at the ends of steps, and of dense output within them. */
function runErrors(bound: BoundIntegrator, steps: number): { ends: number; within: number } {
  const h = SPAN / steps;
  let ends = 0;
  let within = 0;
  bound.begin(0);
  for (let k = 0; k < steps; k++) {
    const t = k * h;
    bound.advance(t, h);
    bound.judge(t, h);
    bound.prepareDense(t, h);
    for (const s of INSIDE) {
      const error = deviation(t + s * h, (i) => bound.dense(s, i));
      within = Math.max(within, error);
    }
    bound.stepper.commit(t, h);
    const error = deviation(t + h, (i) => bound.y[i]);
    ends = Math.max(ends, error);
  }
  return { ends, within };
}

/** The largest estimate of single steps, each from the exact motion. */
function largestEstimate(bound: BoundIntegrator, steps: number): number {
  let worst = 0;
  for (let t = 0; t < SPAN; t += SPAN / 16) {
    bound.begin(t);
    bound.advance(t, SPAN / steps);
    worst = Math.max(worst, bound.judge(t, SPAN / steps));
  }
  return worst;
}

/** An error of steps of some length. */
interface Point {
  readonly h: number;
  readonly error: number;
}

/**
 * The exponent p of errors ~ h^p, by least squares over ever shorter steps whose errors are small enough to be asymptotic
 * and large enough to stand clear of rounding.
 *
 * Errors of explicit one-step methods are clean down to rounding: there the fit is h^p (1 + d h) over all such steps.
 * A method with a small leading error term shows the next order in long steps, and would look better than it is.
 * Residuals of iterations, and errors accumulated over steps, exceed rounding in other methods: of these the first
 * five steps count.
 */
function fittedOrder(
  { stepper }: BoundIntegrator,
  isClean: boolean,
  errorWith: (steps: number) => number,
): number {
  const small = stepper.rule ? 3e-7 : 1e-8;
  const most = isClean ? Number.POSITIVE_INFINITY : 5;
  const points: Point[] = [];
  for (let k = 4; k < 30 && points.length < most; k++) {
    const steps = Math.round(2 ** (k / 2));
    const error = unlessRefused(() => errorWith(steps));
    if (error < 3e-14) break;
    if (error < small) points.push({ h: SPAN / steps, error });
  }
  const left = (of: (point: Point) => number) =>
    isClean
      ? without(
          centred(points, ({ h }) => h),
          centred(points, of),
        )
      : centred(points, of);
  const [x, y] = [left(({ h }) => Math.log(h)), left(({ error }) => Math.log(error))];
  return product(x, y) / product(x, x);
}

function centred(points: readonly Point[], of: (point: Point) => number): number[] {
  const mean = points.reduce((sum, point) => sum + of(point), 0) / points.length;
  return points.map((point) => of(point) - mean);
}

/** Values less their best multiple of others. */
function without(others: readonly number[], values: readonly number[]): number[] {
  const factor = product(values, others) / product(others, others);
  return values.map((value, i) => value - factor * others[i]);
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** Iterations may not converge in long steps, which are then ignored. */
function unlessRefused(measure: () => number): number {
  try {
    return measure();
  } catch (error) {
    if (error instanceof Error && error.name === "StepFailure") return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** Measures an integrator of one order. */
export function integratorOrders(integrator: AdaptiveIntegrator): IntegratorOrders {
  const bound = bindToMotion(integrator);
  const isClean = !integrator.isImplicit && !integrator.isMultistep;
  return {
    global: fittedOrder(bound, isClean, (steps) => runErrors(bound, steps).ends),
    dense: fittedOrder(bound, isClean, (steps) => runErrors(bound, steps).within),
    estimate: fittedOrder(bound, isClean, (steps) => largestEstimate(bound, steps)),
  };
}

/** Variable order: there is no single order to measure. */
export function changesOrder(integrator: AdaptiveIntegrator): boolean {
  return integrator.isMultistep;
}
