import { power } from "../../../base/algebra/portable-power.js";
import { BdfHistory } from "./bdf-history.js";

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
