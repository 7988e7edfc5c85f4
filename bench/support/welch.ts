// The experiments of Welch et al. 2007, for the figures and the tests.

import {
  baumgarte,
  type Coupled,
  heun,
  hong,
  type Method,
  simulate,
  udwadiaKalaba,
  welch,
} from "nodrift";
import {
  welchDoublePendulum,
  welchSliderCrank,
  welchTable1,
  welchTable1Steps,
  welchTable2Steps,
} from "nodrift/mechanisms";

/** Classes of quantities in table 1: rows from, rows to, and the relative deviation allowed. */
export const table1Classes = [
  { name: "coordinates", from: 0, to: 6, allowed: 1e-10 },
  { name: "rates", from: 6, to: 12, allowed: 1e-8 },
  { name: "multipliers", from: 12, to: 16, allowed: 1e-6 },
  { name: "constraints", from: 16, to: 20, allowed: 1e-5 },
] as const;

/** Rows of table 1 as measured: values for each step, and their order. */
export function measureTable1(coupled: Coupled = welch({ passes: 1 })) {
  const { equations, q, v } = welchDoublePendulum;
  const columns = welchTable1Steps.map((step) => {
    const simulation = simulate(equations, { method: { coupled }, step, q, v }).runTo(10);
    const multipliers = simulation.stepMultipliers().map((value) => -value);
    return [...simulation.q, ...simulation.v, ...multipliers, ...simulation.phi()];
  });
  return welchTable1.map((printed, row) => {
    const values = columns.map((column) => column[row]);
    const [a, b, c] = values;
    return { printed, values, order: Math.log2((a - b) / (b - c)) };
  });
}

/** Worst relative deviation and worst deviation of the order, for each class of table 1. */
export function table1Deviations(rows: ReturnType<typeof measureTable1>) {
  return table1Classes.map(({ name, from, to, allowed }) => {
    const part = rows.slice(from, to);
    const deviations = part.flatMap(({ printed, values }) =>
      values.map((value, i) => Math.abs(value / printed.values[i] - 1)),
    );
    const orders = part.map(({ printed, order }) => Math.abs(order - printed.order));
    return { name, allowed, value: Math.max(...deviations), order: Math.max(...orders) };
  });
}

/** The methods of table 2. */
export const table2Methods = {
  baumgarte: {
    formulation: udwadiaKalaba(),
    stabilisation: baumgarte({ alpha: (h) => 1 / h, beta: (h) => 1 / h }),
    integrator: heun(),
  },
  secondOrder: { coupled: welch({ passes: 1 }) },
  firstOrder: { coupled: hong() },
} satisfies Record<string, Method>;

/** Mean |Phi| of the slider-crank for the two steps of table 2: the last step is not counted. */
export function measureTable2(method: Method): number[] {
  const { equations, q, v } = welchSliderCrank;
  return welchTable2Steps.map((step) => {
    const simulation = simulate(equations, { method, step, q, v, start: "asGiven" });
    const count = Math.round(10 / step);
    let sum = 0;
    for (let k = 1; k < count; k++) sum += Math.hypot(...simulation.advance().phi());
    return sum / count;
  });
}

/** The linearised double pendulum: eq. 69 with its signs put right. */
export const linearPendulum = {
  mass: [1, 1, 25 / 12, 1, 1, 25 / 12],
  jacobian: [
    [1, 0, -2.5, 0, 0, 0],
    [0, 1, 0, 0, 0, 0],
    [-1, 0, -2.5, 1, 0, -2.5],
    [0, -1, 0, 0, 1, 0],
  ],
} as const;

/**
 * The faster frequency of the hanging double pendulum: for two equal rods
 * s^2 - 6 s + 27/7 = 0 with s = omega^2 L / g.
 */
export const fasterFrequency = Math.sqrt((3 + 6 / Math.sqrt(7)) * (10 / 5));
