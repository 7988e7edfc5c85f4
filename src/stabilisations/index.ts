// The registry of stabilisations: one line each.

import type { Stabilisation } from "../contracts.js";
import { baumgarte } from "./baumgarte.js";
import { driftElimination } from "./drift-elimination.js";
import { none } from "./none.js";
import { projection } from "./projection.js";

/** Every stabilisation, with the settings it has by default. */
export const stabilisations: readonly Stabilisation[] = [
  none(),
  baumgarte(),
  driftElimination(),
  projection(),
];
