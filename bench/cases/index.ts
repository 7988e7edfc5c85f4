// The registry of kernel cases: one line each family.

import type { KernelCase } from "./case.js";
import { choleskyCases } from "./cholesky.js";
import { eigenCases } from "./eigen.js";
import { svdCases } from "./svd.js";

export type { KernelCase, Outcome } from "./case.js";

export const kernelCases: readonly KernelCase[] = [...choleskyCases, ...svdCases, ...eigenCases];
