// Euler's method, linearly implicit, with the derivatives of an equation: y1 = y0 + h (I - h df/dy)^-1 f(t, y0).

import { type Integrator, type Ode, rk4 } from "nodrift";
import type { Workspace } from "nodrift/kernels";

export function linearlyImplicitEuler(found: string[] = []): Integrator {
  return {
    ...rk4(),
    name: "linearly implicit Euler",
    reference: "Hairer and Wanner, Solving ODEs II, section IV.9",
    order: 1,
    stages: 1,
    bind(ode: Ode, workspace: Workspace) {
      const { dimension: n } = ode;
      const jacobian = ode.jacobian?.();
      if (jacobian === undefined) throw new Error("no derivatives");
      found.push(jacobian.source);
      const solver = jacobian.shifted(false);
      const f = workspace.vector("rate", n);
      return {
        attempt(t, h) {
          const { kernels } = workspace;
          kernels.copyVector(n, ode.y, ode.trial);
          ode.rate(t, f);
          jacobian.evaluate(t, f);
          if (!solver.factor(h, 0)) throw new Error("singular");
          solver.solve(f, f);
          kernels.axpy(n, h, f, ode.y, ode.trial);
        },
        commit() {},
        reset() {},
        accept: () => workspace.kernels.copyVector(n, ode.trial, ode.y),
      };
    },
  };
}

/** Writes (I - alpha df/dy)^-1 y in complex numbers into `out`, and takes no step. */
export function complexSolve(real: number, imaginary: number, out: number[]): Integrator {
  return {
    ...linearlyImplicitEuler(),
    bind(ode: Ode, workspace: Workspace) {
      const { dimension: n } = ode;
      const jacobian = ode.jacobian?.();
      if (jacobian === undefined) throw new Error("no derivatives");
      const solver = jacobian.shifted(true);
      const x = workspace.reserve("complex y", 2 * n);
      let view = new Float64Array(0);
      workspace.whenSealed((arena) => {
        view = arena.floats(x);
      });
      return {
        attempt(t) {
          workspace.kernels.copyVector(n, ode.y, ode.trial);
          jacobian.evaluate(t, x.address);
          view.fill(0);
          workspace.kernels.copyVector(n, ode.y, x.address);
          solver.factor(real, imaginary);
          solver.solve(x.address, x.address);
          out.splice(0, out.length, ...view);
        },
        commit() {},
        reset() {},
        accept: () => {},
      };
    },
  };
}
