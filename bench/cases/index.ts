// The registry of kernel cases: one line each family.

import type { KernelCase } from "./case.js";
import { choleskyCases } from "./cholesky.js";
import { finiteCases } from "./finite.js";
import { sparseCases } from "./sparse.js";
import { ldltCases } from "./ldlt.js";
import { luCases } from "./lu.js";
import { newtonCases } from "./newton.js";
import { productCases } from "./products.js";
import { rotationCases } from "./rotation.js";

export type { KernelCase, Outcome } from "./case.js";

export const kernelCases: readonly KernelCase[] = [
  ...choleskyCases,
  ...finiteCases,
  ...sparseCases,
  ...luCases,
  ...ldltCases,
  ...productCases,
  ...newtonCases,
  ...rotationCases,
];
import { eigenCases } from "./eigen.js";
import { svdCases } from "./svd.js";

export type { KernelCase, Outcome } from "./case.js";

export const kernelCases: readonly KernelCase[] = [...choleskyCases, ...svdCases, ...eigenCases];
