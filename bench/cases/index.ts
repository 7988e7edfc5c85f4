// The registry of kernel cases: one line each family.

import type { KernelCase } from "./case.js";
import { choleskyCases } from "./cholesky.js";
import { finiteCases } from "./finite.js";
import { sparseCases } from "./sparse.js";

export type { KernelCase, Outcome } from "./case.js";

export const kernelCases: readonly KernelCase[] = [
  ...choleskyCases,
  ...finiteCases,
  ...sparseCases,
];
