import { oneOf, optionsOf, type Shape } from "../../ground/checking/index.js";
import type { Formulation } from "../../seam/index.js";
import { bindStageEquations } from "./stage-equations.js";

/** Options of {@link fuhrerLeimkuhler}. */
export interface FuhrerLeimkuhlerOptions {
  /**
   * "stabilised": index 1 with multipliers mu and eta for the constraints on positions and velocities. "overdetermined": all
   * constraints without them, solved in a generalised sense. Default: "stabilised".
   */
  readonly form?: "stabilised" | "overdetermined";
}

const SHAPE: Shape<FuhrerLeimkuhlerOptions> = { form: oneOf("stabilised", "overdetermined") };

/**
 * The index-1 form of Fuhrer and Leimkuhler with constraints on positions, velocities and accelerations,
 *
 *   q' = v + J^T mu,   v' = a + J^T eta,   0 = Q + J^T lambda - M a,   0 = Phi,   0 = Phi',   0 = J a - gamma
 *
 * mu and eta are zero but for errors of the method. The accelerations and lambda follow from q and v by J a = gamma, so that
 * lambda has the order of these: 5 with `radau5`, for 3 of {@link gearGuptaLeimkuhler}.
 *
 * "overdetermined" has the same equations without mu and eta: 2n + 3m equations for 2n + m unknowns, which the discretisation
 * makes inconsistent. Their solution is that of the state-space form (ssf): the constraints hold, and the differential equations up
 * to residuals along J^T. Newton's iteration with this pseudoinverse is the one with the matrix of the stabilised form, whose mu and
 * eta are discarded. J^T is that of the middle of the step, in the stabilised form that of each stage.
 *
 * @example
 * solve(suspension, { span: [0, 10], method: { formulation: fuhrerLeimkuhler(), integrator: radau5() } });
 * fuhrerLeimkuhler({ form: "overdetermined" });
 */
export function fuhrerLeimkuhler(
  options: FuhrerLeimkuhlerOptions = {},
  ...more: undefined[]
): Formulation {
  const { form = "stabilised" } = optionsOf("fuhrerLeimkuhler", "METHOD", options, SHAPE, more);
  return FORMS[form];
}

/** One object for all calls: `solve` finds the memory of an earlier run by it. */
const FORMS = { stabilised: made(false), overdetermined: made(true) } as const;

function made(isOverdetermined: boolean): Formulation {
  return Object.freeze({
    name: isOverdetermined ? "fuhrerLeimkuhler(overdetermined)" : "fuhrerLeimkuhler",
    reference: "Fuhrer and Leimkuhler, Numer. Math. 59 (1991) 55-69",
    level: "position",
    survivesSingularPoses: false,
    survivesRedundantRows: false,
    needs: "matrices",
    changesUnknowns: false,
    // That of mu and eta, and of what the projection on the constraints makes of the differential equations.
    index: 2,
    bind: (system) => bindStageEquations(system, "all", isOverdetermined),
  } satisfies Formulation);
}
