import { refuseMore } from "../../../ground/checking/index.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type {
  AdaptiveIntegrator,
  AdaptiveStepper,
  Ode,
  ShiftedSolver,
} from "../../../seam/index.js";
import { StepStart } from "../implicit/step-start.js";
import { A, ALPHA, C, DENSE, GAMMA, GAMMA_SUMS } from "./rodas-coefficients.js";

const STAGES = ALPHA.length;
/** Parts of a step and of the time over which f is differentiated by time: long enough to stand clear of rounding. */
const OF_STEP = 2 ** -20;
const OF_TIME = 2 ** -26;
const REFUSAL =
  "rodas: I - h gamma df/dy is singular or not finite: take shorter steps, or look for forces that jump or are not finite";

/**
 * Hairer and Wanner's RODAS: a Rosenbrock method of order 4 for stiff motion, stiffly accurate and L-stable. A
 * step takes one df/dy, one factorisation and six solves, and never iterates: the choice for strong springs
 * and dampers at tolerances down to 1e-5 or so, and where forces are not smooth enough for Newton's method.
 *
 * @example
 * solve(suspension, { span: [0, 10], integrator: rodas(), tolerance: 1e-4 });
 * suspension.simulate({ step: 1e-3, method: { formulation: stateSpace(), integrator: rodas() } });
 */
export function rodas(...more: undefined[]): AdaptiveIntegrator {
  refuseMore("rodas", "METHOD", more);
  return RODAS;
}

/** One object for all calls: `solve` finds the memory of an earlier run by it. */
const RODAS: AdaptiveIntegrator = Object.freeze({
  name: "rodas",
  reference: "Hairer and Wanner, Solving ODEs II, 2nd ed., Springer 1996, section IV.7",
  order: 4,
  errorOrder: 4,
  stages: STAGES,
  isMultistep: false,
  isImplicit: true,
  bind: (ode: Ode, workspace: Workspace) => new RodasStepper(ode, workspace),
});

class RodasStepper implements AdaptiveStepper {
  readonly interpolantRows = 4;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #beginning: StepStart;
  readonly #solver: ShiftedSolver;
  /** u_1 to u_6. */
  readonly #u: Address;
  readonly #timeSlope: Address;
  readonly #slope: Address;
  readonly #right: Address;
  readonly #zero: Address;
  readonly #stages: readonly Address[];
  readonly #rights: readonly Address[];
  readonly #dense: readonly Address[];

  constructor(ode: Ode, workspace: Workspace) {
    const n = ode.dimension;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#beginning = new StepStart("rodas", REFUSAL, ode, workspace);
    this.#solver = this.#beginning.jacobian.shifted(false);
    this.#u = workspace.vector("rodas stages", STAGES * n);
    this.#timeSlope = workspace.vector("rodas df/dt", n);
    this.#slope = workspace.vector("rodas slope", n);
    this.#right = workspace.vector("rodas right side", n);
    this.#zero = workspace.vector("rodas zero", n);
    const list = (rows: readonly (readonly number[])[], factor = 1) =>
      rows.map((row) =>
        workspace.constants(
          "rodas weights",
          row.map((weight) => factor * weight),
        ),
      );
    this.#stages = list(A);
    this.#rights = list(C, GAMMA);
    this.#dense = list(DENSE);
  }

  get costs() {
    return this.#beginning.costs;
  }

  attempt(t: number, h: number): void {
    const beginning = this.#beginning;
    beginning.require(t);
    if (!beginning.isCurrent) {
      this.#differentiateByTime(t, h);
      beginning.differentiate(t);
    }
    beginning.counts.factorisations++;
    if (!this.#solver.factor(h * GAMMA, 0)) beginning.refuse(0.5);
    for (let i = 0; i < STAGES; i++) this.#stage(i, t, h);
    this.#place(STAGES);
  }

  accept(): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, trial, y);
  }

  error(t: number, h: number, norm: (error: Address) => number): number {
    this.#beginning.end(t + h);
    return norm(this.#row(STAGES - 1));
  }

  commit(): void {
    this.#beginning.commit();
  }

  reset(): void {
    this.#beginning.reset();
  }

  interpolant(_t: number, _h: number, before: Address, out: Address): void {
    const { kernels } = this.#workspace;
    const { dimension: n, y } = this.#ode;
    kernels.copyVector(n, before, out);
    kernels.axpy(n, -1, before, y, out + 8 * n);
    for (let k = 0; k < this.#dense.length; k++) {
      const row = out + 8 * n * (k + 2);
      kernels.combine(n, STAGES - 1, 1, this.#zero, this.#u, this.#dense[k] as Address, row);
    }
  }

  #row(index: number): Address {
    return this.#u + 8 * this.#ode.dimension * index;
  }

  /** Puts the trial where a stage is evaluated, or the step ends. */
  #place(index: number): void {
    const { dimension, trial, y } = this.#ode;
    const weights = this.#stages[index] as Address;
    this.#workspace.kernels.combine(dimension, index, 1, y, this.#u, weights, trial);
  }

  #stage(i: number, t: number, h: number): void {
    const { kernels } = this.#workspace;
    const n = this.#ode.dimension;
    const right = this.#right;
    const slope = i === 0 ? this.#beginning.slope : this.#slope;
    if (i > 0) {
      this.#place(i);
      this.#ode.rate(t + (ALPHA[i] as number) * h, slope);
    }
    kernels.combine(n, i, 1, this.#zero, this.#u, this.#rights[i] as Address, right);
    kernels.axpy(n, h * GAMMA, slope, right, right);
    const byTime = h * h * GAMMA * (GAMMA_SUMS[i] as number);
    if (byTime !== 0) kernels.axpy(n, byTime, this.#timeSlope, right, right);
    this.#solver.solve(right, this.#row(i));
  }

  /** df/dt by a difference towards the end of the step: zero to the bit where f does not depend on time. */
  #differentiateByTime(t: number, h: number): void {
    const { kernels } = this.#workspace;
    const { dimension: n, trial, y } = this.#ode;
    const length = Math.max(OF_STEP * Math.abs(h), OF_TIME * Math.abs(t));
    const later = t + Math.sign(h) * length;
    kernels.copyVector(n, y, trial);
    this.#ode.rate(later, this.#slope);
    kernels.axpy(n, -1, this.#beginning.slope, this.#slope, this.#slope);
    kernels.axpy(n, 1 / (later - t), this.#slope, this.#zero, this.#timeSlope);
  }
}
