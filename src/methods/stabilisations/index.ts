// The registry of stabilisations: with one line per variant. All entries of this file are exported by `nodrift`.

import type { Stabilisation } from "../../interfaces/index.js";
import { ascher } from "./ascher.js";
import { baumgarte } from "./baumgarte.js";
import { driftElimination } from "./drift-elimination.js";
import { energyDescent } from "./energy-descent.js";
import { energyMultiplier } from "./energy-multiplier.js";
import { energyVelocity } from "./energy-velocity.js";
import { none } from "./none.js";
import { postStabilisation } from "./post-stabilisation.js";
import { projection } from "./projection.js";
import { stagedProjection } from "./staged-projection.js";

export { type AscherOptions, ascher } from "./ascher.js";
export { type BaumgarteOptions, baumgarte, type Gain } from "./baumgarte.js";
export { type DriftEliminationOptions, driftElimination } from "./drift-elimination.js";
export { type EnergyDescentOptions, energyDescent } from "./energy-descent.js";
export { type EnergyMultiplierOptions, energyMultiplier } from "./energy-multiplier.js";
export { type EnergyVelocityOptions, energyVelocity } from "./energy-velocity.js";
export type { Metric } from "./nearest.js";
export { none } from "./none.js";
export { type PostStabilisationOptions, postStabilisation } from "./post-stabilisation.js";
export { type ProjectionOptions, projection } from "./projection.js";
export { type StagedProjectionOptions, stagedProjection } from "./staged-projection.js";

/**
 * Every stabilisation with its default settings. Gains of the energy control suit systems
 * of unit masses and lengths in gravity, with steps up to a hundredth of a second.
 */
export const stabilisations: readonly Stabilisation[] = [
  none(),
  baumgarte(),
  ascher(),
  ascher({ metric: "identity" }),
  driftElimination(),
  driftElimination({ positions: false }),
  postStabilisation(),
  postStabilisation({ form: "diagonal", times: 2 }),
  projection(),
  projection({ solver: "penalty" }),
  stagedProjection(),
  stagedProjection({ positions: false }),
  energyMultiplier(),
  energyMultiplier({ together: true }),
  energyDescent({ positionGain: 0.01, velocityGain: 0.01 }),
  energyVelocity({ gain: 0.1 }),
  energyVelocity({ gain: 0.1, massWeighted: true }),
];
