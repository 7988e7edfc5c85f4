// The registry of kernel cases: one line each family.

import type { KernelCase } from "./case.js";
import { choleskyCases } from "./cholesky.js";
import { codCases } from "./cod.js";
import { gramSchmidtCases } from "./gram-schmidt.js";
import { pivotedQrCases } from "./pivoted-qr.js";
import { qrCases } from "./qr.js";

export type { KernelCase, Outcome } from "./case.js";

export const kernelCases: readonly KernelCase[] = [
  ...choleskyCases,
  ...qrCases,
  ...pivotedQrCases,
  ...codCases,
  ...gramSchmidtCases,
];
