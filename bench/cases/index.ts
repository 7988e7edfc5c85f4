// The registry of kernel cases: one line per family.

import type { KernelCase } from "./case.js";
import { choleskyCases } from "./cholesky.js";
import { codCases } from "./cod.js";
import { dynamicsCases } from "./dynamics.js";
import { eigenCases } from "./eigen.js";
import { finiteCases } from "./finite.js";
import { gramSchmidtCases } from "./gram-schmidt.js";
import { ldltCases } from "./ldlt.js";
import { luCases } from "./lu.js";
import { newtonCases } from "./newton.js";
import { pivotedQrCases } from "./pivoted-qr.js";
import { productCases } from "./products.js";
import { qrCases } from "./qr.js";
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
  ...qrCases,
  ...pivotedQrCases,
  ...codCases,
  ...gramSchmidtCases,
  ...luCases,
  ...ldltCases,
  ...productCases,
  ...newtonCases,
  ...rotationCases,
  ...dynamicsCases,
  ...tangentCases,
];
