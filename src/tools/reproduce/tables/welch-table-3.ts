import { threeLinkErrors, threeLinkPosition } from "../../mechanisms/index.js";
import { ThreeLinks } from "../experiments/three-links.js";
import { decimal, near, relativelyNear, unreproducible } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const NAMES = {
  secondOrder: "second order",
  halfDamped: "Baumgarte, alpha = 0.5 / h",
  critical: "Baumgarte, alpha = 1 / h",
} as const;
const KEYS = ["secondOrder", "halfDamped", "critical"] as const;

/** Of the paper, s; and the steps it prints. */
const LONG = 10;
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
      "chaotic: its four numbers come out in magnitude only. Here all links have the same " +
      "density, and the pin turns about x.",
    "Nine numbers over 4 s of this model are compared with those of an independent " +
      "implementation instead.",
    "Heun's stages have Euler parameters that are no units, as they come: `unnormalisedEulerParameters`.",
  ],
  async *measure() {
    const links = await ThreeLinks.compile();
    const found = { secondOrder: [], halfDamped: [], critical: [] } as Found;
    for (const { step, ...expected } of threeLinkErrors) {
      for (const key of KEYS) {
        const value = links.meanError(key, step);
        found[key].push(value);
        const quantity = `mean |Phi| over 4 s, ${NAMES[key]}, at step ${decimal(step)}`;
        yield relativelyNear({ quantity, reference: expected[key], value }, 1e-3);
      }
    }
    yield* orders(found);
    for (const [i, reference] of threeLinkPosition.entries()) {
      const quantity = `${"xyz"[i]} of the third link at 4 s, converged, m`;
      yield near({ quantity, reference, value: links.lastCentre()[i] as number }, 1e-6, "m");
    }
    yield* asPrinted(links);
  },
});

type Found = Record<(typeof KEYS)[number], number[]>;

/** From the two shortest steps. */
function* orders(found: Found): Generator<Entry> {
  for (const [key, reference] of [
    ["secondOrder", 3],
    ["halfDamped", 2],
    ["critical", 3],
  ] as const) {
    const [, long, short] = found[key] as [number, number, number];
    const quantity = `n over 4 s, ${NAMES[key]}`;
    yield near({ quantity, reference, value: Math.log2(long / short) }, 0.01);
  }
}

function* asPrinted(links: ThreeLinks): Generator<Entry> {
  for (const key of ["halfDamped", "secondOrder"] as const) {
    const [ofCoarse, ofFine, ofOrder] = PRINTED[key];
    const name = NAMES[key];
    const long = links.meanError(key, COARSE, LONG);
    const quantity = `mean |Phi| over 10 s, ${name}, at step`;
    const coarse = { quantity: `${quantity} ${decimal(COARSE)}`, printed: ofCoarse, value: long };
    yield unreproducible({ ...coarse, note: NOTE });
    const short = links.meanError(key, FINE, LONG);
    const fine = { quantity: `${quantity} ${decimal(FINE)}`, printed: ofFine, value: short };
    yield unreproducible({ ...fine, note: NOTE });
    const value = Math.log2(long / short);
    yield unreproducible({ quantity: `n over 10 s, ${name}`, printed: ofOrder, value, note: NOTE });
  }
}
