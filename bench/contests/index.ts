// The registry of contests: one line each.

import { choleskyContest } from "./cholesky.js";
import type { Contest } from "./contest.js";

export type { Contest, Run, Size } from "./contest.js";

export const contests: readonly Contest[] = [choleskyContest];
