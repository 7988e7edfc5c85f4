import type { Address } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { AdaptiveStepper, Ode } from "../../../seam/index.js";
import { writeHermite } from "../hermite.js";
import { AdamsDense } from "./adams-dense.js";
import { AdamsHistory } from "./adams-history.js";
import { chooseOrder } from "./adams-order.js";
import { AdamsWeights } from "./adams-weights.js";
import { at } from "./differences.js";

/**
 * Into how many parts the first steps are divided where the order is fixed. The first ends its parts at
 * (i / 16)^4 of its length: the error of the first part, which has order 1, is below rounding, and order
 * rises faster than length. The others are divided evenly, so that no part is much longer than the one before:
 * slopes that lie close together say little about what is far ahead.
 */
const STARTING_PARTS = [16, 4, 3, 3, 2, 2, 2, 2];

/** Which orders are used: one, or those up to it. */
export interface AdamsOrders {
  readonly name: string;
  readonly highest: number;
  readonly fixed: boolean;
}

/** A variable-step Adams method in place. What outlives a step is in its history, in the arena. */
export class AdamsStepper implements AdaptiveStepper {
  readonly interpolantRows: number;
  readonly #orders: AdamsOrders;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #history: AdamsHistory;
  readonly #formula = new AdamsWeights();
  readonly #dense = new AdamsDense();
  readonly #zero: Address;
  readonly #scratch: Address;
  /** State and slope where parts of a step begin. */
  readonly #base: Address;
  readonly #first: Address;
  // Of the attempt under way: its order, the slopes it could use, the length of its last part.
  #used = 1;
  #usable = 1;
  #last = 0;
  #inParts = false;
  #endKnown = false;
  #norm: (vector: Address) => number;

  constructor(orders: AdamsOrders, ode: Ode, workspace: Workspace) {
    const { name, highest, fixed } = orders;
    const n = ode.dimension;
    this.#orders = orders;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#history = new AdamsHistory(name, n, highest, workspace);
    this.#zero = workspace.vector(`${name} zero`, n);
    this.#scratch = workspace.vector(`${name} error`, n);
    this.#base = workspace.vector(`${name} beginning of a part`, fixed ? n : 0);
    this.#first = workspace.vector(`${name} first slope`, fixed ? n : 0);
    this.#norm = this.#euclidean;
    this.interpolantRows = Math.max(4, highest + 2);
  }

  get currentOrder(): number {
    return this.#orders.fixed ? this.#orders.highest : this.#history.order;
  }

  attempt(t: number, h: number): void {
    const history = this.#history;
    this.#endKnown = false;
    history.undo();
    history.handleReversal(h);
    if (history.known === 0) {
      this.#slopeAtState(t, history.newest);
      history.begin();
    }
    const parts = this.#orders.fixed ? (STARTING_PARTS[history.taken] ?? 1) : 1;
    this.#inParts = parts > 1;
    if (parts > 1) this.#stepInParts(t, h, parts);
    else this.#step(t, h, this.#ode.y);
  }

  accept(): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, trial, y);
  }

  error(t: number, h: number, norm: (error: Address) => number): number {
    this.#slopeAtState(t + h, this.#history.end);
    this.#endKnown = true;
    return this.#judge(norm, true);
  }

  commit(t: number, h: number): void {
    if (!this.#endKnown) {
      this.#slopeAtState(t + h, this.#history.end);
      this.#judge(this.#euclidean, false);
    }
    this.#endKnown = false;
    this.#history.push(this.#last);
    this.#history.commit();
  }

  reset(): void {
    this.#history.forget();
  }

  interpolant(_t: number, h: number, before: Address, out: Address): void {
    const history = this.#history;
    const { dimension: n, y } = this.#ode;
    const { nodes, rows, stride } = this.#dense;
    const first = this.#inParts ? this.#first : history.newest;
    writeHermite(this.#workspace, n, h, before, y, first, history.end, out);
    const part = this.#last / h;
    nodes[0] = 1;
    for (let i = 0; i < this.#used; i++) nodes[i + 1] = 1 + (at(history.nodes, i) - 1) * part;
    this.#dense.prepare(this.#used);
    for (let m = 4; m < this.interpolantRows; m++) {
      const row = out + 8 * n * m;
      if (m > this.#used + 1) this.#workspace.kernels.copyVector(n, this.#zero, row);
      else history.combine(h, this.#zero, rows, m * stride, row);
    }
  }

  /** Predicts, evaluates and corrects: from a state to the trial. */
  #step(t: number, h: number, from: Address): void {
    const history = this.#history;
    const formula = this.#formula;
    const { trial } = this.#ode;
    const order = this.currentOrder;
    this.#last = h;
    this.#usable = formula.prepare(history.nodes, Math.min(history.locate(h), order + 1));
    this.#used = Math.min(order, this.#usable);
    history.clearEnd();
    formula.predictor(this.#used);
    history.combine(h, from, formula.weights, 0, trial);
    this.#ode.rate(t + h, history.end);
    formula.corrector(this.#used);
    history.combine(h, from, formula.weights, 0, trial);
  }

  /** All parts are steps of their own but for the last, whose end is yet to be accepted. */
  #stepInParts(t: number, h: number, parts: number): void {
    const history = this.#history;
    const { kernels } = this.#workspace;
    const { dimension, trial, y } = this.#ode;
    const isStart = history.taken === 0;
    kernels.copyVector(dimension, history.newest, this.#first);
    kernels.copyVector(dimension, y, this.#base);
    let done = 0;
    for (let part = 1; part <= parts; part++) {
      const even = part / parts;
      const next = isStart ? even * even * even * even : even;
      this.#step(t + done * h, (next - done) * h, this.#base);
      done = next;
      if (part === parts) return;
      kernels.copyVector(dimension, trial, this.#base);
      this.#ode.rate(t + done * h, history.end);
      history.push(this.#last);
    }
  }

  #slopeAtState(t: number, out: Address): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, y, trial);
    this.#ode.rate(t, out);
  }

  /** With the slope at the end: the error of the step, and the order of the next. */
  #judge(norm: (error: Address) => number, mayFail: boolean): number {
    const { fixed, highest } = this.#orders;
    this.#norm = norm;
    if (fixed) return mayFail ? this.#errorAt(this.#used) : 0;
    return chooseOrder(this.#history, this.#used, this.#usable, highest, this.#errorAt, mayFail);
  }

  readonly #errorAt = (order: number): number => {
    this.#formula.error(order);
    this.#history.combine(this.#last, this.#zero, this.#formula.weights, 0, this.#scratch);
    return this.#norm(this.#scratch);
  };

  /** Orders are compared by it if no tolerance is set. */
  readonly #euclidean = (vector: Address): number =>
    Math.sqrt(this.#workspace.kernels.dot(this.#ode.dimension, vector, vector));
}
