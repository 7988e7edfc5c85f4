import { readFileSync } from "node:fs";
import {
  type Bits,
  bitsFile,
  differingBits,
  exampleBits,
  packageVersion,
} from "../support/example-bits.js";
import { atMost, type Figure } from "./figure.js";

/** Bits of every example, mechanism and method as they were stored for this version (`npm run bits`). */
export async function* structureBitFigures(): AsyncGenerator<Figure> {
  const before: Bits = JSON.parse(readFileSync(bitsFile(packageVersion()), "utf8"));
  const changed = differingBits(before, await exampleBits());
  for (const name of changed.slice(0, 10)) console.error(`other bits: ${name}`);
  const title = `runs of ${Object.keys(before).length} with other bits than before`;
  yield atMost(title, changed.length, 0);
}
