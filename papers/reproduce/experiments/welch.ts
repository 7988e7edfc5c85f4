// Tables 1 and 2 of Welch et al. 2007: the double pendulum and the slider-crank, in the plane.

import { type CoupledMethod, hong, type Method, simulate, welch } from "../../../src/index.js";
import {
  type WelchTable1Row,
  welchDoublePendulum,
  welchSliderCrank,
  welchTable1,
  welchTable1Steps,
  welchTable2Steps,
} from "../../mechanisms/index.js";
import { baumgarteHeun, projectedRk4, welchAsPrinted } from "./methods.js";
import { distance } from "./numbers.js";

/** End of all runs, s. */
const END = 10;

/**
 * Classes of quantities in table 1: rows from, rows to, and the relative deviation allowed; a
 * larger one for exact values, whose differences magnify it.
 */
export const table1Classes = [
  { name: "coordinates", from: 0, to: 6, allowed: 1e-12, exact: 1e-12 },
  { name: "rates", from: 6, to: 12, allowed: 1e-9, exact: 1e-9 },
  { name: "multipliers", from: 12, to: 16, allowed: 1e-8, exact: 5e-8 },
  { name: "constraints", from: 16, to: 20, allowed: 1e-6, exact: 1e-4 },
] as const;

/** A row of table 1 as measured. */
export interface MeasuredRow {
  /** The line as printed. */
  readonly printed: WelchTable1Row;
  /** Value for each step length. */
  readonly values: readonly [number, number, number];
  /** Order of the values: value = exact + C step^order (eq. 70). */
  readonly order: number;
  /** Limit of the values. */
  readonly exact: number;
}

/** Table 1, measured. */
export function measureTable1(coupled: CoupledMethod = welch({ passes: 1 })): MeasuredRow[] {
  const { equations, q, v } = welchDoublePendulum;
  const [coarse, middle, fine] = welchTable1Steps.map((step) => {
    const simulation = simulate(equations, { method: { coupled }, step, q, v }).runTo(END);
    const multipliers = simulation.stepMultipliers().map((value) => -value);
    return [...simulation.q, ...simulation.v, ...multipliers, ...simulation.phi()];
  }) as [number[], number[], number[]];
  return welchTable1.map((printed, row) => {
    const values = [coarse[row], middle[row], fine[row]] as [number, number, number];
    const [a, b, c] = values;
    const exact = c - (b - c) ** 2 / (a - 2 * b + c);
    return { printed, values, order: Math.log2((a - b) / (b - c)), exact };
  });
}

/** Worst relative deviation and worst deviation of the order, for each class of table 1. */
export function table1Deviations(rows: readonly MeasuredRow[]) {
  return table1Classes.map(({ name, from, to, allowed }) => {
    const part = rows.slice(from, to);
    const deviations = part.flatMap(({ printed, values }) =>
      values.map((value, i) => Math.abs(value / (printed.values[i] as number) - 1)),
    );
    const orders = part.map(({ printed, order }) => Math.abs(order - printed.order));
    return { name, allowed, value: Math.max(...deviations), order: Math.max(...orders) };
  });
}

/**
 * The double pendulum of table 1 by a method of fourth order: angles and the first multiplier, with the sign of the paper, at the
 * end; and the order of the multipliers of a step, assigned to its middle.
 */
export function convergedDoublePendulum() {
  const { equations, q, v } = welchDoublePendulum;
  const exact = (until: number) =>
    simulate(equations, { method: projectedRk4, step: 1e-3, q, v }).runTo(until);
  const [long, short] = [0.0025, 0.00125].map((step) => {
    const method = { coupled: welch() };
    const simulation = simulate(equations, { method, step, q, v }).runTo(END);
    return distance(simulation.stepMultipliers(), exact(END - step / 2).multipliers());
  }) as [number, number];
  const end = exact(END);
  return {
    angles: [end.q[2] as number, end.q[5] as number],
    lambda1: -(end.multipliers()[0] as number),
    multiplierOrder: Math.log2(long / short),
  };
}

/** The methods of table 2. */
export const table2Methods = {
  baumgarte: baumgarteHeun(1),
  secondOrder: welchAsPrinted,
  firstOrder: { coupled: hong() },
} satisfies Record<string, Method>;

/** Mean |Phi| of the slider-crank for the two steps of table 2: the last step is not counted. */
export function measureTable2(method: Method): [coarse: number, fine: number] {
  const { equations, q, v } = welchSliderCrank;
  return welchTable2Steps.map((step) => {
    const simulation = simulate(equations, { method, step, q, v, start: "asGiven" });
    const count = Math.round(END / step);
    let sum = 0;
    for (let k = 1; k < count; k++) sum += Math.hypot(...simulation.advance().phi());
    return sum / count;
  }) as [number, number];
}

/**
 * Largest error of the crank angle in the 10 s of table 2 with a step of 0.01, which the paper
 * calls converged.
 */
export function crankError(method: Method): number {
  const [step, finer] = [0.01, 10];
  const { equations, q, v } = welchSliderCrank;
  const simulation = simulate(equations, { method, step, q, v, start: "asGiven" });
  const exact = simulate(equations, { method: projectedRk4, step: step / finer, q, v });
  let largest = 0;
  simulation.runTo(END, () => {
    exact.advance(finer);
    largest = Math.max(largest, Math.abs((simulation.q[0] as number) - (exact.q[0] as number)));
  });
  return largest;
}
