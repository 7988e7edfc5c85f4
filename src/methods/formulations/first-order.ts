import { refuseMore } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { Workspace } from "../../base/memory/workspace.js";
import type { Formulation, OdeFunctions, OdeJacobian } from "../../interfaces/index.js";
import { PLAIN_FORMULATION, STATE_AS_UNKNOWNS } from "../defaults.js";
import { denseShifted, isSparse, sparseJacobian } from "../newton/dense-jacobian.js";

/**
 * The formulation of plain ODEs, which integrates f directly. `solve` chooses it for {@link ode}; it is needed only
 * in an explicit `method`.
 *
 * @example
 * solve(vanDerPol, { span: [0, 2], y: [2, 0], method: { formulation: firstOrder(), integrator: rk4() }, step: 1e-3 });
 */
export function firstOrder(...more: undefined[]): Formulation {
  refuseMore("firstOrder", "METHOD", more);
  return {
    ...PLAIN_FORMULATION,
    name: "firstOrder",
    reference: "y' = f(t, y), as it is given",
    level: "position",
    survivesSingularPoses: true,
    needs: "operators",
    onlyForOde: true,
    bind({ name, ode, workspace, coordinates, state, trial }) {
      const { positions } = coordinates;
      if (ode === undefined) throw new NodriftError("METHOD", `${name} has no f(t, y)`);
      const { jacobian, kernels } = ode;
      const matrixOf = () =>
        kernels && isSparse(positions, kernels.sparse.places.length)
          ? sparseJacobian(kernels.sparse, positions, workspace)
          : jacobian && analytic(jacobian, positions, workspace);
      return {
        ode: {
          dimension: positions,
          positions,
          y: state.q,
          trial: trial.q,
          rate: ode.rate,
          tolerate() {},
          ...(kernels && { fused: kernels.fused, compiled: kernels.compiled }),
          ...(jacobian && { jacobian: () => matrixOf() as OdeJacobian }),
        },
        ...STATE_AS_UNKNOWNS,
        accelerations: () => {},
      };
    },
  };
}

function analytic(
  jacobian: NonNullable<OdeFunctions["jacobian"]>,
  n: number,
  workspace: Workspace,
): OdeJacobian {
  const matrix = workspace.vector("Jacobian", n * n);
  return {
    source: "analytic",
    evaluate: (t) => jacobian(t, matrix),
    shifted: (complex) => denseShifted(n, matrix, complex, workspace),
  };
}
