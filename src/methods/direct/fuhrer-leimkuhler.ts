import { oneOf, optionsOf, type Shape } from "../../base/checking/index.js";
import type { Formulation } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindStageEquations } from "./stage-equations.js";

/** Options of {@link fuhrerLeimkuhler}. */
export interface FuhrerLeimkuhlerOptions {
  /**
   * "stabilised": index 1 with multipliers mu and eta for the constraints on positions and velocities.
   * "overdetermined": all constraints without mu and eta, solved in a generalised sense. Default: "stabilised".
   */
  readonly form?: "stabilised" | "overdetermined";
}

const SHAPE: Shape<FuhrerLeimkuhlerOptions> = { form: oneOf("stabilised", "overdetermined") };

/**
 * The index-1 form of Fuhrer and Leimkuhler with constraints on positions, velocities and accelerations,
 *
 *   q' = v + J^T mu,   v' = a + J^T eta,   0 = Q + J^T lambda - M a,   0 = Phi,   0 = Phi',   0 = J a - gamma
 *
 * mu and eta are zero up to errors of the method. The accelerations and lambda follow from q and v by J a = gamma, so
 * lambda has their order: 5 with `radau5`, compared with 3 for {@link gearGuptaLeimkuhler}.
 *
 * "overdetermined" has the same equations without mu and eta: 2n + 3m equations for 2n + m unknowns, which the
 * discretisation makes inconsistent. Their solution is that of the state-space form (ssf): the constraints hold
 * exactly, and the differential equations up to residuals along J^T. Newton's iteration with this pseudoinverse uses
 * the matrix of the stabilised form and discards mu and eta. J^T is evaluated at mid-step, in the stabilised form at
 * each stage.
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

/** One object for all calls: `solve` uses it as the key for memory of earlier runs. */
const FORMS = { stabilised: made(false), overdetermined: made(true) } as const;

function made(isOverdetermined: boolean): Formulation {
  return Object.freeze({
    ...PLAIN_FORMULATION,
    name: isOverdetermined ? "fuhrerLeimkuhler(overdetermined)" : "fuhrerLeimkuhler",
    reference: "Fuhrer and Leimkuhler, Numer. Math. 59 (1991) 55-69",
    level: "position",
    survivesRedundantRows: false,
    needs: "matrices",
    // Index of mu and eta, and of the differential equations after projection on the constraints.
    index: 2,
    bind: (system) => bindStageEquations(system, "all", isOverdetermined),
  } satisfies Formulation);
}
