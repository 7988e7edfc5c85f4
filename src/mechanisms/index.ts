// Ready systems with their starts and what is known about their motion: one line each.

export { chaplyginSleigh, chaplyginSleighMotion } from "./chaplygin-sleigh.js";
export { knifeEdge, knifeEdgeMotion } from "./knife-edge.js";
export type { Mechanism } from "./mechanism.js";
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
