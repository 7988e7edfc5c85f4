import { END_HIDEABLE } from "../../../../assembly/layout-radau.js";
import { power } from "../../../base/algebra/portable-power.js";
import { optionsOf, type Shape, whole } from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import { arenaRecord } from "../../../base/memory/record.js";
import { type StiffMemory, stiffMemory } from "../../../base/memory/stiff-memory.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type {
  AdaptiveIntegrator,
  AdaptiveStepper,
  ImplicitCosts,
  Ode,
  ShiftedSolver,
  StepRule,
  StepTolerance,
} from "../../../interfaces/index.js";
import { PLAIN_INTEGRATOR } from "../../defaults.js";
import { EndCheck, InsideCheck, StepStart } from "../implicit/end-check.js";
import {
  BdfHistory,
  chooseOrder,
  factorAccepted,
  factorRejected,
  HIGHEST_ORDER,
  MAX_REJECTIONS,
  type OrderChoice,
} from "./bdf-order.js";

/**
 * Fraction of the allowed step error that iterations may leave; smaller with algebraic unknowns, as stiffness does
 * not damp it.
 */
const ITERATION_ERROR_FRACTION = 0.05;
const ALGEBRAIC_ITERATION_ERROR_FRACTION = 0.005;
/** Maximum iterations of a step, and of a step that cannot be shortened. */
const MAX_ITERATIONS = 4;
const MAX_ITERATIONS_FIXED_STEP = 50;
/** Rate of convergence above which iterations are abandoned. */
const MAX_CONTRACTION = 0.9;
/** Maximum relative difference of the leading coefficient from that of the factor. */
const MAX_COEFFICIENT_CHANGE = 0.3;
/** Maximum number of steps that use one df/dy. */
const MAX_JACOBIAN_STEPS = 50;
/** Factor of the step length if iterations with df/dy of its beginning do not converge. */
const DIVERGENCE_FACTOR = 0.25;
/**
 * Ends that can hide at most this multiple of the allowed step error are not checked, as it is a small fraction of a
 * tolerance.
 */
const MAX_UNCHECKED_ERROR = 8;
/** Default tolerance. */
const DEFAULT_TOLERANCE = 1e-12;
/** Smallest allowed iteration error, and errors that count as rounding if they stop decreasing. */
const MIN_ITERATION_ERROR = 10 * Number.EPSILON;
const ROUNDING_TOLERANCE = 1e3 * Number.EPSILON;

/**
 * Solves for the end of a step by simplified Newton iterations. df/dy is reused while iterations converge with it,
 * its factor until h / alpha_k has changed by 30 %. Increments are multiplied by 2 / (1 + ratio), which halves the
 * error of both stiff and slow components (Brenan, Campbell and Petzold, section 5.2.2).
 */
class BdfNewton {
  /** Allowed error of each unknown. */
  readonly scale: Address;
  /** P, and -h / alpha_k P', both at the end of the step; written by the caller. */
  readonly predicted: Address;
  readonly known: Address;
  readonly check: EndCheck;
  /** Unfiltered residual at the beginning of the last iteration, in tolerances. */
  #unfiltered = 0;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #solver: ShiftedSolver;
  readonly #beginning: StepStart;
  readonly #z: Address;
  readonly #slope: Address;
  readonly #change: Address;
  readonly #differential: number;
  readonly #kept: Record<"linearised" | "factored" | "age" | "eta", number>;
  #relative = DEFAULT_TOLERANCE;
  #inPositions = DEFAULT_TOLERANCE;
  #inVelocities = DEFAULT_TOLERANCE;
  #rounding: number;
  #left = ALGEBRAIC_ITERATION_ERROR_FRACTION;
  #hasFixedSteps = true;

  constructor(name: string, ode: Ode, beginning: StepStart, workspace: Workspace) {
    const n = ode.dimension;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#stiff = stiffMemory(workspace);
    this.#beginning = beginning;
    this.#solver = beginning.jacobian.shifted(false);
    this.#differential = ode.algebraic?.differential ?? n;
    this.scale = workspace.vector(`${name} scale`, n);
    this.predicted = workspace.vector(`${name} prediction`, n);
    this.known = workspace.vector(`${name} known part`, n);
    this.#z = workspace.vector(`${name} correction`, n);
    this.#slope = workspace.vector(`${name} slope`, n);
    this.#change = workspace.vector(`${name} change`, n);
    this.#rounding = ROUNDING_TOLERANCE / DEFAULT_TOLERANCE;
    this.check = new EndCheck(name, ode, this.#solver, beginning.counts, workspace);
    this.#kept = arenaRecord(workspace, `${name} iterations`, {
      /** 1 when there is a df/dy; the h / alpha_k of its factor, or 0; number of steps that used it. */
      linearised: 0,
      factored: 0,
      age: 0,
      /** Remaining error of iterations relative to their last increment. */
      eta: 1,
    });
  }

  /** The h / alpha_k of the factor. */
  get factored(): number {
    return this.#kept.factored;
  }

  tolerate(relative: number, positions: number, velocities: number, hasFixedSteps: boolean): void {
    this.#relative = relative;
    this.#inPositions = positions;
    this.#inVelocities = velocities;
    this.#hasFixedSteps = hasFixedSteps;
    const largest = Math.max(relative, positions, velocities);
    const left =
      this.#ode.algebraic === undefined
        ? ITERATION_ERROR_FRACTION
        : ALGEBRAIC_ITERATION_ERROR_FRACTION;
    this.#left = Math.max(MIN_ITERATION_ERROR / largest, left);
    this.#rounding = ROUNDING_TOLERANCE / largest;
  }

  /** Root mean square of x in units of the allowed errors. */
  norm(x: Address): number {
    return this.#stiff.kernels.scaledNorm(this.#ode.dimension, x, this.scale);
  }

  takeScale(h: number): void {
    const { dimension, positions, y } = this.#ode;
    this.#stiff.kernels.toleranceScale(
      dimension,
      positions,
      this.#relative,
      this.#inPositions,
      this.#inVelocities,
      y,
      this.scale,
    );
    this.#ode.algebraic?.weigh(h, this.scale);
  }

  /**
   * Solves for the end of a step at `end`, gamma = h / alpha_k. The trial is the result. Rejects the step if it
   * fails.
   */
  solve(t: number, end: number, gamma: number): void {
    const kept = this.#kept;
    const isOld = kept.linearised === 0 || kept.age >= MAX_JACOBIAN_STEPS;
    if (isOld) this.#linearise(t);
    if (this.#factor(gamma) && this.#iterate(end, gamma)) return;
    // A df/dy of the previous attempt is not sufficient: f may depend on the step length, as with gains that follow
    // it.
    if (!isOld) {
      this.#linearise(t);
      if (this.#factor(gamma) && this.#iterate(end, gamma)) return;
    }
    kept.linearised = 0;
    this.#beginning.refuse(DIVERGENCE_FACTOR);
  }

  /**
   * Returns the error hidden at the end of the step, whose matrix may belong to stiffness that has ended; 0 if it is
   * harmless. Costs an evaluation only if the unfiltered residual of the last iteration is large enough to hide an
   * error.
   */
  hiddenError(t: number, gamma: number): number {
    if (this.#unfiltered <= MAX_UNCHECKED_ERROR || this.#ode.algebraic) return 0;
    const { dimension, y, trial } = this.#ode;
    const { check } = this;
    this.#workspace.kernels.copyVector(dimension, y, trial);
    check.evaluate(t, this.#slope);
    this.#stiff.kernels.stageResidual(
      this.#differential,
      gamma,
      this.known,
      this.#slope,
      this.#z,
      check.residual,
    );
    return check.hiddenError(t, this.#kept.factored, this.#slope, this.scale);
  }

  /** Counts an accepted step. */
  commit(): void {
    this.#kept.age += 1;
  }

  forget(): void {
    const kept = this.#kept;
    kept.linearised = 0;
    kept.factored = 0;
    kept.eta = 1;
  }

  #linearise(t: number): void {
    const kept = this.#kept;
    kept.linearised = 0;
    kept.factored = 0;
    this.#beginning.reset();
    this.#beginning.require(t);
    this.#beginning.differentiate(t);
    kept.linearised = 1;
    kept.age = 0;
  }

  /** Factors unless the present factor is close enough. Returns false if the matrix is singular. */
  #factor(gamma: number): boolean {
    const kept = this.#kept;
    if (Math.abs(gamma / kept.factored - 1) <= (this.#hasFixedSteps ? 0 : MAX_COEFFICIENT_CHANGE))
      return true;
    kept.factored = 0;
    kept.eta = 1;
    this.#beginning.counts.factorisations++;
    if (!this.#solver.factor(gamma, 0)) return false;
    kept.factored = gamma;
    return true;
  }

  /**
   * Repeats (D - gamma J) dz = D (known - z) + gamma f(t, P + z), z += dz, from z = 0. D is I except for algebraic
   * unknowns, whose rows have the gamma of the factor. Returns false if it does not converge.
   */
  #iterate(t: number, gamma: number): boolean {
    const kept = this.#kept;
    const { dimension: n, trial } = this.#ode;
    const { kernels } = this.#stiff;
    const { predicted } = this;
    const { factored } = kept;
    const z = this.#z;
    const change = this.#change;
    const slope = this.#slope;
    const rest = 8 * this.#differential;
    const correction = 2 / (1 + gamma / factored);
    const most = this.#hasFixedSteps ? MAX_ITERATIONS_FIXED_STEP : MAX_ITERATIONS;
    kernels.clearRows(1, n, z);
    this.#workspace.kernels.copyVector(n, predicted, trial);
    let eta = power(Math.max(kept.eta, Number.EPSILON), 0.8);
    let before = 0;
    for (let k = 1; k <= most; k++) {
      this.#ode.rate(t, slope);
      kernels.stageResidual(this.#differential, gamma, this.known, slope, z, change);
      kernels.multiple(n - this.#differential, factored, 0, slope + rest, 0, change + rest, 0);
      const unfiltered = kernels.scaledNorm(this.#differential, change, this.scale);
      this.#solver.solve(change, change);
      if (correction !== 1) {
        this.#workspace.kernels.axpy(n, correction - 1, change, change, change);
      }
      const size = kernels.stageUpdate(n, change, this.scale, predicted, z, trial);
      if (k > 1) {
        const theta = size / before;
        if (!(theta < MAX_CONTRACTION)) return size <= this.#rounding;
        eta = theta / (1 - theta);
      }
      const left = this.#hasFixedSteps ? size : eta * size;
      if (left <= this.#left && (k > 1 || unfiltered <= END_HIDEABLE)) {
        this.#unfiltered = unfiltered;
        kept.eta = eta;
        return true;
      }
      if (!(size < Number.POSITIVE_INFINITY)) return false;
      before = size;
    }
    return false;
  }
}

/** Orders in use: one, or all up to the highest. */
interface BdfOrders {
  readonly name: string;
  readonly highest: number;
  readonly fixed: boolean;
}

/**
 * Fixed steps: the first is divided into substeps whose length doubles after every six, so that those of low order
 * are too short to matter. The first substeps are 1.6e-4 of the step long. Shorter ones would amplify rounding, with
 * algebraic unknowns by 1 / h^2. The next six steps have substeps too. Rejected: lengths that grow in every substep,
 * which is unstable from order 4 on even for slow growth.
 */
const DOUBLINGS = 10;
const EVEN_PARTS = 6;
const LATER_PARTS = [6, 3, 3, 2, 2, 2];
/** Relative accuracy limit of differences of states. */
const FINEST = 1e-14;
const REFUSAL =
  "bdf: Newton's iteration did not converge: use shorter steps, remove discontinuous forces, or use rodas(), which does not iterate";

/** A BDF method bound to an ODE. State between steps is in the arena. */
class BdfStepper implements AdaptiveStepper {
  readonly interpolantRows: number;
  readonly skipsEndEvaluation = true;
  readonly rule: StepRule;
  readonly costs: ImplicitCosts;
  readonly #orders: BdfOrders;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #beginning: StepStart;
  readonly #history: BdfHistory;
  readonly #newton: BdfNewton;
  readonly #inside: InsideCheck;
  readonly #scratch: Address;
  readonly #choice: OrderChoice;
  /** Current attempt: its order, and the length of its last substep. */
  #used = 1;
  #last = 0;
  #isJudged = false;
  #tolerates = false;
  #part = 1;
  #hasFixedSteps = true;
  #norm: (vector: Address) => number;

  constructor(orders: BdfOrders, ode: Ode, workspace: Workspace) {
    const { name, highest } = orders;
    this.#orders = orders;
    this.#ode = ode;
    this.#workspace = workspace;
    this.interpolantRows = highest + 1;
    this.#beginning = new StepStart(name, REFUSAL, ode, workspace);
    this.#history = new BdfHistory(name, ode.dimension, workspace);
    this.#newton = new BdfNewton(name, ode, this.#beginning, workspace);
    this.#scratch = workspace.vector(`${name} difference`, ode.dimension);
    this.#inside = new InsideCheck(name, ode, this, this.#newton.check, workspace);
    this.costs = this.#beginning.costs;
    this.#norm = this.#scaled;
    this.#choice = arenaRecord(workspace, `${name} orders`, {
      order: 1,
      next: 1,
      estimate: 0,
      isStarting: 1,
      even: 0,
      failures: 0,
      length: 0,
      inParts: 0,
      taken: 0,
    });
    const choice = this.#choice;
    this.rule = {
      allowsShortLastStep: true,
      accepted: () => factorAccepted(choice),
      rejected: () => factorRejected(choice),
    };
  }

  get currentOrder(): number {
    return this.#choice.next;
  }

  setTolerance({ relative, positions, velocities }: StepTolerance, hasFixedSteps = false): void {
    const largest = Math.max(relative, positions, velocities);
    const factor = tolerancePart(largest, this.#ode);
    this.#part = factor;
    const [r, p, v] = [factor * relative, factor * positions, factor * velocities];
    this.#newton.tolerate(r, p, v, hasFixedSteps || this.#orders.fixed);
    this.#tolerates = true;
    this.#hasFixedSteps = hasFixedSteps;
  }

  attempt(t: number, h: number): void {
    const { y } = this.#ode;
    const history = this.#history;
    const choice = this.#choice;
    this.#isJudged = false;
    // Substeps pushed by an uncommitted attempt are removed.
    if (choice.inParts === 1) history.undo();
    choice.inParts = 0;
    history.begin(y, h);
    const isFirst = history.known === 1;
    if (isFirst) choice.order = 1;
    const parts = isFirst ? 0 : (LATER_PARTS[choice.taken - 1] ?? 1);
    if (parts === 1 || !(this.#hasFixedSteps || this.#orders.fixed)) {
      this.#step(t, h, choice.order);
      return;
    }
    history.keep();
    choice.inParts = 1;
    this.#stepInParts(t, h, parts);
    choice.order = this.#used;
    choice.isStarting = 0;
  }

  accept(): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, trial, y);
  }

  error(t: number, h: number, norm: (error: Address) => number): number {
    this.#norm = this.#tolerates ? this.#scaled : norm;
    let size = this.#judge(!this.#hasFixedSteps);
    // The fraction accounts for the accumulated error of many steps. If forces jump, one step may use the full
    // tolerance.
    if (this.#choice.failures >= MAX_REJECTIONS) size *= this.#part;
    if (!(this.#tolerates && size <= 1)) return size;
    const gamma = this.#last / (BdfHistory.leading[this.#used] as number);
    const newton = this.#newton;
    const hidden = newton.hiddenError(t + h, gamma);
    if (hidden > 1 || this.#choice.inParts === 1) return Math.max(size, hidden);
    const before = this.#history.newest;
    return Math.max(size, this.#inside.hiddenError(t, h, newton.factored, before, newton.scale));
  }

  watch(span: number): void {
    this.#inside.watch(span);
  }

  commit(_t: number, h: number): void {
    const choice = this.#choice;
    this.#inside.commit(h);
    if (!this.#isJudged) this.#judge(false);
    this.#isJudged = false;
    this.#history.push(this.#last);
    this.#beginning.commit();
    this.#newton.commit();
    const isSame = choice.length === this.#last && choice.next === choice.order;
    choice.even = isSame ? choice.even + 1 : 1;
    choice.length = this.#last;
    choice.order = choice.next;
    choice.failures = 0;
    choice.inParts = 0;
    choice.taken += 1;
  }

  reset(): void {
    this.#beginning.reset();
    this.#newton.forget();
    this.#forget();
  }

  interpolant(_t: number, h: number, before: Address, out: Address): void {
    const { dimension: n, y } = this.#ode;
    const { kernels } = this.#workspace;
    kernels.copyVector(n, before, out);
    kernels.axpy(n, -1, before, y, out + 8 * n);
    const unit = this.#last / h;
    // Age of the state at the beginning of the step, which `before` replaces.
    const begins = this.#choice.inParts === 1 ? Math.round(1 / unit) - 1 : 0;
    this.#history.interpolate(this.#used, begins, unit, before, this.interpolantRows, out);
  }

  /** Takes a step from the newest state of the history; the trial is its end. */
  #step(t: number, h: number, order: number): void {
    const history = this.#history;
    const newton = this.#newton;
    this.#used = order;
    this.#last = h;
    newton.takeScale(h);
    if (history.known === 1) {
      this.#beginning.require(t);
      history.extend(
        h,
        this.#ode.algebraic?.differential ?? this.#ode.dimension,
        this.#beginning.slope,
      );
    }
    history.locate(h, Math.min(Math.max(history.known, 2), order + 2));
    history.predict(order, newton.predicted);
    const leading = BdfHistory.leading[order] as number;
    history.differentiate(order, -1 / leading, newton.known);
    newton.solve(t, t + h, h / leading);
  }

  /**
   * Takes the first step in doubling substeps, later ones in even substeps. The end of the last substep is yet to be
   * accepted.
   */
  #stepInParts(t: number, h: number, parts: number): void {
    const isFirst = parts === 0;
    const count = isFirst ? DOUBLINGS * EVEN_PARTS : parts;
    const first = h / (EVEN_PARTS * (2 ** DOUBLINGS - 1));
    let done = 0;
    for (let part = 1; part <= count; part++) {
      const doublings = isFirst ? Math.floor((part - 1) / EVEN_PARTS) : DOUBLINGS;
      const length = isFirst ? first * 2 ** doublings : h / parts;
      const { known } = this.#history;
      const order = Math.min(this.#orders.highest, known - 1, Math.max(2, (doublings + 6) >> 1));
      this.#step(t + done, length, Math.max(1, order));
      done += length;
      if (part < count) this.#pushPart();
    }
  }

  #pushPart(): void {
    const { dimension, trial } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, trial, this.#history.end);
    this.#history.push(this.#last);
  }

  /** Returns the error of the step and chooses the order of the next one, given the end of the step. */
  #judge(mayFail: boolean): number {
    const { fixed, highest } = this.#orders;
    const history = this.#history;
    this.#isJudged = true;
    this.#workspace.kernels.copyVector(this.#ode.dimension, this.#ode.y, history.end);
    return chooseOrder(this.#choice, history, highest, mayFail, this.#errorAt, fixed);
  }

  #forget(): void {
    const choice = this.#choice;
    this.#history.forget();
    choice.order = 1;
    choice.next = 1;
    choice.isStarting = 1;
    choice.even = 0;
    choice.failures = 0;
    choice.inParts = 0;
    choice.taken = 0;
  }

  readonly #errorAt = (order: number): number => {
    this.#history.difference(order, this.#scratch);
    return this.#norm(this.#scratch);
  };

  readonly #scaled = (vector: Address): number => this.#newton.norm(vector);
}

/**
 * Returns the fraction of a tolerance e that the error of a step may reach. Steps with errors d have lengths ~
 * d^(1/(k+1)), and N of them add up to N d ~ d^(k/(k+1)). For errors of the motion ~ e, the error of a step may reach
 * c e^((k+1)/k), here with k = 5. With c = 1/5, errors were at most 2.1 tolerances on twelve problems, constant from
 * 1e-3 to 1e-8.
 */
function tolerancePart(largest: number, ode: Ode): number {
  const part = 0.2 * power(largest, 1 / 5) * (ode.algebraic?.tolerancePart ?? 1);
  return Math.max(part, Math.min(1, FINEST / largest));
}

/** Orders of BDF. */
export interface BdfOptions {
  /** Highest order. Default: 5. With 2 it is A-stable, for stiff motion with lightly damped oscillations. */
  readonly maximumOrder?: number;
  /** Fixed order for all steps. */
  readonly order?: number;
}

const SHAPE: Shape<BdfOptions> = {
  maximumOrder: whole(1, HIGHEST_ORDER),
  order: whole(1, HIGHEST_ORDER),
};

/** One object for each name: `solve` uses it as the key for memory of earlier runs. */
const made = new Map<string, AdaptiveIntegrator>();

/**
 * Backward differentiation formulas of orders 1 to 5 with variable steps, in the fixed-leading-coefficient form of
 * the code DASSL. One equation per step, and one real factorisation for many steps: for large stiff systems, in which
 * factorisations dominate. It restarts at order 1 after events, so there should be few of them.
 *
 * At a tolerance e the error of a step may reach e^(6/5) / 5, so the error of the motion is about e. Errors are
 * measured by their root mean square. From order 3 on, fast oscillations with little damping are unstable; the order
 * is lowered if they appear.
 *
 * Without `order`, fixed steps choose orders by the same rules.
 *
 * @example
 * solve(suspension, { span: [0, 10], integrator: bdf(), tolerance: 1e-5 });
 * bdf({ maximumOrder: 2 });  // A-stable
 * bdf({ order: 3 });         // steps of one length
 */
export function bdf(options: BdfOptions = {}, ...more: undefined[]): AdaptiveIntegrator {
  const read = optionsOf("bdf", "METHOD", options, SHAPE, more);
  const { order, maximumOrder = HIGHEST_ORDER } = read;
  if (order !== undefined && read.maximumOrder !== undefined) {
    throw new NodriftError("METHOD", "bdf: give order or maximumOrder, not both");
  }
  const highest = order ?? maximumOrder;
  const suffix = highest === HIGHEST_ORDER ? "" : ` up to ${highest}`;
  const name = order === undefined ? `bdf${suffix}` : `bdf of order ${order}`;
  const known = made.get(name);
  if (known) return known;
  const integrator: AdaptiveIntegrator = Object.freeze({
    name,
    reference:
      "Brenan, Campbell and Petzold, Numerical Solution of Initial-Value Problems in DAEs, SIAM 1996, chapter 5",
    order: highest,
    errorOrder: highest + 1,
    stages: 1,
    ...PLAIN_INTEGRATOR,
    isMultistep: true,
    isImplicit: true,
    highestIndex: 3,
    bind: (ode, workspace) =>
      new BdfStepper({ name, highest, fixed: order !== undefined }, ode, workspace),
  } satisfies AdaptiveIntegrator);
  made.set(name, integrator);
  return integrator;
}
