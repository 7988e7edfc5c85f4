// The registry of formulations: one line each variant. A line enrols it in the conformance tests, the
// benchmark and the table of methods.

import type { Formulation } from "../contracts.js";
import { lagrange } from "./lagrange.js";
import { udwadiaKalaba } from "./udwadia-kalaba.js";

/** Every variant of every formulation. */
export const formulations: readonly Formulation[] = [
  lagrange(),
  lagrange({ solve: "kkt" }),
  udwadiaKalaba(),
  udwadiaKalaba({ solve: "svd" }),
  udwadiaKalaba({ solve: "cholesky" }),
];
