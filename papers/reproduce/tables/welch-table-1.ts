import { welchDoublePendulumAngles, welchTable1Steps } from "../../mechanisms/index.js";
import {
  convergedDoublePendulum,
  type MeasuredRow,
  measureTable1,
  table1Classes,
} from "../experiments/welch.js";
import { checked, decimal, distance, relative, reproduced } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

/** lambda1 at t = 10, by an independent implementation. */
const LAMBDA1 = 59.5511;

export const welchTable1 = reproduction({
  name: "welch-table-1",
  paper: "Welch et al. 2007",
  title: "Table 1: planar double pendulum, scheme (44), at t = 10 s for three steps",
  notes: [
    "Gravity of 10 pulls along +x, which the text does not say; the rods begin along +y, at rest.",
    "The multipliers are those of the last corrector. They belong to the middle of the last " +
      "step, which is why they look like first order at its end.",
    "The column of exact values and that of orders are eq. (70) through the three values.",
  ],
  *measure() {
    const rows = measureTable1();
    for (const { from, to, allowed, exact } of table1Classes) {
      for (const row of rows.slice(from, to)) yield* entriesOf(row, allowed, exact);
    }
    yield* converged();
  },
});

function* entriesOf(
  { printed, values, exact, order }: MeasuredRow,
  allowed: number,
  allowedExact: number,
): Generator<Entry> {
  const { quantity } = printed;
  for (const [i, step] of welchTable1Steps.entries()) {
    const entry = { printed: printed.values[i], value: values[i] as number };
    yield reproduced(
      { quantity: `${quantity} at step ${decimal(step)}`, ...entry },
      relative(allowed),
    );
  }
  yield reproduced(
    { quantity: `${quantity}, exact`, printed: printed.exact, value: exact },
    relative(allowedExact),
  );
  yield reproduced(
    { quantity: `${quantity}, order`, printed: printed.order, value: order },
    distance(0.01),
  );
}

function* converged(): Generator<Entry> {
  const { angles, lambda1, multiplierOrder } = convergedDoublePendulum();
  for (const [i, reference] of welchDoublePendulumAngles.entries()) {
    const quantity = `theta${i + 1}, converged`;
    yield checked({ quantity, reference, value: angles[i] as number }, relative(1e-9));
  }
  yield checked(
    { quantity: "lambda1, converged", reference: LAMBDA1, value: lambda1 },
    relative(1e-6),
  );
  yield checked(
    {
      quantity: "order of the multipliers at the middle of the step",
      reference: 2,
      value: multiplierOrder,
    },
    distance(0.1),
  );
}
