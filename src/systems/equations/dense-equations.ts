import type { DenseEquations } from "../../seam/index.js";
import { fullMass } from "../dense-parts.js";
import type { EquationQuantities } from "./quantities.js";

/** The matrices of a system given by functions; reserves memory for a full M. */
export function denseEquations(system: EquationQuantities): DenseEquations {
  const { workspace, velocities: n, rows, derivatives } = system;
  const full = system.equations.mass.diagonal
    ? workspace.vector("full mass", n * n)
    : system.segments.mass.address;
  return {
    generalRank: () => system.generalRank(),
    mass: () => fullMass(system, full),
    jacobian: () => system.jacobian(),
    massRateTimesVelocity: (out) =>
      system.derive(n, out, (q, v, target) =>
        derivatives.massRateTimesVelocity(q, v, target, system.time),
      ),
    jacobianRate: (out) =>
      system.derive(rows * n, out, (q, v, target) =>
        derivatives.jacobianRate(q, v, target, system.time),
      ),
  };
}
