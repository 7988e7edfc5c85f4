// The state space of a model, opened: its rate, its Jacobian in numbers, and differences of the rate.

import { type CompiledModel, type CompileOptions, compile, type Model } from "nodrift/bodies";
import type { PiForm } from "../../../src/methods/state-space/state-space.js";
import { bindStateSpace } from "../../../src/methods/state-space/state-space.js";
import { naiveInverse } from "../../oracles/lu.js";
import { type Random, randomVector } from "../../support/random.js";

export type Opened = Awaited<ReturnType<typeof openStateSpace>>;

/** How far the independent positions and velocities are moved from the start. */
export interface Spread {
  readonly positions: number;
  readonly velocities: number;
}

export async function openStateSpace(model: Model, options: CompileOptions = {}) {
  return open(await compile(model, { coordinates: "maximal", ...options }));
}

/** With the sparse matrix, however few degrees of freedom there are. */
export async function openSparse(model: Model, options: CompileOptions = {}) {
  return open(await compile(model, { coordinates: "maximal", ...options }), true);
}

function open(compiled: CompiledModel, sparse?: boolean) {
  const system = compiled.system();
  const { workspace, state } = system;
  const { positions, velocities } = system.coordinates;
  const bound = bindStateSpace(system, undefined, 1e-12, sparse);
  const { ode } = bound;
  if (!ode?.jacobian) throw new Error("the formulation gives no Jacobian");
  const jacobian = ode.jacobian();
  const [real, complex] = [jacobian.shifted(false), jacobian.shifted(true)];
  const { dimension } = ode;
  const n = dimension / 2;
  const [f, b] = [workspace.vector("rate", dimension), workspace.vector("right", 2 * dimension)];
  const arena = workspace.seal();
  const view = (address: number, slots: number) =>
    arena.floats({ name: "numbers", address, slots });
  const [trial, rates, right] = [
    view(ode.trial, dimension),
    view(f, dimension),
    view(b, 2 * dimension),
  ];
  const start = view(ode.y, dimension);

  /** Begins at a state. Returns whether that changed the partition. */
  function begin(t: number, q: ArrayLike<number>, v: ArrayLike<number>): boolean {
    view(state.q, positions + velocities).set([...Array.from(q), ...Array.from(v)]);
    system.continuation.beginStep?.(t, 0);
    return bound.beginStep?.(t, 0) === true;
  }
  begin(0, compiled.q, compiled.v);

  function rate(t: number, y: Float64Array): Float64Array {
    trial.set(y);
    ode.rate(t, f);
    return rates.slice();
  }
  /** Finds df/dy at a state. */
  function evaluate(t: number, y: Float64Array): void {
    rate(t, y);
    trial.set(y);
    jacobian.evaluate(t, f);
  }
  return {
    n,
    how: jacobian.source,
    compiled,
    begin,
    rate,
    /** The initial state with its independent unknowns moved: the others follow. */
    near(random: Random, spread: Spread): Float64Array {
      const change = randomVector(random, dimension);
      return start.map((x, i) => x + (i < n ? spread.positions : spread.velocities) * change[i]);
    },
    evaluate,
    /** [J1 J2], n x 2n, column-major, analytic. */
    formulas(t: number, y: Float64Array): Float64Array {
      evaluate(t, y);
      const { form } = jacobian as unknown as { readonly form: PiForm };
      const inverse = naiveInverse(n, view(form.mass, n * n).slice());
      const products = [form.j1, form.j2].flatMap((address) => [...view(address, n * n)]);
      return Float64Array.from(products, (_, at) => {
        const [i, column] = [at % n, at - (at % n)];
        let sum = 0;
        for (let k = 0; k < n; k++) sum += inverse[i + n * k] * products[column + k];
        return sum;
      });
    },
    /** [J1 J2] by finite differences of fourth order. */
    differences(t: number, y: Float64Array, h: number): Float64Array {
      const columns = Array.from({ length: dimension }, (_, j) => {
        const at = (steps: number) =>
          rate(
            t,
            y.map((x, i) => (i === j ? x + steps * h : x)),
          );
        const [far, near, ahead, beyond] = [at(-2), at(-1), at(1), at(2)];
        return far
          .map((x, i) => (8 * (ahead[i] - near[i]) - (beyond[i] - x)) / (12 * h))
          .subarray(n);
      });
      return Float64Array.from(columns.flatMap((column) => [...column]));
    },
    /** Solves with I - alpha df/dy, after `evaluate` or `formulas`. */
    solve(alpha: number | readonly [number, number], given: ArrayLike<number>): Float64Array {
      const solver = typeof alpha === "number" ? real : complex;
      const [re, im] = typeof alpha === "number" ? [alpha, 0] : alpha;
      if (!solver.factor(re, im)) throw new Error("I - alpha df/dy is singular");
      right.set(given);
      solver.solve(b, b);
      return right.slice(0, given.length);
    },
  };
}
