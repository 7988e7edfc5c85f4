// Descriptions by formulas with mistakes in them.

import type { Random } from "../../test/support/random.js";

const PIECES = [
  "'",
  "''",
  "(",
  ")",
  "[",
  "]",
  "sum(",
  "^",
  "*",
  "/",
  "+",
  "-",
  "1e9",
  "t",
  "x",
  "[1]",
  ",",
  "..",
  "i=",
  "9",
  "sqrt(",
  "log(",
  "if(",
  " ",
  "\u0000",
  "π",
];

/** Damages one to three texts, keys or numbers of a description. */
export function damaged<Description extends object>(
  given: Description,
  signed: Random,
): Description {
  const copy = structuredClone(given);
  // Between 0 and 1: with negative numbers half of all descriptions would stay intact.
  const random = () => (signed() + 1) / 2;
  for (let left = 1 + Math.floor(3 * random()); left > 0; left--)
    damageOnce(copy as Record<string, unknown>, random);
  return copy;
}

function damageOnce(target: Record<string, unknown>, random: () => number): void {
  const keys = Object.keys(target);
  const key = keys[Math.floor(random() * keys.length)];
  if (key === undefined) return;
  const value = target[key];
  const chance = random();
  if (typeof value === "object" && value !== null && chance < 0.9) {
    damageOnce(value as Record<string, unknown>, random);
  } else if (typeof value === "string") target[key] = damagedText(value, random);
  else if (typeof value === "number") {
    target[key] = [0, -1, 1e300, Number.NaN, "x", null, Number.POSITIVE_INFINITY][
      Math.floor(7 * random())
    ];
  } else if (chance < 0.95) {
    delete target[key];
    target[damagedText(key, random)] = value;
  } else target[key] = [undefined, null, [], {}, 3][Math.floor(5 * random())];
}

function damagedText(text: string, random: () => number): string {
  const at = Math.floor(random() * (text.length + 1));
  const cut = Math.floor(random() * 4);
  const piece = PIECES[Math.floor(random() * PIECES.length)];
  switch (Math.floor(random() * 4)) {
    case 0:
      return text.slice(0, at) + piece + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + cut);
    case 2:
      return text.slice(0, at) + piece + text.slice(at + cut);
    default:
      return text + text.slice(at);
  }
}
