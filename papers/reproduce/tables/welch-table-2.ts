import { welchTable2 as printedTable, welchTable2Steps } from "../../mechanisms/index.js";
import { crankError, measureTable2, table2Methods } from "../experiments/welch.js";
import {
  checked,
  contradicted,
  decimal,
  distance,
  relative,
  reproduced,
} from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const NAMES = {
  baumgarte: "Baumgarte, second order",
  secondOrder: "second order",
  firstOrder: "first order",
} as const;
const KEYS = ["baumgarte", "secondOrder", "firstOrder"] as const;

export const welchTable2 = reproduction({
  name: "welch-table-2",
  paper: "Welch et al. 2007",
  title: "Table 2: slider-crank over 10 s, mean |Phi| for two steps",
  notes: [
    "The rounded start of eq. (75) is taken as it is. The mean is a sum over all steps but the " +
      "last, divided by their number.",
    "The Runge-Kutta method of second order is Heun's; the midpoint rule overflows at a step of " +
      "0.02 s.",
    "A step of 0.01 s is called converged: see the errors of the crank angle.",
  ],
  *measure() {
    const means = new Map(KEYS.map((key) => [key, measureTable2(table2Methods[key])]));
    for (const [key, values] of means) yield* entriesOf(key, values);
    yield ratio(means.get("baumgarte")?.[1], means.get("secondOrder")?.[1]);
    yield* notConverged();
  },
});

function* entriesOf(
  key: keyof typeof NAMES,
  values: readonly [coarse: number, fine: number],
): Generator<Entry> {
  const printed = printedTable[key];
  for (const [i, step] of welchTable2Steps.entries()) {
    const quantity = `mean |Phi|, ${NAMES[key]}, at step ${decimal(step)}`;
    const entry = { quantity, printed: printed.values[i], value: values[i] as number };
    yield reproduced(entry, relative(1e-4));
  }
  const order = Math.log2(values[0] / values[1]);
  yield reproduced(
    { quantity: `n, ${NAMES[key]}`, printed: printed.order, value: order },
    distance(0.01),
  );
}

function ratio(baumgarte = Number.NaN, secondOrder = Number.NaN): Entry {
  return contradicted(
    {
      quantity: "mean |Phi| at step 0.01, Baumgarte over second order",
      printed: 3.78,
      reference: 1.4877e-5 / 3.9802e-6,
      value: baumgarte / secondOrder,
      note: "The text has 3.78, from table 1; it is 1.4877e-5 over 3.9802e-6 of table 2.",
    },
    5e-3,
    relative(2e-4),
  );
}

function* notConverged(): Generator<Entry> {
  const note = "The paper calls this step converged to within plotting accuracy.";
  for (const [key, reference] of [
    ["secondOrder", 0.089],
    ["baumgarte", 0.42],
  ] as const) {
    const quantity = `largest error of the crank angle at step 0.01, ${NAMES[key]}, rad`;
    const value = crankError(table2Methods[key]);
    yield checked({ quantity, reference, value, note }, relative(0.02));
  }
}
