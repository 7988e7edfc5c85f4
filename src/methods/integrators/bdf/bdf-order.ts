import { power } from "../../../ground/algebra/portable-power.js";
import { BdfHistory } from "./bdf-history.js";

/** What the choice of orders and lengths remembers, as numbers in the arena. */
export interface OrderChoice {
  /** Order of the attempt, and of the one after it. */
  order: number;
  next: number;
  /** What the next step would be wrong by if it were as long as the last. */
  estimate: number;
  /** 1 until orders and lengths have not risen with every step. */
  isStarting: number;
  /** Steps in a row of one order and length, and that length. */
  even: number;
  length: number;
  /** Attempts in a row whose error was too large. */
  failures: number;
  /** 1 if the attempt under way has pushed parts of its step. */
  inParts: number;
  /** Steps that have been accepted since the start. */
  taken: number;
}

/** Bounds of a change of the step, and the least growth that is worth a factorisation. */
const MOST = 2;
const LEAST = 0.5;
const LEAST_REJECTED = 0.25;
const WORTH = 1.2;
/** Errors in a row before the order is 1 again. */
export const DISTRUST = 3;

/**
 * Gives the error of a step, and chooses the order of the next one by the rules of the code DASSL (Brenan, Campbell and Petzold,
 * section 5.2.5). `sizeAt(k)` is the size of the end less the prediction of order k; multiplied by prod of i / distance_i it is
 * |h^(k+1) y^(k+1)|. At the start every step raises the order; later it falls where these do not fall with the order, as
 * they do not where an order is unstable, and rises where the next one is smaller.
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

/** By how much the step after an accepted one is longer. Lengths rise only after as many steps as the order needs. */
export function factorAccepted(choice: OrderChoice): number {
  const wanted = wantedFactor(choice);
  if (wanted < 1) return Math.max(LEAST, Math.min(0.9, wanted));
  if (choice.isStarting === 1) return Math.min(MOST, wanted);
  const isEven = choice.even >= choice.next;
  return isEven && wanted >= WORTH ? Math.min(MOST, wanted) : 1;
}

/** By how much an attempt is shorter that follows one whose error was too large. */
export function factorRejected(choice: OrderChoice): number {
  choice.failures += 1;
  choice.order = choice.failures >= DISTRUST ? 1 : choice.next;
  if (choice.failures > 1) return LEAST_REJECTED;
  return Math.max(LEAST_REJECTED, Math.min(0.9, 0.9 * wantedFactor(choice)));
}

/** Half of what is allowed is aimed at. NaN counts as infinitely large. */
function wantedFactor({ estimate, next }: OrderChoice): number {
  const wanted = power(2 * estimate + 1e-4, -1 / (next + 1));
  return wanted > 0 ? wanted : 0;
}

/**
 * The error of a step of order k over the size of its difference from the prediction: of the formula, and between the ends of steps, of
 * the interpolant (Brenan, Campbell and Petzold, section 5.2.4). Both are 1 / (k + 1) in steps of one length.
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
