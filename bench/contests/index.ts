// The registry of speed comparisons: one line each.

import { choleskyContest } from "./cholesky.js";
import { codContest } from "./cod.js";
import type { Contest } from "./contest.js";
import { fullPivotLuContest } from "./full-pivot-lu.js";
import { luContest } from "./lu.js";
import { newtonContest } from "./newton.js";
import { pivotedQrContest } from "./pivoted-qr.js";
import { productContest } from "./product.js";
import { quaternionContests } from "./quaternions.js";
import { stepContest } from "./step.js";
import { svdContest } from "./svd.js";

export type { Contest, Run, Size } from "./contest.js";

export const contests: readonly Contest[] = [
  choleskyContest,
  luContest,
  fullPivotLuContest,
  pivotedQrContest,
  codContest,
  svdContest,
  productContest,
  ...quaternionContests,
  newtonContest,
  stepContest,
];
