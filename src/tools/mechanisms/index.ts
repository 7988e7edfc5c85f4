// Ready systems with their starts and what is known about their motion: one line each.

import { braunBiped1, braunBiped2, braunBiped3 } from "./braun-biped.js";
import { braunFourBars } from "./braun-four-bars.js";
import { braunPendulum } from "./braun-pendulum.js";
import { braunSliderCrank } from "./braun-slider-crank.js";
import { chaplyginSleigh } from "./chaplygin-sleigh.js";
import { knifeEdge } from "./knife-edge.js";
import type { Mechanism } from "./mechanism.js";
import { stiffPendulumCartesian, stiffPendulumMinimal } from "./stiff-pendulum.js";
import { welchDoublePendulum } from "./welch-double-pendulum.js";
import { welchSliderCrank } from "./welch-slider-crank.js";
import { yoonPendulum, yoonPendulumAngle } from "./yoon-pendulum.js";

export { braunBiped1, braunBiped2, braunBiped3 } from "./braun-biped.js";
export {
  braunFourBars,
  braunFourBarsAcceleration,
  braunFourBarsOf,
  braunFourBarsOff,
} from "./braun-four-bars.js";
export {
  BRAUN_GRAVITY,
  braunPendulum,
  braunPendulumAcceleration,
  braunPendulumOff,
} from "./braun-pendulum.js";
export {
  braunSliderCrank,
  braunSliderCrankAcceleration,
  braunSliderCrankOff,
  braunSliderPosition,
} from "./braun-slider-crank.js";
export { chaplyginSleigh, chaplyginSleighMotion } from "./chaplygin-sleigh.js";
export { knifeEdge, knifeEdgeMotion } from "./knife-edge.js";
export type { Mechanism } from "./mechanism.js";
export {
  type OdeReference,
  robertson,
  robertsonReference,
  type VanDerPolOptions,
  vanDerPol,
  vanDerPolReference,
} from "./plain-odes.js";
export {
  stiffPendulumCartesian,
  stiffPendulumData,
  stiffPendulumMinimal,
} from "./stiff-pendulum.js";
export {
  type StiffPendulumRun,
  stiffPendulumEigenvalues,
  stiffPendulumReference,
  stiffPendulumRuns,
} from "./stiff-pendulum-reference.js";
export {
  welchDoublePendulum,
  welchDoublePendulumAngles,
  welchDoublePendulumEquilibrium,
} from "./welch-double-pendulum.js";
export { welchSliderCrank } from "./welch-slider-crank.js";
export {
  type WelchTable1Row,
  welchTable1,
  welchTable1Steps,
  welchTable2,
  welchTable2Steps,
} from "./welch-tables.js";
export { yoonPendulum, yoonPendulumAngle } from "./yoon-pendulum.js";

/** Every mechanism. */
export const mechanisms: readonly Mechanism[] = [
  welchDoublePendulum,
  welchSliderCrank,
  yoonPendulum,
  yoonPendulumAngle,
  chaplyginSleigh,
  knifeEdge,
  braunPendulum,
  braunSliderCrank,
  braunFourBars,
  braunBiped1,
  braunBiped2,
  braunBiped3,
  /* @__PURE__ */ stiffPendulumMinimal(),
  /* @__PURE__ */ stiffPendulumCartesian(),
];
export * from "./models/index.js";
