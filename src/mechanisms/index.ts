// The registry of mechanisms: one line each. A line enrols it in the conformance tests and the benchmark.

import { braunBiped1, braunBiped2, braunBiped3 } from "./braun-biped.js";
import { braunFourBars } from "./braun-four-bars.js";
import { braunPendulum } from "./braun-pendulum.js";
import { braunSliderCrank } from "./braun-slider-crank.js";
import type { Mechanism } from "./mechanism.js";

/** Every mechanism. */
export const mechanisms: readonly Mechanism[] = [
  braunPendulum,
  braunSliderCrank,
  braunFourBars,
  braunBiped1,
  braunBiped2,
  braunBiped3,
];
