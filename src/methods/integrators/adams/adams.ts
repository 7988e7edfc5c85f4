import { optionsOf, type Shape, whole } from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type { AdaptiveIntegrator, AdaptiveStepper, Ode } from "../../../interfaces/index.js";
import { PLAIN_INTEGRATOR } from "../../defaults.js";
import { writeHermite } from "../hermite.js";

/** Returns an element that exists. */
const at = (values: Float64Array, index: number) => values[index] as number;

/**
 * Computes scaled divided differences as weights of the values:
 *
 *   rho_0 ... rho_(m-1) f[x_0, ..., x_m] = sum over i <= m of table[m width + i] f(x_i).
 *
 * Scales as large as the distances keep the weights of the order of binomials where the nodes are spaced
 * evenly. No terms are added, so every weight is right to a few roundings.
 */
function scaledDifferences(
  nodes: Float64Array,
  scales: Float64Array,
  count: number,
  table: Float64Array,
  width: number,
): void {
  for (let m = 0; m < count; m++) {
    let own = 1;
    for (let i = 0; i < m; i++) {
      const distance = at(nodes, i) - at(nodes, m);
      table[m * width + i] = (at(table, (m - 1) * width + i) * at(scales, m - 1)) / distance;
      own *= at(scales, i) / -distance;
    }
    table[m * width + m] = own;
  }
}

/** Indices of the stored scalars; the lengths of the steps follow. */
enum Kept {
  KNOWN,
  NEWEST,
  ORDER,
  STARTING,
  FAILURES,
  PUSHED,
  TAKEN,
  COUNT,
}

/**
 * Slopes of earlier steps: rows of a ring buffer in the arena, one of them for the slope at the end of the current
 * attempt. All rows enter every sum, many with the weight zero, which would propagate NaN. Unused rows are therefore
 * overwritten by the newest. Lengths of steps are stored instead of times, as differences of late times are
 * inaccurate.
 */
class AdamsHistory {
  /** Times of the slopes relative to the newest one, in steps, the newest first. */
  readonly nodes: Float64Array;
  readonly #rows: number;
  readonly #slopes: Address;
  readonly #weights: Address;
  readonly #workspace: Workspace;
  readonly #n: number;
  #ring = new Float64Array(0);
  #kept = new Float64Array(0);

  constructor(name: string, n: number, length: number, workspace: Workspace) {
    const rows = length + 1;
    this.#n = n;
    this.#rows = rows;
    this.#workspace = workspace;
    this.nodes = new Float64Array(length);
    this.#slopes = workspace.vector(`${name} slopes`, n * rows);
    const weights = workspace.reserve(`${name} weights`, rows);
    const kept = workspace.reserve(`${name} history`, Kept.COUNT + rows);
    this.#weights = weights.address;
    workspace.whenSealed((arena) => {
      this.#ring = arena.floats(weights);
      this.#kept = arena.floats(kept);
      this.forget();
    });
  }

  /** The order of the coming step. */
  get order(): number {
    return at(this.#kept, Kept.ORDER);
  }
  set order(value: number) {
    this.#kept[Kept.ORDER] = value;
  }

  /** Whether no step has been taken yet, or the order has risen with every step. */
  get starting(): boolean {
    return this.#kept[Kept.STARTING] === 1;
  }
  set starting(value: boolean) {
    this.#kept[Kept.STARTING] = value ? 1 : 0;
  }

  /** Consecutive attempts whose error was too large. */
  get failures(): number {
    return at(this.#kept, Kept.FAILURES);
  }
  set failures(value: number) {
    this.#kept[Kept.FAILURES] = value;
  }

  /** Number of usable slopes, including the one at the beginning of the step. */
  get known(): number {
    return at(this.#kept, Kept.KNOWN);
  }

  /** The slope at the beginning of the step. */
  get newest(): Address {
    return this.#row(at(this.#kept, Kept.NEWEST));
  }

  /** The slope at the end of the step. */
  get end(): Address {
    return this.#row(this.#wrap(at(this.#kept, Kept.NEWEST) + 1));
  }

  /** Number of accepted steps. */
  get taken(): number {
    return at(this.#kept, Kept.TAKEN);
  }

  /** Commits the step and the slopes pushed for it. */
  commit(): void {
    this.#kept[Kept.PUSHED] = 0;
    this.#kept[Kept.TAKEN] = this.taken + 1;
    this.failures = 0;
  }

  /** Removes slopes pushed for a rejected step; the oldest slopes are already overwritten. */
  undo(): void {
    const pushed = at(this.#kept, Kept.PUSHED);
    if (pushed === 0) return;
    const newest = this.#wrap(at(this.#kept, Kept.NEWEST) - pushed);
    this.#kept[Kept.NEWEST] = newest;
    this.#kept[Kept.KNOWN] = Math.max(0, this.known - pushed);
    this.#kept[Kept.PUSHED] = 0;
    // Rows that are unused now: the pushed ones, and the end of the last substep.
    for (let k = 1; k <= pushed + 1; k++)
      this.#copy(this.newest, this.#row(this.#wrap(newest + k)));
  }

  forget(): void {
    this.#kept.fill(0);
    this.order = 1;
    this.starting = true;
  }

  /** Starts a history from the slope written to {@link newest}. */
  begin(): void {
    this.#kept[Kept.KNOWN] = 1;
    const { newest } = this;
    for (let row = 0; row < this.#rows; row++) this.#copy(newest, this.#row(row));
  }

  /** Discards all slopes except the newest if the direction of time is reversed. */
  handleReversal(h: number): void {
    const newest = at(this.#kept, Kept.NEWEST);
    if (this.known < 2 || at(this.#kept, Kept.COUNT + newest) * h > 0) return;
    this.forget();
    this.#kept[Kept.NEWEST] = newest;
    this.#kept[Kept.KNOWN] = 1;
  }

  /** Writes the {@link nodes} for a step of length h; returns their count. */
  locate(h: number): number {
    const newest = at(this.#kept, Kept.NEWEST);
    let back = 0;
    for (let age = 0; age < this.known; age++) {
      this.nodes[age] = age === 0 ? 0 : -back / h;
      back += at(this.#kept, Kept.COUNT + this.#wrap(newest - age));
    }
    return this.known;
  }

  /** Removes the end of the last attempt. */
  clearEnd(): void {
    this.#copy(this.newest, this.end);
  }

  /** Makes the slope at the end the newest, after the step of length h is accepted. */
  push(h: number): void {
    const newest = this.#wrap(at(this.#kept, Kept.NEWEST) + 1);
    this.#kept[Kept.NEWEST] = newest;
    this.#kept[Kept.COUNT + newest] = h;
    this.#kept[Kept.KNOWN] = Math.min(this.known + 1, this.#rows - 1);
    this.#kept[Kept.PUSHED] = at(this.#kept, Kept.PUSHED) + 1;
  }

  /** out = base + h sum of weights times slopes: the weight of the end, then the newest, and so on. */
  combine(h: number, base: Address, weights: Float64Array, from: number, out: Address): void {
    const ring = this.#ring;
    const end = at(this.#kept, Kept.NEWEST) + 1;
    ring.fill(0);
    for (let k = 0; k <= this.known; k++) ring[this.#wrap(end - k)] = at(weights, from + k);
    this.#workspace.kernels.combine(this.#n, this.#rows, h, base, this.#slopes, this.#weights, out);
  }

  #row(index: number): Address {
    return this.#slopes + 8 * this.#n * index;
  }

  #wrap(index: number): number {
    return ((index % this.#rows) + this.#rows) % this.#rows;
  }

  #copy(from: Address, to: Address): void {
    this.#workspace.kernels.copyVector(this.#n, from, to);
  }
}

/** The highest order, that of Shampine and Gordon. */
export const HIGHEST_ORDER = 12;

/**
 * Maximum amplification of rounding in the slopes by differences. Slopes that are too close together for the step are
 * omitted.
 */
const MAX_AMPLIFICATION = 1e4;

/**
 * Weights of the slopes in one step of a variable-step Adams method. In units of the step the slopes lie at
 * x_0 = 0 > x_1 > ..., the end at 1. With the functions of Newton scaled to be 1 at the end,
 *
 *   w_m(s) = prod over l < m of (s - x_l) / (1 - x_l),     g_(m+1) = integral of w_m over [0, 1],
 *
 * and the differences D_m = prod (1 - x_l) f[x_0, ..., x_m], the predictor of order k is y + h sum over m < k
 * of g_(m+1) D_m, the slope it expects at the end is e = sum D_m, and the corrector of order k + 1 adds
 * h g_(k+1) (f - e) to it (Shampine and Gordon, Computer Solution of ODEs, 1975, chapter 5;
 * Hairer, Norsett and Wanner, Solving ODEs I, section III.5: their g_(j,1)).
 *
 * Only falls d_m = g_(m+1) - g_(m+2) = (integral of (1 - s) w_m) / (1 - x_m) > 0 are computed, from moments
 * that are sums of positive terms, and each weight is a sum of terms of one sign: nothing cancels.
 */
export class AdamsWeights {
  /** Last computed weights: that of the slope at the end, then those at x_0, x_1, ... */
  readonly weights = new Float64Array(HIGHEST_ORDER + 1);
  readonly #table = new Float64Array(HIGHEST_ORDER * HIGHEST_ORDER);
  readonly #distances = new Float64Array(HIGHEST_ORDER);
  readonly #falls = new Float64Array(HIGHEST_ORDER);
  readonly #moments = new Float64Array(HIGHEST_ORDER + 1);

  /** Prepares the weights for the nodes; returns how many of them are usable, the latest first. */
  prepare(nodes: Float64Array, count: number): number {
    for (let l = 0; l < count; l++) this.#distances[l] = 1 - at(nodes, l);
    scaledDifferences(nodes, this.#distances, count, this.#table, HIGHEST_ORDER);
    this.#findFalls(nodes, count);
    for (let m = 1; m < count; m++) {
      let magnified = 0;
      for (let i = 0; i <= m; i++) magnified += Math.abs(at(this.#table, m * HIGHEST_ORDER + i));
      if (!(magnified <= MAX_AMPLIFICATION)) return m;
    }
    return count;
  }

  /** Writes the weights of the explicit formula of order k: Adams-Bashforth, if the steps are equal. */
  predictor(k: number): void {
    this.weights.fill(0);
    let g = 1;
    for (let m = 0; m < k; m++) {
      this.#add(m, g);
      g -= at(this.#falls, m);
    }
  }

  /** Writes the weights of the implicit formula of order k + 1: Adams-Moulton, if the steps are equal. */
  corrector(k: number): void {
    this.weights.fill(0);
    let fallen = 0;
    for (let m = k - 1; m >= 0; m--) {
      fallen += at(this.#falls, m);
      this.#add(m, fallen);
    }
    this.weights[0] = 1 - fallen;
  }

  /** Writes the weights of the implicit formula of order k + 1 minus that of order k, the error of the latter. */
  error(k: number): void {
    this.weights.fill(0);
    const fall = at(this.#falls, k - 1);
    for (let m = 0; m < k; m++) this.#add(m, fall);
    this.weights[0] = -fall;
  }

  /** Adds a multiple of the difference D_m. */
  #add(m: number, factor: number): void {
    const { weights } = this;
    for (let i = 0; i <= m; i++) {
      weights[i + 1] = at(weights, i + 1) + factor * at(this.#table, m * HIGHEST_ORDER + i);
    }
  }

  /** Computes the d_m from moments, the integrals of s^p (1 - s) w_m(s), for m = 0, 1, ... in place. */
  #findFalls(nodes: Float64Array, count: number): void {
    const moments = this.#moments;
    for (let p = 0; p < count; p++) moments[p] = 1 / ((p + 1) * (p + 2));
    for (let m = 0; m < count; m++) {
      const distance = at(this.#distances, m);
      this.#falls[m] = at(moments, 0) / distance;
      for (let p = 0; p < count - 1 - m; p++) {
        moments[p] = (at(moments, p + 1) - at(nodes, m) * at(moments, p)) / distance;
      }
    }
  }
}

/** Consecutive failures after which the method discards its history and restarts at order 1. */
const MAX_FAILURES = 3;

/**
 * Chooses the order of the coming step by the rules of Shampine and Gordon (Computer Solution of
 * ODEs, chapter 7): initially every step raises it; later it falls if lower orders are no worse, and rises if the
 * next is better. `error(k)` is the size the error would have had at order k. Returns the error of the step: at its
 * own order if that is too large, else at the chosen order.
 */
export function chooseOrder(
  history: AdamsHistory,
  used: number,
  usable: number,
  highest: number,
  error: (order: number) => number,
  mayFail: boolean,
): number {
  const own = error(used);
  const below = used > 1 ? error(used - 1) : Number.POSITIVE_INFINITY;
  const lower = used === 2 ? below <= own / 2 : used > 2 && Math.max(below, error(used - 2)) <= own;
  if (mayFail && !(own <= 1)) {
    history.failures++;
    history.starting = false;
    history.order = history.failures >= MAX_FAILURES ? 1 : lower ? used - 1 : used;
    return own;
  }
  if (history.starting && !lower && used < highest) {
    history.order = used + 1;
    return own;
  }
  history.starting = false;
  history.order = lower ? used - 1 : used;
  if (lower) return below;
  if (used === highest || used + 1 > usable) return own;
  const above = error(used + 1);
  if (used > 1 && below <= Math.min(own, above)) {
    history.order = used - 1;
    return below;
  }
  if (!(above < (used === 1 ? own / 2 : own))) return own;
  history.order = used + 1;
  return above;
}

const WIDTH = HIGHEST_ORDER + 1;

/**
 * Weights of the slopes in the rows of dense output, from row 4 on: the rows before are the cubic with the values and
 * slopes of both ends. The slopes at u_0 = 1, u_1, ..., u_k in units of the step have the polynomial
 * Q = sum of f[u_0, ..., u_j] prod over l < j of (s - u_l). The products are written in the functions
 *
 *   A_0 = 1, A_1 = s, A_2 = s (s - 1), A_3 = s^2 (s - 1), ...   with   s A_m = A_(m+1) + (m odd) A_m,
 *   A_m' = m A_(m-1) -+ floor(m / 2) A_(m-2)   (- for even m, + for odd m),
 *
 * and integrated there; A_4 and those after it vanish with their slopes at both ends.
 */
class AdamsDense {
  /** Row m begins at {@link stride} m: the weight of the slope at the end, then u_1, u_2, ... */
  readonly rows = new Float64Array((HIGHEST_ORDER + 2) * WIDTH);
  readonly stride = WIDTH;
  /** u_0 = 1, u_1, ...; write them before {@link prepare}. */
  readonly nodes = new Float64Array(WIDTH);
  readonly #scales = new Float64Array(WIDTH);
  readonly #table = new Float64Array(WIDTH * WIDTH);
  readonly #product = new Float64Array(WIDTH);
  readonly #integral = new Float64Array(WIDTH + 1);

  /** Computes rows 4 to k + 1 from the slope at the end and k slopes before it. */
  prepare(k: number): void {
    const { nodes, rows } = this;
    this.#scales[0] = 1;
    for (let l = 1; l <= k; l++) this.#scales[l] = 1 - at(nodes, l);
    scaledDifferences(nodes, this.#scales, k + 1, this.#table, WIDTH);
    rows.fill(0);
    this.#product.fill(0);
    this.#product[0] = 1;
    for (let j = 0; j <= k; j++) {
      if (j >= 3) this.#addIntegral(j);
      if (j < k) this.#multiply(j);
    }
  }

  /** Multiplies the product by (s - u_j) / scale_j. */
  #multiply(j: number): void {
    const product = this.#product;
    const node = at(this.nodes, j);
    const scale = at(this.#scales, j);
    for (let m = j + 1; m >= 0; m--) {
      const from = m > 0 ? at(product, m - 1) : 0;
      product[m] = (from + ((m & 1) - node) * at(product, m)) / scale;
    }
  }

  /** Adds difference j times the integral of the product, which has degree j + 1. */
  #addIntegral(j: number): void {
    const integral = this.#integral;
    integral.fill(0);
    for (let m = j + 1; m >= 4; m--) {
      const half = (m + 1) >> 1;
      const above = m <= j ? half * at(integral, m + 1) : 0;
      const left = at(this.#product, m - 1) - (m & 1 ? -above : above);
      integral[m] = left / m;
      // Row m multiplies (-1)^floor(m / 2) A_m.
      const sign = (m >> 1) & 1 ? -1 : 1;
      for (let i = 0; i <= j; i++) {
        const place = m * WIDTH + i;
        this.rows[place] =
          at(this.rows, place) + sign * at(integral, m) * at(this.#table, j * WIDTH + i);
      }
    }
  }
}

/**
 * Numbers of substeps of the first steps for a fixed order. Those of the first step end at (i / 16)^4 of its length:
 * the error of the first substep, which has order 1, is below rounding, and the order rises faster than the length.
 * The other steps are divided evenly, and no substep is much longer than the previous one, as extrapolation from
 * close slopes is inaccurate.
 */
const STARTING_PARTS = [16, 4, 3, 3, 2, 2, 2, 2];

/** Orders in use: one, or all up to the highest. */
interface AdamsOrders {
  readonly name: string;
  readonly highest: number;
  readonly fixed: boolean;
}

/** A variable-step Adams method bound to an ODE. State between steps is in its history, in the arena. */
class AdamsStepper implements AdaptiveStepper {
  readonly skipsEndEvaluation = false;
  readonly interpolantRows: number;
  readonly #orders: AdamsOrders;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #history: AdamsHistory;
  readonly #formula = new AdamsWeights();
  readonly #dense = new AdamsDense();
  readonly #zero: Address;
  readonly #scratch: Address;
  /** State and slope at the beginning of substeps. */
  readonly #base: Address;
  readonly #first: Address;
  // Current attempt: its order, its usable slopes, the length of its last substep.
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

  /** The tolerance only decides whether a step is accepted. */
  setTolerance(): void {}

  watch(): void {}

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

  /** Predicts, evaluates and corrects, from a state to the trial. */
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

  /** Takes a step in substeps; all are committed except the last, whose end is yet to be accepted. */
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

  /** Returns the error of the step and chooses the next order, given the slope at the end. */
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

  /** Norm that compares orders if no tolerance is set. */
  readonly #euclidean = (vector: Address): number =>
    Math.sqrt(this.#workspace.kernels.dot(this.#ode.dimension, vector, vector));
}

/** Orders of an Adams method. */
export interface AdamsOptions {
  /** Highest order. Default: 12. */
  readonly maximumOrder?: number;
  /** Fixed order for all steps. Above 9, oscillations grow unless h times their frequency is below 0.05. */
  readonly order?: number;
}

const SHAPE: Shape<AdamsOptions> = {
  maximumOrder: whole(1, HIGHEST_ORDER),
  order: whole(1, HIGHEST_ORDER),
};

/**
 * Adams-Bashforth-Moulton in PECE form with variable step and order, after the codes DE and STEP of Shampine and
 * Gordon. Two evaluations per step at every order: recommended for expensive right-hand sides, smooth motion and many
 * outputs (dense output costs no evaluation). If forces jump it restarts at order 1, and Runge-Kutta methods are
 * preferable.
 *
 * Order k means a predictor of order k, an error estimate O(h^(k+1)), and a result of order k + 1: the corrector has
 * one order more, which the step keeps (local extrapolation).
 *
 * Without `order`, the first step has order 1 and should be small, as chosen by a controller. With `order`, the first
 * eight steps are divided into 34 substeps and have that order too: recommended for fixed steps.
 *
 * @example
 * adams();                     // orders 1 to 12
 * adams({ maximumOrder: 6 });  // for motion that is not quite smooth
 * adams({ order: 4 });         // steps of one length
 */
export function adams(options: AdamsOptions = {}, ...more: undefined[]): AdaptiveIntegrator {
  const read = optionsOf("adams", "METHOD", options, SHAPE, more);
  const { order: fixed, maximumOrder = HIGHEST_ORDER } = read;
  if (fixed !== undefined && read.maximumOrder !== undefined) {
    throw new NodriftError("METHOD", "adams: give order or maximumOrder, not both");
  }
  const highest = fixed ?? maximumOrder;
  const suffix = highest === HIGHEST_ORDER ? "" : ` up to ${highest}`;
  const name = fixed === undefined ? `adams${suffix}` : `adams of order ${fixed}`;
  return {
    name,
    reference:
      "Shampine and Gordon, Computer Solution of Ordinary Differential Equations, Freeman 1975; Hairer, Norsett and Wanner, Solving ODEs I, section III.5",
    order: highest + 1,
    errorOrder: highest + 1,
    stages: 2,
    ...PLAIN_INTEGRATOR,
    isMultistep: true,
    bind: (ode, workspace) =>
      new AdamsStepper({ name, highest, fixed: fixed !== undefined }, ode, workspace),
  };
}
