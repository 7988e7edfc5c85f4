import { oneOf, optionsOf, type Shape } from "../../base/checking/index.js";
import type { Address } from "../../base/memory/arena.js";
import type { BoundStabilisation, Stabilisation, System } from "../../interfaces/index.js";
import { NO_CORRECTION, PLAIN_STABILISATION } from "../defaults.js";
import { type Gain, gain, gainOf } from "./gain.js";
import { bindNearest, type Metric } from "./nearest.js";

/** Options of {@link ascher}. */
export interface AscherOptions {
  /** Rate at which constraint errors decay, in 1/s. Default: 1 / 2h. */
  readonly gain?: Gain;
  /**
   * Directions of the correction: "mass" for those of the constraint forces, M^-1 J^T; "identity" for those of J^T,
   * which needs dense matrices. Default: "mass".
   */
  readonly metric?: Metric;
}

const SHAPE: Shape<AscherOptions> = { gain, metric: oneOf("mass", "identity") };

/**
 * The stabilised ODE of Ascher et al.: z' = f(z) - gamma F(z) h(z) for z = (q, v) and h = (Phi, Phi'). On the
 * constraints it equals the original ODE. Near them h' = -gamma H F h with H = dh/dz, so all errors decay at the rate
 * gamma. F = D (H D)^-1 has H F = I. Here D = diag(B, B) with B = M^-1 J^T or J^T, and F is the diagonal of that
 * matrix, diag(B (J B)^-1, B (J B)^-1):
 *
 *   q' = v - gamma B (J B)^+ Phi
 *   v' = a - gamma B (J B)^+ Phi'
 *
 * H F is then lower triangular with ones on its diagonal: the same rate, with a term t exp(-gamma t) in Phi'.
 * Rejected: the block below the diagonal, -B (J B)^-1 (dPhi'/dq) B (J B)^-1, which needs second derivatives of Phi in
 * each evaluation; and F = H^T (H H^T)^-1, which needs them too, and a matrix of 2m rows. {@link postStabilisation}
 * has the full F.
 *
 * Unlike {@link baumgarte}, it corrects positions directly, not by accelerations, so there is no oscillation, and
 * only one gain. A gain that does not depend on the step keeps the order of the integrator. The default, which
 * removes most of an error within a few steps, reduces it.
 *
 * @example
 * ascher();                              // a gain that follows the step
 * ascher({ gain: 20 });                  // errors decay as exp(-20 t)
 */
export function ascher(given: AscherOptions = {}, ...more: undefined[]): Stabilisation {
  const options = optionsOf("ascher", "METHOD", given, SHAPE, more);
  const { metric = "mass" } = options;
  const rate = gainOf("ascher", "gain", options.gain ?? ((h) => 0.5 / h));
  return {
    name: metric === "mass" ? "ascher" : `ascher(${metric})`,
    reference:
      "Ascher, Chin, Petzold and Reich, Mech. Struct. Mach. 23 (1995) 135-157; Negrut, Haug and German 2003, eqs. 9 and 10",
    ...PLAIN_STABILISATION,
    actsOn: "accelerations",
    gainsFollowStep: typeof options.gain !== "number",
    needsDense: metric === "identity",
    bind: (system) => (metric === "mass" ? bindByMass(system, rate) : bindByUnits(system, rate)),
  };
}

/** J v' = gamma - rate Phi' and q' = v + minnorm(-rate Phi): two right-hand sides with one factor. */
function bindByMass(system: System, rate: (h: number) => number): BoundStabilisation {
  const { workspace, constraints } = system;
  const { rows } = constraints;
  const zero = workspace.vector("stabilised: zero", rows);
  let weight = 0;
  return {
    ...NO_CORRECTION,
    beginStep(_, h) {
      weight = rate(h);
    },
    right: {
      correctsVelocities: true,
      write(gamma, right, r) {
        const { kernels } = workspace;
        const [phiDot, phi] = [constraints.phiDot(), constraints.phi()];
        kernels.stabilisedRight(rows, weight, 0, gamma, phiDot, phi, right);
        kernels.stabilisedRight(rows, 0, weight, zero, phiDot, phi, r);
      },
    },
  };
}

/** Adds both terms to the rates, whose accelerations are weighted by M. */
function bindByUnits(system: System, rate: (h: number) => number): BoundStabilisation {
  const { workspace, constraints, coordinates } = system;
  const { positions, velocities } = coordinates;
  const nearest = bindNearest(system, "identity");
  const zero = workspace.vector("stabilised: zero", velocities);
  const step = workspace.vector("stabilised: correction", velocities);
  const drift = workspace.vector("stabilised: rate of positions", positions);
  let weight = 0;
  function add(_: number, out: Address): void {
    const { kernels } = workspace;
    nearest.factor();
    nearest.solve(constraints.phi(), step);
    coordinates.positionRate(zero, -weight, step, drift);
    kernels.axpy(positions, 1, drift, out, out);
    nearest.solve(constraints.phiDot(), step);
    kernels.axpy(velocities, -weight, step, out + 8 * positions, out + 8 * positions);
  }
  if (constraints.rows === 0) return NO_CORRECTION;
  return {
    ...NO_CORRECTION,
    beginStep(_, h) {
      weight = rate(h);
    },
    rates: { integratesWork: false, add },
  };
}
