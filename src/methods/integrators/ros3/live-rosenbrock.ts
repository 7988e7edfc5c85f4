import { StepFailure } from "../../../ground/errors.js";
import type { Address } from "../../../ground/memory/arena.js";
import { arenaRecord } from "../../../ground/memory/record.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { AdaptiveStepper, Ode, ShiftedSolver } from "../../../seam/index.js";
import { RosenbrockStepper } from "../rodas/rosenbrock.js";
import { ros3Tableau } from "./ros3-coefficients.js";

/**
 * Errors of velocities in a step of fixed length, of the largest velocity and in m/s or rad/s besides: what is more is no motion. Smooth
 * stiff motion stays far below. A contact that begins in a step is seen by the second stage only, deep inside of what
 * df/dy knows nothing of, and throws the body back with many times its speed.
 */
const OF_VELOCITY = 0.1;
const VELOCITY = 0.01;
/** Of that in parts of a step that was refused: a contact that begins or ends is more wrong than its estimate says. */
const IN_PARTS = 0.1;

/** Times that: by how much two steps may differ in what they change of velocities. */
const JUMP = 5;

/** ROS3 that refuses fixed steps which are far off, and can take one by the linearly implicit Euler method instead. */
export class LiveRosenbrock implements AdaptiveStepper {
  readonly interpolantRows: number;
  refusesFarOff = false;
  readonly #whole: RosenbrockStepper;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #solver: ShiftedSolver;
  readonly #slope: Address;
  readonly #change: Address;
  readonly #refusal = new StepFailure(
    "ros3: the step is far off by its own estimate: take shorter steps, or look for forces that jump",
  );
  /** Length of the attempt that was refused last: shorter ones are parts of it. */
  readonly #refused: { length: number };

  constructor(ode: Ode, workspace: Workspace) {
    this.#whole = new RosenbrockStepper(ros3Tableau, ode, workspace);
    this.interpolantRows = this.#whole.interpolantRows;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#solver = this.#whole.jacobian.shifted(false);
    this.#refused = arenaRecord(workspace, "ros3 refused", { length: 0 });
    this.#slope = workspace.vector("ros3 damped slope", ode.dimension);
    this.#change = workspace.vector("ros3 damped change", ode.dimension);
  }

  get costs() {
    return this.#whole.costs;
  }

  get skipsEndEvaluation(): boolean {
    return this.#whole.skipsEndEvaluation;
  }

  setTolerance(relative: number, positions: number, velocities: number): void {
    this.#whole.setTolerance(relative, positions, velocities);
  }

  watch(span: number): void {
    this.#whole.watch(span);
  }

  attempt(t: number, h: number): void {
    const length = Math.abs(h);
    const isPart = this.refusesFarOff && length < this.#refused.length;
    // df/dy of a part before may not know of the contact that has begun since.
    if (isPart) this.reset();
    this.#whole.attempt(t, h);
    if (!this.refusesFarOff) return;
    const { kernels } = this.#workspace;
    const { dimension, positions, y } = this.#ode;
    const [offset, count] = [8 * positions, dimension - positions];
    const most = VELOCITY + OF_VELOCITY * kernels.largestMagnitude(count, y + offset);
    const allowed = isPart ? IN_PARTS * most : most;
    const error = this.#whole.errorVector();
    const ofPositions = kernels.largestMagnitude(positions, error);
    const ofVelocities = kernels.largestMagnitude(count, error + offset);
    const isFarOff =
      !(ofVelocities <= allowed && ofPositions <= length * allowed) ||
      !(this.#jump(t, h) <= JUMP * allowed);
    if (!isPart) this.#refused.length = isFarOff ? length : 0;
    if (isFarOff) throw this.#refusal;
  }

  /**
   * By what the next step would change velocities otherwise than this one, (I - h gamma J)^-1 h f - (y1 - y) with f at the end: a contact
   * that has begun after the last stage, and that nothing of the step knows of.
   */
  #jump(t: number, h: number): number {
    const { kernels } = this.#workspace;
    const { dimension: n, positions, trial, y } = this.#ode;
    const [slope, change] = [this.#slope, this.#change];
    kernels.axpy(n, -1, y, trial, change);
    this.#ode.rate(t + h, slope);
    kernels.axpy(n, h - 1, slope, slope, slope);
    this.#whole.filter(slope);
    kernels.axpy(n, -1, change, slope, slope);
    return kernels.largestMagnitude(n - positions, slope + 8 * positions);
  }

  /**
   * (I - h J) (y1 - y) = h f(t, y): the linearly implicit Euler method. f is evaluated where the step begins, and nowhere that J does not
   * know of: a contact that begins in the step gains nothing. Rejected: Newton iterations of the implicit Euler method, which do
   * not converge on bristles, and give them energy.
   */
  attemptDamped(t: number, h: number): void {
    const { kernels } = this.#workspace;
    const { dimension: n, trial, y } = this.#ode;
    const [slope, change] = [this.#slope, this.#change];
    this.reset();
    kernels.copyVector(n, y, trial);
    this.#ode.rate(t, slope);
    this.#whole.jacobian.evaluate(t, slope);
    if (!this.#solver.factor(h, 0)) throw this.#refusal;
    kernels.axpy(n, h - 1, slope, slope, change);
    this.#solver.solve(change, change);
    kernels.axpy(n, 1, change, y, trial);
  }

  accept(): void {
    this.#whole.accept();
  }

  error(t: number, h: number, norm: (error: Address) => number): number {
    return this.#whole.error(t, h, norm);
  }

  commit(t: number, h: number): void {
    this.#whole.commit(t, h);
  }

  reset(): void {
    this.#whole.reset();
  }

  interpolant(t: number, h: number, before: Address, out: Address): void {
    this.#whole.interpolant(t, h, before, out);
  }
}
