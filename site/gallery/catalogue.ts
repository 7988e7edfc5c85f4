// All entries of the gallery, in display order.

import { classics } from "./classics.js";
import { controlled } from "./controlled.js";
import type { Entry } from "./entry.js";
import { formulas } from "./equations.js";
import { machines } from "./machines.js";
import { papers } from "./papers.js";

export const catalogue: readonly Entry[] = [
  ...papers,
  ...classics,
  ...machines,
  ...controlled,
  ...formulas,
];

export function byName(name: string): Entry | undefined {
  return catalogue.find((entry) => entry.name === name);
}
