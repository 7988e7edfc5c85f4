// The tables of the papers, measured again: `nodrift/reproduce`.

import { braunGoldfarbBiped } from "./braun-goldfarb-biped.js";
import { braunGoldfarbFourBars } from "./braun-goldfarb-four-bars.js";
import { braunGoldfarbPendulum } from "./braun-goldfarb-pendulum.js";
import { braunGoldfarbSliderCrank } from "./braun-goldfarb-slider-crank.js";
import { laulusaBauchauAccelerations } from "./laulusa-bauchau-accelerations.js";
import { laulusaBauchauDrift } from "./laulusa-bauchau-drift.js";
import { laulusaBauchauSurvival } from "./laulusa-bauchau-survival.js";
import { negrutHmmwv } from "./negrut-hmmwv.js";
import { negrutJacobians } from "./negrut-jacobians.js";
import { negrutMethod } from "./negrut-method.js";
import { negrutSpeedUp } from "./negrut-speed-up.js";
import { negrutTable2 } from "./negrut-table-2.js";
import { negrutTable3 } from "./negrut-table-3.js";
import type { Reproduction } from "./reproduction.js";
import { welchOrders } from "./welch-orders.js";
import { welchStability } from "./welch-stability.js";
import { welchStates } from "./welch-states.js";
import { welchTable1 } from "./welch-table-1.js";
import { welchTable2 } from "./welch-table-2.js";
import { welchTable3 } from "./welch-table-3.js";
import { yoonExample1 } from "./yoon-example-1.js";
import { yoonSleigh } from "./yoon-sleigh.js";

export {
  baumgarteHeun,
  bipedError,
  braunMethod,
  constraintOrder,
  convergedDoublePendulum,
  cpuSeconds,
  crankError,
  distanceFromSaddle,
  dominantEigenvalue,
  drift,
  exactAngles,
  exactStiffPendulum,
  formulationOrder,
  fourBarsOf,
  hmmwvHeightsAt,
  hmmwvStepsAt,
  inStateSpace,
  jacobianErrors,
  leftAfterTwoSteps,
  longestStableStep,
  measuredOrder,
  measureTable1,
  measureTable2,
  orderResidual,
  pendulumMaxima,
  pendulumReference,
  powersOfTen,
  referenceMotion,
  runBeside,
  runMinimal,
  sdirkSteps,
  settledHmmwv,
  simulated,
  sleighMaxima,
  spectralRadii,
  stabilityAtInfinity,
  stabilityOnAxis,
  stiffOdes,
  stiffPendulumEigenvalue,
  stiffPendulumEnd,
  stiffPendulumErrors,
  stiffPendulumSteps,
  survives,
  table1Deviations,
  trajectoryError,
} from "./checked.js";
export * from "./experiments/index.js";
export type { Entry, Reproduction, Verdict } from "./reproduction.js";

/**
 * Every table, a line each.
 *
 * @example
 * const table = reproductions.find(({ name }) => name === "welch-table-1");
 * for await (const { quantity, printed, value, verdict } of table.run()) {
 *   console.log(quantity, printed, value, verdict);
 * }
 */
export const reproductions: readonly Reproduction[] = [
  welchTable1,
  welchTable2,
  welchTable3,
  welchStability,
  welchStates,
  welchOrders,
  yoonExample1,
  yoonSleigh,
  braunGoldfarbPendulum,
  braunGoldfarbSliderCrank,
  braunGoldfarbFourBars,
  braunGoldfarbBiped,
  laulusaBauchauAccelerations,
  laulusaBauchauDrift,
  laulusaBauchauSurvival,
  negrutMethod,
  negrutJacobians,
  negrutTable2,
  negrutTable3,
  negrutHmmwv,
  negrutSpeedUp,
];
