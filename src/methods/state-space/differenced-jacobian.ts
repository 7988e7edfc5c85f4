import type { Workspace } from "../../ground/memory/workspace.js";
import { checkLimits } from "../../ground/run-limits.js";
import type { Ode, OdeJacobian } from "../../seam/index.js";
import { differenceStep } from "../newton/dense-jacobian.js";
import { piShifted, reservePiForm } from "./pi-form.js";

/**
 * J1 and J2 by differences of the accelerations, one evaluation for each unknown: for systems with user functions
 * without derivatives. M is the identity then.
 */
export function differencedStateSpace(ode: Ode, workspace: Workspace, why: string): OdeJacobian {
  const { dimension } = ode;
  const n = dimension / 2;
  const form = reservePiForm(workspace, n);
  const at = workspace.vector("state of J1 and J2", dimension);
  const rate = workspace.vector("rate for J1 and J2", dimension);
  let y = new Float64Array(0);
  let mass = y;
  workspace.whenSealed((arena) => {
    y = arena.floats({ name: "trial", address: ode.trial, slots: dimension });
    mass = arena.floats({ name: "mass", address: form.mass, slots: n * n });
  });
  return {
    source: `by differences: ${why}`,
    evaluate(t, f) {
      const { kernels } = workspace;
      for (let i = 0; i < n; i++) mass[i * (n + 1)] = 1;
      kernels.copyVector(dimension, ode.trial, at);
      for (let j = 0; j < dimension; j++) {
        checkLimits();
        const value = y[j]!;
        y[j] = value + differenceStep(value);
        // What was really added.
        const exact = y[j]! - value;
        ode.rate(t, rate);
        const column = j < n ? form.j1 + 8 * n * j : form.j2 + 8 * n * (j - n);
        kernels.axpy(n, -1, f + 8 * n, rate + 8 * n, column);
        kernels.axpy(n, 1 / exact - 1, column, column, column);
        kernels.copyVector(dimension, at, ode.trial);
      }
    },
    shifted: (complex) => piShifted(workspace, n, form, complex),
  };
}
