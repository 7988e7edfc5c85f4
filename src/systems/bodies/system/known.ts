// What may be known at the trial state of bodies: bits.

import { Want } from "../../../../assembly/layout-bodies.js";
import type { Workspace } from "../../../ground/memory/workspace.js";

/** All of rows. */
export const ROWS = Want.PHI | Want.JACOBIAN | Want.RATES;
export const VELOCITIES = 8;
export const FORCES = 16;
export const DRIVES = 32;
export const SETTLED = 64;

/** Who writes the frames of bodies, where these do not follow from coordinates of bodies. */
export interface FrameSource {
  /** Memory to share. */
  readonly workspace: Workspace;
  /** Brings the frames of all bodies up to date, with velocities if `rates`. */
  writeFrames(rates: boolean): void;
}
