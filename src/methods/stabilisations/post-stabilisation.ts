import { oneOf, optionsOf, rule, type Shape } from "../../base/checking/index.js";
import type { Stabilisation } from "../../interfaces/index.js";
import { NO_CORRECTION, PLAIN_STABILISATION } from "../defaults.js";
import { bindNearest, type Metric } from "./nearest.js";

/** Options of {@link postStabilisation}. */
export interface PostStabilisationOptions {
  /** "whole": F with H F = I. "diagonal": without the block that couples velocities to positions. Default: "whole". */
  readonly form?: "whole" | "diagonal";
  /** Number of corrections after a step. Default: 1. */
  readonly times?: 1 | 2;
  /**
   * Directions of the correction: "mass" for those of the constraint forces, M^-1 J^T; "identity" for those of J^T,
   * which needs dense matrices. Default: "mass".
   */
  readonly metric?: Metric;
}

const SHAPE: Shape<PostStabilisationOptions> = {
  form: oneOf("whole", "diagonal"),
  times: rule("1 or 2", (value) => value === 1 || value === 2),
  metric: oneOf("mass", "identity"),
};

/**
 * Post-stabilisation: z <- z - F(z) h(z) once after each step, the limit of {@link ascher} for a gain that removes
 * errors in one step. A step of order p leaves h = (Phi, Phi') of order h^(p+1). With H F = I the remainder is of
 * order h^(2p+2), which is rounding at usual steps:
 *
 *   q <- q - x,  x = B (J B)^+ Phi,   v <- v - B (J B)^+ (Phi' - (dPhi'/dq) x),   B = M^-1 J^T or J^T
 *
 * The last bracket is Phi' at the new q up to x^2, and is evaluated there, without second derivatives. "diagonal"
 * omits the term in x. One factorisation then serves both, but (dPhi'/dq) x, of order h^(p+1), remains in Phi'. Since
 * (I - H F)^2 = 0, doing it twice is as good as "whole".
 *
 * {@link projection} repeats such steps until rounding, and therefore measures the residual; here the work per step
 * is constant.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: postStabilisation(), integrator: rk4() };
 * postStabilisation({ form: "diagonal", times: 2 });
 */
export function postStabilisation(
  given: PostStabilisationOptions = {},
  ...more: undefined[]
): Stabilisation {
  const options = optionsOf("postStabilisation", "METHOD", given, SHAPE, more);
  const { form = "whole", times = 1, metric = "mass" } = options;
  const words = [
    ...(form === "whole" ? [] : [form]),
    ...(metric === "mass" ? [] : [metric]),
    ...(times === 1 ? [] : [String(times)]),
  ];
  return {
    name: words.length === 0 ? "postStabilisation" : `postStabilisation(${words.join(", ")})`,
    reference:
      "Ascher, Chin, Petzold and Reich, Mech. Struct. Mach. 23 (1995) 135-157; Ascher, Chin and Reich, Numer. Math. 67 (1994) 131-149",
    ...PLAIN_STABILISATION,
    actsOn: "afterStep",
    needsDense: metric === "identity",
    bind(system) {
      const { workspace, trial, constraints, coordinates } = system;
      const { velocities } = coordinates;
      if (constraints.rows === 0) return NO_CORRECTION;
      const nearest = bindNearest(system, metric);
      const ofPositions = workspace.vector("post-stabilisation: displacement", velocities);
      const ofVelocities = workspace.vector("post-stabilisation: velocity", velocities);
      const zero = workspace.vector("post-stabilisation: zero", velocities);
      const v = trial.v;

      function displace(): void {
        workspace.kernels.axpy(velocities, -1, ofPositions, zero, ofPositions);
        coordinates.displace(trial.q, ofPositions);
      }

      function once(t: number): void {
        nearest.factor();
        nearest.solve(constraints.phi(), ofPositions);
        if (form === "whole") {
          displace();
          system.at(t);
          nearest.factor();
          nearest.solve(constraints.phiDot(), ofVelocities);
        } else {
          nearest.solve(constraints.phiDot(), ofVelocities);
          displace();
        }
        workspace.kernels.axpy(velocities, -1, ofVelocities, v, v);
        system.at(t);
      }

      return {
        ...NO_CORRECTION,
        correct(t) {
          system.load(t);
          for (let i = 0; i < times; i++) once(t);
          system.store();
        },
      };
    },
  };
}
