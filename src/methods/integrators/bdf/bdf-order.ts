import { power } from "../../../base/algebra/portable-power.js";
import type { Address } from "../../../base/memory/arena.js";
import { arenaRecord } from "../../../base/memory/record.js";
import type { Workspace } from "../../../base/memory/workspace.js";

/** Scalar state of the choice of orders and step lengths, stored in the arena. */
export interface OrderChoice {
  /** Order of the attempt, and of the one after it. */
  order: number;
  next: number;
  /** Error estimate of the next step if it had the length of the last. */
  estimate: number;
  /** 1 while orders and lengths rise in every step. */
  isStarting: number;
  /** Number of consecutive steps of equal order and length, and that length. */
  even: number;
  length: number;
  /** Consecutive attempts whose error was too large. */
  failures: number;
  /** 1 if the current attempt has pushed substeps. */
  inParts: number;
  /** Number of accepted steps since the initial state. */
  taken: number;
}

/** Bounds of the factor between steps, and the smallest growth that is worth a factorisation. */
const MAX_FACTOR = 2;
const MIN_FACTOR = 0.5;
const MIN_FACTOR_REJECTED = 0.25;
const MIN_USEFUL_GROWTH = 1.2;
/** Consecutive rejections after which the order is reset to 1. */
export const MAX_REJECTIONS = 3;

/**
 * Returns the error of a step, and chooses the order of the next one by the rules of the code DASSL (Brenan, Campbell
 * and Petzold, section 5.2.5). `sizeAt(k)` is the size of the end minus the prediction of order k; multiplied by prod
 * of i / distance_i it is |h^(k+1) y^(k+1)|. Initially every step raises the order. Later it falls if these terms do
 * not decrease with the order, as happens if an order is unstable, and rises if the next one is smaller.
 */
export function chooseOrder(
  choice: OrderChoice,
  history: BdfHistory,
  highest: number,
  mayFail: boolean,
  sizeAt: (order: number) => number,
  isFixed: boolean,
): number {
  const k = choice.order;
  const size = sizeAt(k);
  const error = errorConstant(history, k) * size;
  const own = derivativeFactor(history, k) * size;
  choice.next = k;
  choice.estimate = own / (k + 1);
  if (isFixed) return error;
  const below = k > 1 ? derivativeFactor(history, k - 1) * sizeAt(k - 1) : Number.POSITIVE_INFINITY;
  const isLower =
    k === 2
      ? below <= own / 2
      : k > 2 && Math.max(below, derivativeFactor(history, k - 2) * sizeAt(k - 2)) <= own;
  if (mayFail && !(error <= 1)) {
    choice.isStarting = 0;
    choice.estimate = Math.max(error, choice.estimate);
    if (isLower) lower(choice, below);
    return error;
  }
  const canRise = k < highest && history.known > k;
  if (choice.isStarting === 1 && !isLower && k < highest) {
    if (canRise) choice.next = k + 1;
    return error;
  }
  choice.isStarting = 0;
  if (isLower) lower(choice, below);
  else if (canRise && history.known > k + 1 && choice.even >= k) {
    const above = derivativeFactor(history, k + 1) * sizeAt(k + 1);
    if (k > 1 && below <= Math.min(own, above)) lower(choice, below);
    else if (above < (k === 1 ? own / 2 : own)) {
      choice.next = k + 1;
      choice.estimate = above / (k + 2);
    }
  }
  return error;
}

function lower(choice: OrderChoice, below: number): void {
  choice.next = choice.order - 1;
  choice.estimate = below / choice.order;
}

/**
 * Returns the factor of the step length after an accepted step. It grows only after as many steps as the order needs.
 */
export function factorAccepted(choice: OrderChoice): number {
  const wanted = wantedFactor(choice);
  if (wanted < 1) return Math.max(MIN_FACTOR, Math.min(0.9, wanted));
  if (choice.isStarting === 1) return Math.min(MAX_FACTOR, wanted);
  const isEven = choice.even >= choice.next;
  return isEven && wanted >= MIN_USEFUL_GROWTH ? Math.min(MAX_FACTOR, wanted) : 1;
}

/** Returns the factor of the step length after a rejected attempt. */
export function factorRejected(choice: OrderChoice): number {
  choice.failures += 1;
  choice.order = choice.failures >= MAX_REJECTIONS ? 1 : choice.next;
  if (choice.failures > 1) return MIN_FACTOR_REJECTED;
  return Math.max(MIN_FACTOR_REJECTED, Math.min(0.9, 0.9 * wantedFactor(choice)));
}

/** Returns the factor that aims at half the allowed error. NaN counts as infinitely large. */
function wantedFactor({ estimate, next }: OrderChoice): number {
  const wanted = power(2 * estimate + 1e-4, -1 / (next + 1));
  return wanted > 0 ? wanted : 0;
}

/**
 * Ratio of the error of a step of order k to its difference from the prediction, for the formula and for the
 * interpolant between the ends of steps (Brenan, Campbell and Petzold, section 5.2.4). Both are 1 / (k + 1) for fixed
 * steps.
 */
function errorConstant(history: BdfHistory, k: number): number {
  const last = 1 / history.distance(k + 1);
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += 1 / history.distance(i);
  return Math.max(last, Math.abs(last + sum - (BdfHistory.leading[k] as number)));
}

/** prod over i <= k + 1 of i / distance_i. */
function derivativeFactor(history: BdfHistory, k: number): number {
  let factor = 1;
  for (let i = 1; i <= k + 1; i++) factor *= i / history.distance(i);
  return factor;
}

/** BDF of order 6 has such a small region of stability that no code uses it; from order 7 on it is unstable. */
export const HIGHEST_ORDER = 5;
/** Order k predicts from k + 1 earlier states; one more row holds the end of the step. */
const ROWS = HIGHEST_ORDER + 2;

/**
 * States at the ends of earlier steps, as rows of a ring buffer in the arena, and the formulas over them. In the
 * fixed-leading-coefficient form (Jackson and Sacks-Davis, ACM TOMS 6 (1980) 295-318; Brenan, Campbell and Petzold,
 * Numerical Solution of Initial-Value Problems in DAEs, SIAM 1996, section 5.2) a step of order k needs the
 * polynomial P through the last k + 1 states only, at the end of the step:
 *
 *   y' = P' + alpha_k / h (y - P),   alpha_k = 1 + 1/2 + ... + 1/k,
 *
 * which is BDF on the values of P at t - h, ..., t - (k - 1) h. P and P' are sums of the states weighted by
 * L_i = prod over j of x_j / (x_j - x_i) and L_i' = -L_i sum over j of 1 / x_j, with j other than i and the nodes x in steps from the end.
 *
 * The states themselves are stored, and the newest is read from y before each step. Rejected: Nordsieck's scaled
 * derivatives and modified differences. All rows would have to follow corrections after a step, such as projections
 * or normalised Euler parameters, and recomputed accelerations and multipliers.
 */
export class BdfHistory {
  /** Alpha_k by order. */
  static readonly leading = [0, 1, 3 / 2, 11 / 6, 25 / 12, 137 / 60] as const;
  /** Times of the states before the end, the newest first, in steps from the end: x_0 = -1. */
  readonly #nodes = new Float64Array(ROWS);
  readonly #n: number;
  readonly #workspace: Workspace;
  readonly #states: Address;
  readonly #zero: Address;
  readonly #weights: Address;
  readonly #kept: { known: number; newest: number };
  readonly #before: { known: number; newest: number };
  readonly #backup: Address;
  readonly #slots: number;
  readonly #products = new Float64Array(ROWS);
  #ring = new Float64Array(0);
  #lengths = new Float64Array(0);
  #unit = 1;
  #begins = 0;

  constructor(name: string, n: number, workspace: Workspace) {
    this.#n = n;
    this.#workspace = workspace;
    // Each state is stored with the length of the step that ended at it.
    this.#slots = (n + 1) * ROWS;
    const states = workspace.reserve(`${name} states`, this.#slots);
    this.#states = states.address;
    this.#backup = workspace.vector(`${name} states before`, this.#slots);
    this.#zero = workspace.vector(`${name} zero`, n);
    const weights = workspace.reserve(`${name} weights`, ROWS);
    this.#weights = weights.address;
    this.#kept = arenaRecord(workspace, `${name} history`, { known: 0, newest: 0 });
    this.#before = arenaRecord(workspace, `${name} history before`, { known: 0, newest: 0 });
    workspace.whenSealed((arena) => {
      this.#ring = arena.floats(weights);
      this.#lengths = arena.floats(states).subarray(n * ROWS);
    });
  }

  /** Number of usable states before the end of the step. */
  get known(): number {
    return this.#kept.known;
  }

  /** Row of the state at the beginning of the step. */
  get newest(): Address {
    return this.#row(0);
  }

  /** Row of the end of the step. */
  get end(): Address {
    return this.#row(1);
  }

  forget(): void {
    this.#kept.known = 0;
  }

  /** Sets y as the state at the beginning of the step. Discards the history if the direction is reversed. */
  begin(y: Address, h: number): void {
    const kept = this.#kept;
    if (kept.known > 1 && this.#length(0) * h < 0) kept.known = 0;
    if (kept.known === 0) {
      // All rows enter every sum, many with the weight zero, which would propagate NaN.
      for (let age = 0; age < ROWS; age++) this.#copy(y, this.#row(-age));
      kept.known = 1;
    } else {
      this.#copy(y, this.#row(0));
      this.#copy(y, this.#row(1));
    }
  }

  /** Adds the state extrapolated backwards by a slope, for this step only, if there are no earlier states. */
  extend(h: number, differential: number, slope: Address): void {
    this.#workspace.kernels.axpy(differential, -h, slope, this.#row(0), this.#row(-1));
    this.#setLength(0, h);
  }

  /** Computes the nodes of `count` states for a step of length h. */
  locate(h: number, count: number): void {
    let x = -1;
    for (let age = 0; age < count; age++) {
      this.#nodes[age] = x;
      x -= this.#length(age) / h;
    }
  }

  /** Distance of the end from the i-th state before it, in steps: 1, 2, 3, ... for fixed steps. */
  distance(i: number): number {
    return -(this.#nodes[i - 1] as number);
  }

  /** out = P of an order at the end of the step. */
  predict(order: number, out: Address): void {
    this.#weigh(order);
    for (let i = 0; i <= order; i++) this.#put(-i, this.#products[i] as number);
    this.#combine(1, out);
  }

  /** out = scale h P' at the end of the step. */
  differentiate(order: number, scale: number, out: Address): void {
    const x = this.#nodes;
    this.#weigh(order);
    let all = 0;
    for (let j = 0; j <= order; j++) all += 1 / (x[j] as number);
    for (let i = 0; i <= order; i++) {
      const others = all - 1 / (x[i] as number);
      this.#put(-i, -(this.#products[i] as number) * others);
    }
    this.#combine(scale, out);
  }

  /** out = the end minus P of the given order: a difference of the next order, of all states to the end. */
  difference(order: number, out: Address): void {
    this.#weigh(order);
    for (let i = 0; i <= order; i++) this.#put(-i, -(this.#products[i] as number));
    this.#put(1, 1);
    this.#combine(1, out);
  }

  /** Saves the states for {@link undo}. */
  keep(): void {
    this.#workspace.kernels.copyVector(this.#slots, this.#states, this.#backup);
    this.#before.known = this.#kept.known;
    this.#before.newest = this.#kept.newest;
  }

  /** Discards the states pushed since {@link keep}. */
  undo(): void {
    this.#workspace.kernels.copyVector(this.#slots, this.#backup, this.#states);
    this.#kept.known = this.#before.known;
    this.#kept.newest = this.#before.newest;
  }

  /** Makes the end the beginning of the next step, after a step of length h. */
  push(h: number): void {
    const kept = this.#kept;
    kept.newest = (kept.newest + 1) % ROWS;
    kept.known = Math.min(kept.known + 1, ROWS - 1);
    this.#setLength(0, h);
  }

  /**
   * Rows 2 to k of the nested form of the polynomial through `before` at 0, the end at 1, and the last k - 1 states
   * except that of the age `begins`, which is at 0 too: at times u in units of the step, in which the nodes' unit is
   * given. Newton's products are written in A_2 = s (s - 1), A_3 = s^2 (s - 1), ..., with
   * s A_m = A_(m+1) + (m odd) A_m; row m multiplies (-1)^floor(m / 2) A_m.
   */
  interpolate(
    order: number,
    begins: number,
    unit: number,
    before: Address,
    rows: number,
    out: Address,
  ): void {
    const n = this.#n;
    this.#unit = unit;
    this.#begins = begins;
    for (let m = 2; m < rows; m++) {
      const row = out + 8 * n * m;
      if (m > order) {
        this.#copy(this.#zero, row);
        continue;
      }
      const atStart = this.#nestedWeights(order, m);
      this.#combine(1, row);
      this.#workspace.kernels.axpy(n, atStart, before, row, row);
    }
  }

  /** Writes the weights of the end and of the states in row m, and returns that of the beginning. */
  #nestedWeights(order: number, m: number): number {
    const product = this.#products.fill(0);
    const sign = (m >> 1) & 1 ? -1 : 1;
    let atStart = 0;
    this.#ring.fill(0);
    product[2] = 1;
    for (let j = 2; j <= order; j++) {
      const part = sign * (product[m] as number);
      // The j-th divided difference, of the beginning, the end and j - 1 states.
      for (let i = 0; i <= j; i++) {
        let weight = part;
        for (let l = 0; l <= j; l++) {
          if (l !== i) weight /= this.#place(i) - this.#place(l);
        }
        if (i === 0) atStart += weight;
        else this.#add(i === 1 ? 1 : -this.#ageOf(i), weight);
      }
      if (j === order) break;
      const u = this.#place(j);
      for (let l = j + 1; l >= 2; l--) {
        product[l] = (product[l - 1] as number) + ((l & 1) - u) * (product[l] as number);
      }
    }
    return atStart;
  }

  /** Time of a node of the interpolant: the beginning, the end, then states. */
  #place(i: number): number {
    return i < 2 ? i : 1 + this.#unit * (this.#nodes[this.#ageOf(i)] as number);
  }

  #ageOf(i: number): number {
    return i - 2 < this.#begins ? i - 2 : i - 1;
  }

  /** Computes L_i of an order. */
  #weigh(order: number): void {
    const x = this.#nodes;
    this.#ring.fill(0);
    for (let i = 0; i <= order; i++) {
      const own = x[i] as number;
      let product = 1;
      for (let j = 0; j <= order; j++) {
        if (j !== i) product *= (x[j] as number) / ((x[j] as number) - own);
      }
      this.#products[i] = product;
    }
  }

  #put(age: number, weight: number): void {
    this.#ring[this.#index(age)] = weight;
  }

  #add(age: number, weight: number): void {
    const index = this.#index(age);
    this.#ring[index] = (this.#ring[index] as number) + weight;
  }

  #combine(scale: number, out: Address): void {
    const { kernels } = this.#workspace;
    kernels.combine(this.#n, ROWS, scale, this.#zero, this.#states, this.#weights, out);
  }

  /** Length of the step that ended at the state of an age. */
  #length(age: number): number {
    return this.#lengths[this.#index(-age)] as number;
  }

  #setLength(age: number, h: number): void {
    this.#lengths[this.#index(-age)] = h;
  }

  /** Row of a state: 1 for the end, 0 for the newest, -1, -2, ... for earlier ones. */
  #row(age: number): Address {
    return this.#states + 8 * this.#n * this.#index(age);
  }

  #index(age: number): number {
    return (this.#kept.newest + age + ROWS) % ROWS;
  }

  #copy(from: Address, to: Address): void {
    this.#workspace.kernels.copyVector(this.#n, from, to);
  }
}
