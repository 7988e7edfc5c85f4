// Predefined systems with initial states and references for their motion: one line each.

import { braunBiped1, braunBiped2, braunBiped3 } from "./equations/braun-biped.js";
import { braunFourBars } from "./equations/braun-four-bars.js";
import { braunPendulum } from "./equations/braun-pendulum.js";
import { braunSliderCrank } from "./equations/braun-slider-crank.js";
import { chaplyginSleigh } from "./equations/chaplygin-sleigh.js";
import { knifeEdge } from "./equations/knife-edge.js";
import type { Mechanism } from "./equations/mechanism.js";
import { stiffPendulumCartesian, stiffPendulumMinimal } from "./equations/stiff-pendulum.js";
import { welchDoublePendulum } from "./equations/welch-double-pendulum.js";
import { welchSliderCrank } from "./equations/welch-slider-crank.js";
import { yoonPendulum, yoonPendulumAngle } from "./equations/yoon-pendulum.js";

export { braunBiped1, braunBiped2, braunBiped3 } from "./equations/braun-biped.js";
export {
  braunFourBars,
  braunFourBarsAcceleration,
  braunFourBarsInconsistentStart,
  braunFourBarsWithGravity,
} from "./equations/braun-four-bars.js";
export {
  BRAUN_GRAVITY,
  braunPendulum,
  braunPendulumAcceleration,
  braunPendulumInconsistentStart,
} from "./equations/braun-pendulum.js";
export {
  braunSliderCrank,
  braunSliderCrankAcceleration,
  braunSliderCrankInconsistentStart,
  braunSliderPosition,
} from "./equations/braun-slider-crank.js";
export { chaplyginSleigh, chaplyginSleighMotion } from "./equations/chaplygin-sleigh.js";
export { knifeEdge, knifeEdgeMotion } from "./equations/knife-edge.js";
export type { Mechanism } from "./equations/mechanism.js";
export {
  type OdeReference,
  robertson,
  robertsonReference,
  type VanDerPolOptions,
  vanDerPol,
  vanDerPolReference,
} from "./equations/plain-odes.js";
export {
  stiffPendulumCartesian,
  stiffPendulumData,
  stiffPendulumMinimal,
} from "./equations/stiff-pendulum.js";
export {
  welchDoublePendulum,
  welchDoublePendulumAngles,
  welchDoublePendulumEquilibrium,
} from "./equations/welch-double-pendulum.js";
export { welchSliderCrank } from "./equations/welch-slider-crank.js";
export {
  type WelchTable1Row,
  welchTable1,
  welchTable1Steps,
  welchTable2,
  welchTable2Steps,
} from "./equations/welch-tables.js";
export { yoonPendulum, yoonPendulumAngle } from "./equations/yoon-pendulum.js";
export {
  type StiffPendulumRun,
  stiffPendulumEigenvalues,
  stiffPendulumReference,
  stiffPendulumRuns,
} from "./models/stiff-pendulum-reference.js";

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
