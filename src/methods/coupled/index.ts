// The registry of coupled methods, with one line per variant. A line enrols it in the conformance tests, the
// benchmark and the table of methods. All entries of this file are exported by `nodrift`.

import type { CoupledMethod } from "../../interfaces/index.js";
import { extrapolation } from "./extrapolation.js";
import { halfExplicit } from "./half-explicit.js";
import { hong } from "./hong.js";
import { midpointEmbedding } from "./midpoint-embedding.js";
import { staggered } from "./staggered.js";
import { welch } from "./welch.js";

export type { EmbeddingOptions } from "./embedding.js";
export { type ExtrapolationOptions, extrapolation } from "./extrapolation.js";
export {
  type HalfExplicitOptions,
  type HalfExplicitTableau,
  halfExplicit,
  halfExplicitTableaus,
} from "./half-explicit.js";
export { hong } from "./hong.js";
export { type MidpointEmbeddingOptions, midpointEmbedding } from "./midpoint-embedding.js";
export { type StaggeredOptions, staggered } from "./staggered.js";
export { type WelchOptions, welch } from "./welch.js";

/** Every variant of every coupled method. */
export const coupledMethods: readonly CoupledMethod[] = [
  hong(),
  hong({ solver: "cholesky" }),
  welch({ passes: 1 }),
  welch({ passes: 1, midpoint: "printed" }),
  welch(),
  welch({ solver: "cholesky" }),
  midpointEmbedding(),
  staggered(),
  halfExplicit({ order: 3 }),
  halfExplicit(),
  halfExplicit({ order: 5 }),
  extrapolation({ order: 2 }),
  extrapolation({ order: 4 }),
  extrapolation(),
];
