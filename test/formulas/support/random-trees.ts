// Random formulas, as text and as functions of numbers with 60 digits.

import { type Precise, precise } from "../../support/precise.js";
import { seeded } from "../../support/random.js";

const { of, times, over, root, exp, circle, toNumber } = precise;
export const ONE = 10n ** 60n;

/** Values by name. */
export type Values = Readonly<Record<string, Precise>>;

/** A formula, and what it is worth. */
export interface Tree {
  readonly text: string;
  at(values: Values): Precise;
}

const tree = (text: string, at: Tree["at"]): Tree => ({ text, at });

export const number = (x: number) => tree(x < 0 ? `(${x})` : `${x}`, () => of(x));
export const variable = (name: string) => tree(name, (values) => values[name]!);
export const sum = (a: Tree, b: Tree) => tree(`(${a.text} + ${b.text})`, (e) => a.at(e) + b.at(e));
export const product = (a: Tree, b: Tree) =>
  tree(`(${a.text} * ${b.text})`, (e) => times(a.at(e), b.at(e)));
export const sine = (a: Tree) => tree(`sin(${a.text})`, (e) => circle(a.at(e))[1]);

export function power(a: Tree, n: number): Tree {
  return tree(`((${a.text})^${n})`, (e) => {
    const x = a.at(e);
    let y = ONE;
    for (let i = 0; i < n; i++) y = times(y, x);
    return y;
  });
}

/** By Newton's rule, from the angle in double precision. */
function angleOf(y: Precise, x: Precise): Precise {
  let angle = of(Math.atan2(toNumber(y), toNumber(x)));
  const length = root(times(x, x) + times(y, y));
  for (let i = 0; i < 3; i++) {
    const [c, s] = circle(angle);
    angle += over(times(y, c) - times(x, s), length);
  }
  return angle;
}

function logarithm(x: Precise): Precise {
  let y = of(Math.log(toNumber(x)));
  for (let i = 0; i < 3; i++) {
    const z = exp(y);
    y += over(2n * (x - z), x + z);
  }
  return y;
}

const two = 2n * ONE;
const cosine = (x: Precise) => circle(x)[0];
const square = (x: Precise) => times(x, x);

/** What trees are made of. Arguments are kept where functions are smooth and finite; corners are hit by chance only. */
const operations: readonly ((a: Tree, b: Tree, c: Tree) => Tree)[] = [
  sum,
  sum,
  (a, b) => tree(`(${a.text} - ${b.text})`, (e) => a.at(e) - b.at(e)),
  product,
  product,
  (a, b) =>
    tree(`(${a.text}/(2 + sin(${b.text})))`, (e) => over(a.at(e), two + circle(b.at(e))[1])),
  sine,
  (a) => tree(`cos(${a.text})`, (e) => cosine(a.at(e))),
  (a) => tree(`exp(sin(${a.text}))`, (e) => exp(circle(a.at(e))[1])),
  (a) => tree(`log(2 + cos(${a.text}))`, (e) => logarithm(two + cosine(a.at(e)))),
  (a) => tree(`sqrt(1 + (${a.text})^2)`, (e) => root(ONE + square(a.at(e)))),
  (a) => power(a, 2),
  (a) => power(a, 3),
  (a) =>
    tree(`((2 + cos(${a.text}))^1.5)`, (e) => {
      const x = two + cosine(a.at(e));
      return times(x, root(x));
    }),
  (a) => tree(`(2 + (${a.text})^2)^(-2)`, (e) => over(ONE, square(two + square(a.at(e))))),
  (a) =>
    tree(`abs(${a.text})`, (e) => {
      const x = a.at(e);
      return x < 0n ? -x : x;
    }),
  (a, b) =>
    tree(`min(${a.text}, ${b.text})`, (e) => {
      const [x, y] = [a.at(e), b.at(e)];
      return x < y ? x : y;
    }),
  (a, b) =>
    tree(`max(${a.text}, ${b.text})`, (e) => {
      const [x, y] = [a.at(e), b.at(e)];
      return x > y ? x : y;
    }),
  (a, b, c) =>
    tree(`if(${a.text} < ${b.text}, ${c.text}, ${a.text})`, (e) =>
      a.at(e) < b.at(e) ? c.at(e) : a.at(e),
    ),
  (a, b) =>
    tree(`atan2(${a.text}, 2 + cos(${b.text}))`, (e) => angleOf(a.at(e), two + cosine(b.at(e)))),
  (a, b) =>
    tree(`atan2(2 + cos(${a.text}), ${b.text})`, (e) => angleOf(two + cosine(a.at(e)), b.at(e))),
  (a, b) =>
    tree(`hypot(${a.text}, 2 + cos(${b.text}))`, (e) =>
      root(square(a.at(e)) + square(two + cosine(b.at(e)))),
    ),
];

/** Chooses by a seed. */
export class Maker {
  readonly random: () => number;

  constructor(seed: number) {
    this.random = seeded(seed);
  }

  /** From 0 to 1. */
  unit(): number {
    return (this.random() + 1) / 2;
  }

  pick<Each>(list: readonly Each[]): Each {
    return list[Math.floor(this.unit() * list.length)]!;
  }

  tree(leaves: readonly Tree[], depth: number): Tree {
    if (depth === 0 || this.unit() < 0.15) {
      return this.unit() < 0.8 ? this.pick(leaves) : number(Math.round(100 * this.random()) / 50);
    }
    const inner = () => this.tree(leaves, depth - 1);
    return this.pick(operations)(inner(), inner(), inner());
  }
}
