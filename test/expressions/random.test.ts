import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorOf, FormulaError, formulaFunction, parseFormula } from "./support/room.js";
import {
  anyTree,
  evaluateTree,
  hasVariables,
  type Tree,
  textOf,
  VARIABLES,
} from "./support/trees.js";

const value = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.5, 2, 1e-300, 1e308, -1e150),
  fc.double({ min: -10, max: 10, noNaN: true }),
);
const values = fc.record({ t: value, x: value, y: value });

/** True if a part without variables is not finite: then the text must be refused. */
function mustBeRefused(tree: Tree): boolean {
  let found = false;
  evaluateTree(tree, { t: 0, x: 0, y: 0 }, (part, result) => {
    found ||= !Number.isFinite(result) && !hasVariables(part);
  });
  return found;
}

/** True if some part is not finite for all of some variables: only then a text may be refused. */
function mayBeRefused(tree: Tree): boolean {
  const faults = new Map<Tree, number>();
  const tries = [0.3, 1.7, -2.9].map((t) => ({ t, x: t ** 2 - 0.7, y: 1 / t + 0.11 }));
  for (const variables of tries) {
    evaluateTree(tree, variables, (part, result) => {
      const isFault = !Number.isFinite(result) || isStepWithoutWidth(part, variables);
      if (isFault) faults.set(part, (faults.get(part) ?? 0) + 1);
    });
  }
  return [...faults.values()].includes(tries.length);
}

/** It divides by its width, but its result is finite. */
function isStepWithoutWidth(part: Tree, variables: Readonly<Record<string, number>>): boolean {
  if (part.kind !== "call" || part.name !== "smoothstep") return false;
  const [from, to] = part.given.slice(1).map((edge) => evaluateTree(edge, variables));
  return from === to;
}

describe("random expressions", () => {
  test("match the bits of the reference evaluation of their tree", () => {
    let count = 0;
    fc.assert(
      fc.property(anyTree, values, (tree, variables) => {
        const text = textOf(tree);
        if (mustBeRefused(tree)) {
          expect(errorOf(text, { variables: VARIABLES }).message).toMatch(/finite|zero/);
          return;
        }
        let ours: number;
        try {
          ours = formulaFunction(text, VARIABLES)(variables.t, variables.x, variables.y);
        } catch (error) {
          expect((error as Error).message).toMatch(/finite|zero/);
          expect(mayBeRefused(tree), text).toBe(true);
          return;
        }
        count++;
        expect(ours, text).toBe(evaluateTree(tree, variables));
      }),
      { seed: 7, numRuns: 1500 },
    );
    expect(count).toBeGreaterThan(800);
  });
});

describe("random texts", () => {
  const words = fc.constantFrom(
    ..."t x sin max if and or not pi e z energy bump 1 2.5 1e3 .5 + - * / ^ ( ) , < <= == != 'ball' \" ' ; é".split(
      " ",
    ),
    " ",
    "",
    "\u0000",
    "\ud800",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ unit: "grapheme-ascii", maxLength: 200 }),
    fc.array(words, { maxLength: 60 }).map((list) => list.join("")),
    fc.array(words, { maxLength: 12 }).map((list) => list.join(" ")),
  );

  test("parse, or throw a FormulaError with a position inside the text", () => {
    let taken = 0;
    fc.assert(
      fc.property(text, (tried) => {
        try {
          const formula = parseFormula(tried, {
            variables: ["t", "x"],
            quantities: ["z", "energy"],
          });
          expect(typeof formula.derivative("t").value()).toBe("number");
          taken++;
        } catch (error) {
          if (!(error instanceof FormulaError)) throw error;
          expect(error.code).toBe("DESCRIPTION");
          expect(error.offset).toBeGreaterThanOrEqual(0);
          expect(error.offset).toBeLessThanOrEqual(tried.length);
          expect(error.message).toContain(`(at character ${error.offset + 1} of "`);
          expect(error.message.length).toBeLessThan(600);
        }
      }),
      { seed: 3, numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(25);
  });
});
