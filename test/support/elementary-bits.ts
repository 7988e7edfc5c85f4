// Digest of all bits of the elementary functions of formulas, which must be the same in a page.

import { Hash } from "./hash.js";

/**
 * Reproducible values from -1 to 1: a linear congruence modulo 2^32 (Numerical Recipes).
 */
function* spread(count: number): Generator<number> {
  let seed = 1;
  for (let i = 0; i < count; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    yield seed / 2 ** 31 - 1;
  }
}

const SPECIAL = [0, -0, 1, -1, 0.5, 1e-300, 1e-20, Number.MAX_VALUE, Number.POSITIVE_INFINITY];

const scaled = (factor: number, special: readonly number[] = SPECIAL) => [
  ...Array.from(spread(55), (x) => [factor * x]),
  ...special.map((x) => [x]),
];

const paired = (a: number, b: number) => {
  const numbers = [...spread(110)];
  return Array.from({ length: 55 }, (_, i) => [a * numbers[2 * i], b * numbers[2 * i + 1]]);
};

const positive = (factor: number) => scaled(factor).map(([x]) => [Math.abs(x)]);

/** Arguments for each function. */
export const elementaryArguments: Readonly<Record<string, readonly (readonly number[])[]>> = {
  sin: scaled(1000),
  cos: scaled(1e10),
  tan: scaled(30),
  asin: scaled(1),
  acos: scaled(1),
  atan: scaled(20),
  sinh: scaled(20),
  cosh: scaled(20),
  tanh: scaled(3),
  exp: scaled(700),
  log: positive(1e4),
  log10: positive(1e4),
  cbrt: scaled(1e6),
  atan2: paired(1, 3),
  hypot: paired(1e200, 2e200),
  pow: paired(30, 20).map(([x, y]) => [Math.abs(x), y]),
};

type FunctionOf = (text: string, variables: readonly string[]) => (...given: number[]) => number;

/** Evaluates all functions; all NaN count as one value. */
export function elementaryBits(functionOf: FunctionOf): { count: number; digest: string } {
  const hash = new Hash();
  let count = 0;
  for (const [name, lists] of Object.entries(elementaryArguments)) {
    const variables = ["x", "y"].slice(0, lists[0].length);
    const compute = functionOf(`${name}(${variables.join(", ")})`, variables);
    for (const given of lists) {
      const value = compute(...given);
      hash.add(Float64Array.of(Number.isNaN(value) ? 0.125 : value));
      count++;
    }
  }
  return { count, digest: hash.digest() };
}
