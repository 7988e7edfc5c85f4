// What may be known at the trial state of bodies: bits.

import { Want } from "../../../../assembly/layout-bodies.js";

/** All of rows. */
export const ROWS = Want.PHI | Want.JACOBIAN | Want.RATES;
export const VELOCITIES = 8;
export const FORCES = 16;
export const DRIVES = 32;
export const SETTLED = 64;
