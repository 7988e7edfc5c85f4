import { threeLinkErrors, threeLinkPosition } from "../../mechanisms/index.js";
import { ThreeLinks } from "../experiments/three-links.js";
import {
  checked,
  contradicted,
  decimal,
  distance,
  factor,
  ofPrint,
  relative,
  reproduced,
} from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const NAMES = {
  secondOrder: "second order",
  halfDamped: "Baumgarte, alpha = 0.5 / h",
  critical: "Baumgarte, alpha = 1 / h",
} as const;
const KEYS = ["secondOrder", "halfDamped", "critical"] as const;

/** Length of the runs in the paper, s, followed by its step lengths. */
const PRINTED_SPAN = 10;
const [COARSE, FINE] = [5e-5, 2.5e-5];
/** As printed: mean |Phi| for both steps, and n. */
const PRINTED = {
  halfDamped: [1.3712e-8, 3.4275e-9, 2.0],
  secondOrder: [3.4046e-12, 4.3761e-13, 2.96],
} as const;
const NOTE = "The paper gives neither masses nor the axis of the pin, and 10 s are chaotic.";

export const welchTable3 = reproduction({
  name: "welch-table-3",
  paper: "Welch et al. 2007",
  title: "Table 3: pendulum of three links in space, scheme (43), mean |Phi|",
  notes: [
    "The paper does not give masses and the axis of the pin, and after about 6 s the motion is " +
      "chaotic: its numbers come out in magnitude only, which is checked. Here all links have the same " +
      "density, and the pin turns about x.",
    "Nine numbers over 4 s of this model are compared with those of an independent " +
      "implementation instead.",
    "Heun's stages have Euler parameters that are no units, as they come: `unnormalisedEulerParameters`.",
  ],
  seconds: 17,
  async *measure() {
    const links = await ThreeLinks.compile();
    const found = { secondOrder: [], halfDamped: [], critical: [] } as Found;
    for (const { step, ...expected } of threeLinkErrors) {
      for (const key of KEYS) {
        const value = links.meanError(key, step);
        found[key].push(value);
        const quantity = `mean |Phi| over 4 s, ${NAMES[key]}, at step ${decimal(step)}`;
        yield checked({ quantity, reference: expected[key], value }, relative(1e-3));
      }
    }
    yield* orders(found);
    for (const [i, reference] of threeLinkPosition.entries()) {
      const quantity = `${"xyz"[i]} of the third link at 4 s, converged, m`;
      const value = links.lastCentre()[i] as number;
      yield checked({ quantity, reference, value }, distance(1e-6, "m"));
    }
    yield* asPrinted(links);
  },
});

type Found = Record<(typeof KEYS)[number], number[]>;

/** Orders from the two shortest steps. */
function* orders(found: Found): Generator<Entry> {
  for (const [key, reference] of [
    ["secondOrder", 3],
    ["halfDamped", 2],
    ["critical", 3],
  ] as const) {
    const [, long, short] = found[key] as [number, number, number];
    const quantity = `n over 4 s, ${NAMES[key]}`;
    yield checked({ quantity, reference, value: Math.log2(long / short) }, distance(0.01));
  }
}

function* asPrinted(links: ThreeLinks): Generator<Entry> {
  const fine: number[] = [];
  for (const key of ["halfDamped", "secondOrder"] as const) {
    const [ofCoarse, ofFine, ofOrder] = PRINTED[key];
    const name = NAMES[key];
    const long = links.meanError(key, COARSE, PRINTED_SPAN);
    const quantity = `mean |Phi| over 10 s, ${name}, at step`;
    yield inMagnitude(`${quantity} ${decimal(COARSE)}`, ofCoarse, long);
    const short = links.meanError(key, FINE, PRINTED_SPAN);
    fine.push(short);
    yield inMagnitude(`${quantity} ${decimal(FINE)}`, ofFine, short);
    yield inMagnitude(`n over 10 s, ${name}`, ofOrder, Math.log2(long / short));
  }
  const [baumgarte, second] = fine as [number, number];
  yield reproduced(
    {
      quantity: `mean |Phi| over 10 s at step ${decimal(FINE)}, Baumgarte over second order`,
      printed: 1e4,
      value: baumgarte / second,
      note: "The text says: approximately four orders of magnitude.",
    },
    factor(),
  );
}

/** An entry of the printed order of magnitude, whose digits are not reproduced. */
function inMagnitude(quantity: string, printed: number, value: number): Entry {
  return contradicted({ quantity, printed, value, note: NOTE }, 0.01, ofPrint(factor()));
}
