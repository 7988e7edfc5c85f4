// Every contestant: one line for each adapter.

import { contestants as ammo } from "./ammo.mjs";
import { contestants as cannon } from "./cannon.mjs";
import { contestants as havok } from "./havok.mjs";
import { contestants as jolt } from "./jolt.mjs";
import { contestants as mujoco } from "./mujoco.mjs";
import { contestants as nodrift } from "./nodrift.mjs";
import { contestants as nodriftSolve } from "./nodrift-solve.mjs";
import { contestants as planck } from "./planck.mjs";
import { contestants as rapier } from "./rapier.mjs";

/** @type {readonly import("./contestant.mjs").Contestant[]} */
export const contestants = [
  ...nodrift,
  ...nodriftSolve,
  ...mujoco,
  ...rapier,
  ...jolt,
  ...havok,
  ...ammo,
  ...cannon,
  ...planck,
];
