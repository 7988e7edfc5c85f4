import { refuseMore } from "../../../base/checking/index.js";
import { StepFailure } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import { arenaRecord } from "../../../base/memory/record.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type {
  AdaptiveIntegrator,
  DampedSteps,
  Ode,
  ShiftedSolver,
} from "../../../interfaces/index.js";
import { PLAIN_INTEGRATOR } from "../../defaults.js";
import { RosenbrockStepper, type RosenbrockTableau } from "../rodas/rosenbrock.js";

// ROS3w of Rang and Angermann (BIT 45 (2005) 761-787): three stages, of which the last two share their f, order 3, L-stable.
// gamma is the root of g^3 - 3 g^2 + 3/2 g - 1/6 = 0 that makes it so.
//
// With b, alpha_i and gamma_i, the sums of rows of its coefficients, and a matrix A instead of df/dy = J,
//
//   y1 = y + h f sum b_i + h^2 (J f sum b_i alpha_i + A f sum b_i gamma_i) + h^3 (...)
//
// A = J + h B, as a J of an earlier step is, leaves h^3 B f sum b_i gamma_i: the method stays of order 3 if that sum
// is zero. In the terms of h^3 the difference of A and J contributes h^4. f_t is a column of J for an unknown t' = 1.
// So one J serves two steps. With gamma_21 of the paper the others follow: sum b_i alpha_i = 1/2 and sum b_i
// alpha_i^2 = 1/3 give alpha = 2/3 and b_2 + b_3 = 3/4; b_3 gamma_32 (2/3 + gamma_21) = 1/6 - gamma + gamma^2; sum
// b_i gamma_i = 0.
//
// All solutions of order 2 in its stages lie on a line. The estimate is the distance to the one that keeps half of
// infinitely stiff components; that of the paper keeps 0.69, and overestimates all errors by a factor of 1.4.
//
// Rejected: ROS3 of Sandu et al. (Atmos. Environ. 31 (1997) 3459-3472), whose sum is not zero. On the HMMWV at 1/240
// s its error is 0.5 mm with a J in each step, that of ROS3w 0.1 mm with one in two steps. ROS34PW2, of order 3 for
// any A, takes twice the evaluations.

export const ros3Tableau: RosenbrockTableau = {
  name: "ros3",
  errorOrder: 3,
  gamma: 0.435866521508459,
  alpha: [0, 2 / 3, 2 / 3],
  gammaSums: [0.435866521508459, 0.7993733583985271, -0.6176199399534931],
  a: [
    [],
    [1.5295202401860277],
    [1.5295202401860277, 0],
    [2.12548994752803, 0.9783497673885093, 1.147140180139521],
  ],
  c: [[], [1.9133990695540375], [-4.060539249693559, -0.8095593546374978]],
  error: [0.04868758537003658, 0.436667549734604, 0.5995300187988952],
  // With three, the springs of a vehicle, which rotate as it passes a bump, are no longer damped in steps of 1/120 s.
  serves: 2,
  endCheck: "slope",
};

/**
 * Largest plausible errors of velocities in a fixed step: as a fraction of the largest velocity, and an addition in
 * m/s or rad/s. Smooth stiff motion stays far below. A contact that begins in a step is seen only by the second
 * stage, at a large penetration that is not in df/dy, and throws the body back at many times its speed.
 */
const MAX_VELOCITY_ERROR_FRACTION = 0.1;
const MAX_VELOCITY_ERROR = 0.01;
/**
 * Fraction of these errors allowed in substeps of a rejected step, as the estimate is too small if a contact begins
 * or ends.
 */
const SUBSTEP_ERROR_FRACTION = 0.1;

/** Multiple of these errors by which the velocity changes of two steps may differ. */
const MAX_JUMP = 5;

/**
 * ROS3 for real time: rejects fixed steps with large errors, and can take a step by the linearly implicit Euler
 * method instead.
 */
class LiveRosenbrock extends RosenbrockStepper {
  readonly damped: DampedSteps = {
    refusesFarOff: false,
    attempt: (t, h) => this.#attemptDamped(t, h),
  };
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #solver: ShiftedSolver;
  readonly #slope: Address;
  readonly #change: Address;
  readonly #refusal = new StepFailure(
    "ros3: the error estimate of the step is too large: take shorter steps, or describe forces that jump as events",
  );
  /** Length of the last rejected attempt; shorter ones are its substeps. */
  readonly #refused: { length: number };

  constructor(ode: Ode, workspace: Workspace) {
    super(ros3Tableau, ode, workspace);
    this.#ode = ode;
    this.#workspace = workspace;
    this.#solver = this.jacobian.shifted(false);
    this.#refused = arenaRecord(workspace, "ros3 refused", { length: 0 });
    this.#slope = workspace.vector("ros3 damped slope", ode.dimension);
    this.#change = workspace.vector("ros3 damped change", ode.dimension);
  }

  override attempt(t: number, h: number): void {
    const length = Math.abs(h);
    const isPart = this.damped.refusesFarOff && length < this.#refused.length;
    // df/dy of an earlier substep may lack a contact that has begun since.
    if (isPart) this.reset();
    super.attempt(t, h);
    if (!this.damped.refusesFarOff) return;
    const { kernels } = this.#workspace;
    const { dimension, positions, y } = this.#ode;
    const [offset, count] = [8 * positions, dimension - positions];
    const most =
      MAX_VELOCITY_ERROR +
      MAX_VELOCITY_ERROR_FRACTION * kernels.largestMagnitude(count, y + offset);
    const allowed = isPart ? SUBSTEP_ERROR_FRACTION * most : most;
    const error = this.errorVector();
    const ofPositions = kernels.largestMagnitude(positions, error);
    const ofVelocities = kernels.largestMagnitude(count, error + offset);
    const isFarOff =
      !(ofVelocities <= allowed && ofPositions <= length * allowed) ||
      !(this.#jump(t, h) <= MAX_JUMP * allowed);
    if (!isPart) this.#refused.length = isFarOff ? length : 0;
    if (isFarOff) throw this.#refusal;
  }

  /**
   * Returns the difference of the velocity changes of the next step and this one, (I - h gamma J)^-1 h f - (y1 - y)
   * with f at the end. It reveals a contact that has begun after the last stage.
   */
  #jump(t: number, h: number): number {
    const { kernels } = this.#workspace;
    const { dimension: n, positions, trial, y } = this.#ode;
    const [slope, change] = [this.#slope, this.#change];
    kernels.axpy(n, -1, y, trial, change);
    this.#ode.rate(t + h, slope);
    kernels.axpy(n, h - 1, slope, slope, slope);
    this.filter(slope);
    kernels.axpy(n, -1, change, slope, slope);
    return kernels.largestMagnitude(n - positions, slope + 8 * positions);
  }

  /**
   * (I - h J) (y1 - y) = h f(t, y): the linearly implicit Euler method. f is evaluated only at the beginning, the
   * state of J, so a contact that begins in the step adds no energy. Rejected: Newton iterations of the implicit
   * Euler method, which do not converge on bristles, and add energy to them.
   */
  #attemptDamped(t: number, h: number): void {
    const { kernels } = this.#workspace;
    const { dimension: n, trial, y } = this.#ode;
    const [slope, change] = [this.#slope, this.#change];
    this.reset();
    kernels.copyVector(n, y, trial);
    this.#ode.rate(t, slope);
    this.jacobian.evaluate(t, slope);
    if (!this.#solver.factor(h, 0)) throw this.#refusal;
    kernels.axpy(n, h - 1, slope, slope, change);
    this.#solver.solve(change, change);
    kernels.axpy(n, 1, change, y, trial);
  }
}

/**
 * ROS3w of Rang and Angermann: a Rosenbrock method of order 3 for stiff motion in real time, L-stable. Without
 * iterations: a step costs three solves and two evaluations, and every second step of equal length df/dy, df/dt and a
 * factorisation.
 *
 * No step of `simulate` fails if a shorter one would succeed: a step that fails, or has a large error estimate, as
 * when a stiff contact begins, is divided into up to 64 substeps. If the shortest substep is still too long, a step
 * of the linearly implicit Euler method adds damping. `simulation.division` counts these cases.
 *
 * @example
 * suspension.simulate({ step: 1 / 240, method: { formulation: stateSpace(), integrator: ros3() } });
 */
export function ros3(...more: undefined[]): AdaptiveIntegrator {
  refuseMore("ros3", "METHOD", more);
  return ROS3;
}

/** One object for all calls: `solve` uses it as the key for memory of earlier runs. */
const ROS3: AdaptiveIntegrator = Object.freeze({
  name: "ros3",
  reference: "Rang and Angermann, BIT Numer. Math. 45 (2005) 761-787",
  order: 3,
  errorOrder: ros3Tableau.errorOrder,
  stages: 2,
  ...PLAIN_INTEGRATOR,
  isImplicit: true,
  dividesSteps: true,
  bind: (ode: Ode, workspace: Workspace) => new LiveRosenbrock(ode, workspace),
});
