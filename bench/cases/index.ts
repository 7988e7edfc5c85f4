// The registry of kernel cases: one line each family.

import type { KernelCase } from "./case.js";
import { choleskyCases } from "./cholesky.js";
import { dynamicsCases } from "./dynamics.js";
import { eigenCases } from "./eigen.js";
import { finiteCases } from "./finite.js";
import { ldltCases } from "./ldlt.js";
import { luCases } from "./lu.js";
import { newtonCases } from "./newton.js";
import { productCases } from "./products.js";
import { rotationCases } from "./rotation.js";
import { sparseCases } from "./sparse.js";
import { svdCases } from "./svd.js";
import { tangentCases } from "./tangent.js";

export type { KernelCase, Outcome } from "./case.js";

export const kernelCases: readonly KernelCase[] = [
  ...choleskyCases,
  ...finiteCases,
  ...sparseCases,
  ...svdCases,
  ...eigenCases,
  ...luCases,
  ...ldltCases,
  ...productCases,
  ...newtonCases,
  ...rotationCases,
  ...dynamicsCases,
  ...tangentCases,
];
