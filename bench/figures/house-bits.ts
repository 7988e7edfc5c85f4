import { readFileSync } from "node:fs";
import { type Bits, exampleBits } from "../support/example-bits.js";
import { atMost, type Figure } from "./figure.js";

/** Bits of every example, mechanism and method as version 0.1.0 had them. */
export async function* houseBitFigures(): AsyncGenerator<Figure> {
  const before: Bits = JSON.parse(readFileSync("bench/results/bits-0.1.0.json", "utf8"));
  const now = await exampleBits();
  const changed = Object.keys(before).filter((name) => now[name] !== before[name]);
  for (const name of changed.slice(0, 10)) console.error(`other bits: ${name}`);
  const title = `runs of ${Object.keys(before).length} with other bits than before`;
  yield atMost(title, changed.length, 0);
}
