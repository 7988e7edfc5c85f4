import { judgedWith } from "nodrift/reproduce";
import { describe, expect, test } from "vitest";
import { looseEntries, wrongFor } from "../../docs/make/paper-counts.js";
import {
  checked,
  contradicted,
  decimal,
  distance,
  factor,
  halfUnit,
  inMagnitude,
  least,
  most,
  ofPrint,
  relative,
  reported,
  reproduced,
} from "../../papers/reproduce/judging/entries.js";
import { judge } from "./verdicts.js";

const quantity = "speed";
const note = "It has no start.";

const ACCEPTED = [
  ["reproduced", reproduced({ quantity, printed: -2, value: -2.1 }, relative(0.1))],
  ["reproduced", reproduced({ quantity, printed: 31, value: 29 }, distance(2, "steps"))],
  ["reproduced", reproduced({ quantity, printed: 1e-2, value: 9e-3 }, factor())],
  [
    "reproduced",
    reproduced({ quantity, printed: 5, reference: 4, value: 4.2 }, relative(0.2), relative(0.1)),
  ],
  ["reproduced", reproduced({ quantity, printed: 1e-15, value: 1e-17 }, most(1e-15))],
  ["in magnitude", inMagnitude({ quantity, printed: 5, value: 12, note })],
  ["in magnitude", inMagnitude({ quantity, printed: 5, value: 2, note })],
  ["checked", checked({ quantity, reference: 0, value: 1e-15 }, distance(1e-14))],
  ["checked", checked({ quantity, reference: 1, value: 1 }, distance(0))],
  ["checked", checked({ quantity, value: 1e-15 }, most(1e-14))],
  ["checked", checked({ quantity, value: 3 }, least(2), most(10))],
  ["not reproducible", contradicted({ quantity, printed: 3, value: 6, note }, 0.5)],
  [
    "not reproducible",
    contradicted({ quantity, printed: 3, reference: 6, value: 6.1, note }, 0.5, relative(0.1)),
  ],
  [
    "not reproducible",
    contradicted({ quantity, printed: 3, value: 4, note }, 0.1, ofPrint(factor())),
  ],
  ["reported", reported({ quantity, value: 7 })],
  ["reported", reported({ quantity, printed: 26, value: 7 })],
] as const;

const MISSED = [
  reproduced({ quantity, printed: 1, value: 1.2 }, relative(0.1)),
  reproduced({ quantity, printed: 31, value: 28 }, distance(2, "steps")),
  reproduced({ quantity, printed: 1e-2, value: 3.17e-2 }, factor()),
  // Near the reference but not near the print, and vice versa.
  reproduced({ quantity, printed: 5, reference: 4, value: 4 }, relative(0.1), relative(0.1)),
  reproduced({ quantity, printed: 5, reference: 4, value: 5 }, relative(0.1), relative(0.1)),
  reproduced({ quantity, printed: 1e-15, value: 2e-15 }, most(1e-15)),
  inMagnitude({ quantity, printed: 5, value: 16, note }),
  inMagnitude({ quantity, printed: 5, value: 1.5, note }),
  checked({ quantity, value: 2e-14 }, most(1e-14)),
  checked({ quantity, value: 1 }, least(2)),
  checked({ quantity, reference: 0, value: 1 }, distance(0)),
  // A value claimed to be irreproducible is reproduced.
  contradicted({ quantity, printed: 3, value: 3.01, note }, 0.01),
  contradicted({ quantity, printed: 3, reference: 6, value: 9, note }, 0.5, relative(0.1)),
];

describe("an entry", () => {
  test.each(ACCEPTED)("verdict %s: %j", (verdict, entry) => {
    expect(entry.verdict).toBe(verdict);
    expect(judge(entry)).toBe(verdict);
  });

  test.each(MISSED)("verdict missed: %j", (entry) => {
    expect(entry.verdict).toBe("missed");
    expect(judge(entry)).toBe("missed");
  });

  test("a NaN entry is missed, unless it has no verdict", () => {
    for (const [verdict, entry] of ACCEPTED) {
      const { verdict: found } = judgedWith(entry, Number.NaN);
      expect(found).toBe(verdict === "reported" ? "reported" : "missed");
    }
  });

  test("wrong values change the verdict of any class", () => {
    const entries = ACCEPTED.map(([, entry]) => entry);
    // A difference from the print alone does not bound the value.
    const loose = [
      contradicted({ quantity, printed: 3, value: 6, note }, 0.5),
      checked({ quantity, reference: 5, value: 5 }, factor(100)),
    ];
    expect(looseEntries([...entries, ...loose.slice(1)])).toEqual(loose);
  });

  test("an error of ten times any bound is missed", () => {
    for (const [, entry] of ACCEPTED) {
      expect(judgedWith(entry, entry.value)).toEqual(entry);
      for (const bound of entry.bounds) {
        for (const value of wrongFor(bound, entry)) {
          expect(judgedWith(entry, value).verdict, `${entry.acceptance}: ${value}`).toBe("missed");
        }
      }
    }
  });

  test("reports the difference from the reference of its first bound", () => {
    const printed = reproduced({ quantity, printed: 5, reference: 4, value: 4.5 }, relative(0.2));
    expect(printed.difference).toBeCloseTo(-0.1, 14);
    const steps = reproduced({ quantity, printed: 31, value: 29 }, distance(2, "steps"));
    expect(steps.difference).toBe(-2);
    expect(checked({ quantity, value: 2 }, most(4)).difference).toBe(-0.5);
    expect(reported({ quantity, value: 2 }).difference).toBeNaN();
  });

  test("describes its acceptance in words", () => {
    expect(ACCEPTED[3][1].acceptance).toBe(
      "within 0.2 relative of the print; within 0.1 relative of the reference",
    );
    expect(ACCEPTED[1][1].acceptance).toBe("within 2 steps of the print");
    expect(ACCEPTED[2][1].acceptance).toBe("within a factor 3.16 of the print");
    expect(ACCEPTED[11][1].acceptance).toBe("more than 0.5 relative from the print");
  });

  test("omits an absent note, and needs a reference", () => {
    expect(checked({ quantity, value: 1 }, most(1))).not.toHaveProperty("note");
    expect(() => reproduced({ quantity, value: 1 }, relative(0.1))).toThrow(
      "speed: nothing is printed that it could be compared with",
    );
    expect(() => checked({ quantity, value: 1 }, relative(0.1))).toThrow("nothing is reference");
  });
});

test.each([
  [5.2e-11, 2, 0.05 / 5.2],
  [-2.6e5, 2, 0.05 / 2.6],
  [2e-4, 1, 0.25],
])("half a unit in the last digit of %d, with %i digits, is %d relative", (value, digits, part) => {
  expect(halfUnit(value, digits)).toBeCloseTo(part, 14);
});

test.each([
  [0, "0"],
  [0.02, "0.02"],
  [0.005, "5e-3"],
  [-1e-10, "-1e-10"],
  [300, "300"],
  [1.7763568394002505e-15, "1.77636e-15"],
])("formats %d compactly", (value, text) => {
  expect(decimal(value)).toBe(text);
});
