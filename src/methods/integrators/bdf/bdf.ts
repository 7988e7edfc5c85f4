import { optionsOf, type Shape, whole } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type { AdaptiveIntegrator } from "../../../seam/index.js";
import { HIGHEST_ORDER } from "./bdf-history.js";
import { BdfStepper } from "./bdf-stepper.js";

/** Which orders BDF may use. */
export interface BdfOptions {
  /** The highest order it may choose. Default: 5. With 2 it is A-stable: for stiff motion that oscillates with little damping. */
  readonly maximumOrder?: number;
  /** One order for all steps. */
  readonly order?: number;
}

const SHAPE: Shape<BdfOptions> = {
  maximumOrder: whole(1, HIGHEST_ORDER),
  order: whole(1, HIGHEST_ORDER),
};

/** One object for each name: `solve` finds the memory of an earlier run by it. */
const made = new Map<string, AdaptiveIntegrator>();

/**
 * Backward differentiation formulas with orders 1 to 5 and steps that vary, in the fixed-leading-coefficient form of the code
 * DASSL. One equation a step, and one real factorisation for many steps: for large stiff systems, whose factorisations cost
 * most. After events it begins again with order 1: without many of them.
 *
 * A step may be wrong by e^(6/5) / 5 at a tolerance e, so that the motion is wrong by about e. Errors are measured by their root
 * mean square. From order 3 on fast oscillations with little damping are unstable; the order falls if they show.
 *
 * Without `order` and with steps of one length, orders are chosen by the same rules.
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
    isMultistep: true,
    isImplicit: true,
    highestIndex: 3,
    bind: (ode, workspace) =>
      new BdfStepper({ name, highest, fixed: order !== undefined }, ode, workspace),
  } satisfies AdaptiveIntegrator);
  made.set(name, integrator);
  return integrator;
}
