import { power } from "../../../ground/algebra/portable-power.js";
import type { Address } from "../../../ground/memory/arena.js";
import { arenaRecord } from "../../../ground/memory/record.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { AdaptiveStepper, ImplicitCosts, Ode, StepRule } from "../../../seam/index.js";
import { InsideCheck } from "../implicit/end-check.js";
import { StepStart } from "../implicit/step-start.js";
import { BdfHistory } from "./bdf-history.js";
import { BdfNewton } from "./bdf-newton.js";
import {
  chooseOrder,
  DISTRUST,
  factorAccepted,
  factorRejected,
  type OrderChoice,
} from "./bdf-order.js";

/** Which orders are used: one, or those up to it. */
export interface BdfOrders {
  readonly name: string;
  readonly highest: number;
  readonly fixed: boolean;
}

/**
 * Steps of one length: the first is taken in parts that are twice as long after every six, so that those of low order are too
 * short to matter. The first parts have a length of 1.6e-4 of the step. Shorter ones would amplify rounding, with algebraic
 * unknowns by 1 / h^2. The next six steps have parts too. Rejected: lengths that grow with every part. From order 4 on that is
 * unstable, however slowly they grow.
 */
const DOUBLINGS = 10;
const EVEN_PARTS = 6;
const LATER_PARTS = [6, 3, 3, 2, 2, 2];
/** Differences of states are not more accurate than this. */
const FINEST = 1e-14;
const REFUSAL =
  "bdf: Newton's iteration did not converge: use shorter steps, remove discontinuous forces, or use rodas(), which does not iterate";

/** Backward differentiation in place. What outlives a step is in the arena. */
export class BdfStepper implements AdaptiveStepper {
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
  /** Of the attempt under way: the order, the length of its last part. */
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

  setTolerance(
    relative: number,
    positions: number,
    velocities: number,
    hasFixedSteps = false,
  ): void {
    const largest = Math.max(relative, positions, velocities);
    const factor = tolerancePart(largest, this.#ode);
    this.#part = factor;
    this.#newton.tolerate(
      factor * relative,
      factor * positions,
      factor * velocities,
      hasFixedSteps || this.#orders.fixed,
    );
    this.#tolerates = true;
    this.#hasFixedSteps = hasFixedSteps;
  }

  attempt(t: number, h: number): void {
    const { y } = this.#ode;
    const history = this.#history;
    const choice = this.#choice;
    this.#isJudged = false;
    // What an attempt in parts has pushed was not committed.
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
    // The part is for what many steps add up to: where forces jump, one step may use all of the tolerance.
    if (this.#choice.failures >= DISTRUST) size *= this.#part;
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
    // Age of the state where the step begins, whose place `before` takes.
    const begins = this.#choice.inParts === 1 ? Math.round(1 / unit) - 1 : 0;
    this.#history.interpolate(this.#used, begins, unit, before, this.interpolantRows, out);
  }

  /** A step from the newest state of the history: the trial is its end. */
  #step(t: number, h: number, order: number): void {
    const history = this.#history;
    const newton = this.#newton;
    this.#used = order;
    this.#last = h;
    newton.takeScale(h);
    if (history.known === 1) {
      this.#beginning.require(t);
      history.extend(h, this.#ode.differential ?? this.#ode.dimension, this.#beginning.slope);
    }
    history.locate(h, Math.min(Math.max(history.known, 2), order + 2));
    history.predict(order, newton.predicted);
    const leading = BdfHistory.leading[order] as number;
    history.differentiate(order, -1 / leading, newton.known);
    newton.solve(t, t + h, h / leading);
  }

  /** The first step, in parts that double; later ones in even parts. The end of the last part is yet to be accepted. */
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

  /** With the end of the step: its error, and the order of the next one. */
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
 * Part of a tolerance e that a step may be wrong by. Steps that may be wrong by d have lengths ~ d^(1/(k+1)), and N of them are
 * wrong by N d ~ d^(k/(k+1)): for errors of the motion ~ e a step may be wrong by c e^((k+1)/k), here with k = 5. c = 1/5
 * left errors of at most 2.1 tolerances on twelve problems, flat from 1e-3 to 1e-8.
 */
function tolerancePart(largest: number, ode: Ode): number {
  const part = 0.2 * power(largest, 1 / 5) * (ode.tolerancePart ?? 1);
  return Math.max(part, Math.min(1, FINEST / largest));
}
