// The registry of coupled methods: one line each variant. A line enrols it in the conformance
// tests, the benchmark and the table of methods.

import type { Coupled } from "../../seam/index.js";
import { hong } from "./hong.js";
import { welch } from "./welch.js";

/** Every variant of every coupled method. */
export const coupledMethods: readonly Coupled[] = [
  hong(),
  hong({ solve: "cholesky" }),
  welch({ passes: 1 }),
  welch({ passes: 1, middle: "printed" }),
  welch(),
  welch({ solve: "cholesky" }),
];
