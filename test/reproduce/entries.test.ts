import { describe, expect, test } from "vitest";
import {
  atLeast,
  atMost,
  decimal,
  exactly,
  near,
  notReproducibleButChecked,
  relativelyNear,
  unreproducible,
} from "../../src/tools/reproduce/judging/entries.js";
import { judge } from "./verdicts.js";

const quantity = "speed";

describe("an entry", () => {
  test.each([
    ["near what is printed", relativelyNear({ quantity, printed: -2, value: -2.1 }, 0.1)],
    ["near, in steps", near({ quantity, printed: 31, value: 29 }, 2, "steps")],
    ["near, of nothing", near({ quantity, reference: 0, value: 1e-15 }, 1e-14)],
    ["the very number", exactly({ quantity, printed: 80, value: 80 })],
    ["below a bound", atMost({ quantity, value: 1e-15 }, 1e-14)],
    ["above a bound", atLeast({ quantity, printed: 358.2, value: 301 }, 300)],
  ])("that is %s is reproduced", (_, entry) => {
    expect(entry.verdict).toBe("reproduced");
    expect(judge(entry)).toEqual({ verdict: entry.verdict, difference: entry.difference });
  });

  test.each([
    ["far off", relativelyNear({ quantity, printed: 1, value: 1.2 }, 0.1)],
    ["three steps off", near({ quantity, printed: 31, value: 28 }, 2, "steps")],
    ["another number", exactly({ quantity, printed: 80, value: 79 })],
    ["above its bound", atMost({ quantity, value: 2e-14 }, 1e-14)],
    ["below its bound", atLeast({ quantity, printed: 358.2, value: 299 }, 300)],
    [
      "known, but not what it should be",
      notReproducibleButChecked(atMost({ quantity, value: 2 }, 1)),
    ],
  ])("that is %s is missed", (_, entry) => {
    expect(entry.verdict).toBe("missed");
    expect(judge(entry)).toEqual({ verdict: entry.verdict, difference: entry.difference });
  });

  test("that is NaN is missed, however it is judged", () => {
    const measured = { quantity, printed: 1, value: Number.NaN };
    for (const entry of [
      relativelyNear(measured, 0.1),
      near(measured, 0.1),
      exactly(measured),
      atMost(measured, 1),
      atLeast(measured, 1),
      notReproducibleButChecked(atMost(measured, 1)),
    ]) {
      expect(entry.verdict).toBe("missed");
    }
  });

  test("is compared with the reference, where there is one, and keeps what is printed", () => {
    const entry = relativelyNear({ quantity, printed: 5, reference: 4, value: 4.2 }, 0.1);
    expect(entry).toMatchObject({ printed: 5, reference: 4, verdict: "reproduced" });
    expect(entry.difference).toBeCloseTo(0.05, 14);
    expect(entry.acceptance).toBe("within 0.1 relative");
  });

  test("that does not follow from its paper says so, with its note and its check", () => {
    const note = "It has no start.";
    const plain = unreproducible({ quantity, printed: 3, value: 6, note });
    expect(plain).toMatchObject({ verdict: "not reproducible", difference: 1, note });
    expect(plain.acceptance).toBe("known not to reproduce");
    const checked = notReproducibleButChecked(
      atMost({ quantity, printed: 3, value: 0.5, note }, 1),
    );
    expect(checked).toMatchObject({ verdict: "not reproducible", note });
    expect(checked.acceptance).toBe("known not to reproduce; at most 1");
  });

  test("has no note where there is none, and must be compared with something", () => {
    expect(atMost({ quantity, value: 1 }, 1)).not.toHaveProperty("note");
    expect(() => exactly({ quantity, value: 1 })).toThrow("speed: there is nothing to compare");
  });
});

test.each([
  [0, "0"],
  [0.02, "0.02"],
  [0.005, "5e-3"],
  [-1e-10, "-1e-10"],
  [300, "300"],
])("%d is written as one does", (value, text) => {
  expect(decimal(value)).toBe(text);
});
