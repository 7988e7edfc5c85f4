// An integrator bound to y' = f(t, y) written in JavaScript, and what a driver does with it.

import type { AdaptiveIntegrator, AdaptiveStepper } from "nodrift";
import { type Arena, initSync, Workspace } from "nodrift/kernels";

export type Rate = (t: number, y: Float64Array, out: Float64Array) => void;

export interface BoundOde {
  readonly arena: Arena;
  readonly stepper: AdaptiveStepper;
  readonly y: Float64Array;
  /** Calls of the rate. */
  evaluations: number;
  /** Attempt, accept, commit. */
  fixedStep(t: number, h: number): void;
  /** Attempt, accept and judge: the largest error over `tolerance` (1 + |y|). */
  judgedStep(t: number, h: number, tolerance: number): number;
  /** Restores y to the beginning of the last error-tested step. */
  refuse(): void;
  /** After a judged step: y(t + s h) from the interpolant. */
  between(t: number, h: number, s: readonly number[]): number[][];
}

/** `correct` changes y after every step, as a projection does. */
export function boundOde(
  integrator: AdaptiveIntegrator,
  rate: Rate,
  start: readonly number[],
  correct: (y: Float64Array) => void = () => {},
): BoundOde {
  const n = start.length;
  const workspace = new Workspace(initSync);
  const y = workspace.reserve("y", n);
  const trial = workspace.reserve("trial", n);
  const before = workspace.reserve("before", n);
  const view = { y: new Float64Array(), trial: new Float64Array(), before: new Float64Array() };
  const stepper = integrator.bind(
    {
      dimension: n,
      positions: n,
      y: y.address,
      trial: trial.address,
      rate(t, out) {
        bound.evaluations++;
        rate(t, view.trial, arena.floats({ name: "slope", address: out, slots: n }));
      },
      tolerate() {},
    },
    workspace,
  );
  const rows = workspace.reserve("rows", n * stepper.interpolantRows);
  const arena = workspace.seal();
  view.y = arena.floats(y);
  view.trial = arena.floats(trial);
  view.before = arena.floats(before);
  view.y.set(start);

  const size = (i: number) => Math.max(Math.abs(view.before[i]), Math.abs(view.y[i]));
  const bound: BoundOde = {
    arena,
    stepper,
    y: view.y,
    evaluations: 0,
    fixedStep(t, h) {
      stepper.attempt(t, h);
      stepper.accept();
      correct(view.y);
      stepper.commit(t, h);
    },
    judgedStep(t, h, tolerance) {
      view.before.set(view.y);
      stepper.attempt(t, h);
      stepper.accept();
      correct(view.y);
      return stepper.error(t, h, (address) => {
        const error = arena.floats({ name: "error", address, slots: n });
        return meanSquareRoot(error.map((e, i) => e / (tolerance + tolerance * size(i))));
      });
    },
    refuse: () => view.y.set(view.before),
    between(t, h, s) {
      stepper.interpolant(t, h, before.address, rows.address);
      const c = arena.floats(rows);
      return s.map((place) =>
        Array.from({ length: n }, (_, i) => nested((row) => c[row * n + i], place, stepper)),
      );
    },
  };
  return bound;
}

function meanSquareRoot(values: Float64Array): number {
  return Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);
}

/** c0 + s (c1 + (1 - s) (c2 + s (c3 + ...))). */
function nested(c: (row: number) => number, s: number, { interpolantRows }: AdaptiveStepper) {
  let value = 0;
  for (let row = interpolantRows - 1; row > 0; row--) {
    value = (row % 2 === 1 ? s : 1 - s) * (c(row) + value);
  }
  return c(0) + value;
}

export interface Run {
  readonly steps: number;
  readonly refused: number;
  /** Highest order used. */
  readonly highest: number;
}

/** Steps controlled by the error, with the exponent of the contract. `h` is the first step and sets the direction. */
export function integrate(
  ode: BoundOde,
  from: number,
  to: number,
  h: number,
  tolerance: number,
): Run {
  let t = from;
  let steps = 0;
  let refused = 0;
  let highest = 0;
  while (t !== to) {
    if (Math.abs(h) >= Math.abs(to - t) * (1 - 1e-12)) h = to - t;
    const error = ode.judgedStep(t, h, tolerance);
    const order = ode.stepper.currentOrder ?? 0;
    const factor = 0.9 * error ** (-1 / (order + 1));
    const length = h;
    h *= Math.min(error <= 1 ? 5 : 1, Math.max(0.2, factor));
    if (error <= 1) {
      ode.stepper.commit(t, length);
      highest = Math.max(highest, order);
      t = length === to - t ? to : t + length;
      steps++;
    } else {
      ode.refuse();
      refused++;
    }
  }
  return { steps, refused, highest };
}
