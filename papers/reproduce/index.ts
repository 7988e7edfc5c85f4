// The tables of the papers, measured again: `nodrift/reproduce`.

import type { Reproduction } from "./judging/reproduction.js";
import { braunGoldfarbBiped } from "./tables/braun-goldfarb-biped.js";
import { braunGoldfarbCpu } from "./tables/braun-goldfarb-cpu.js";
import { braunGoldfarbFourBars } from "./tables/braun-goldfarb-four-bars.js";
import { braunGoldfarbPendulum } from "./tables/braun-goldfarb-pendulum.js";
import { braunGoldfarbSliderCrank } from "./tables/braun-goldfarb-slider-crank.js";
import { laulusaBauchauAccelerations } from "./tables/laulusa-bauchau-accelerations.js";
import { laulusaBauchauCosts } from "./tables/laulusa-bauchau-costs.js";
import { laulusaBauchauDrift } from "./tables/laulusa-bauchau-drift.js";
import { laulusaBauchauSurvival } from "./tables/laulusa-bauchau-survival.js";
import { negrutHmmwv } from "./tables/negrut-hmmwv.js";
import { negrutJacobians } from "./tables/negrut-jacobians.js";
import { negrutMethod } from "./tables/negrut-method.js";
import { negrutSpeedUp } from "./tables/negrut-speed-up.js";
import { negrutTable2 } from "./tables/negrut-table-2.js";
import { negrutTable3 } from "./tables/negrut-table-3.js";
import { welchOrders } from "./tables/welch-orders.js";
import { welchStability } from "./tables/welch-stability.js";
import { welchStates } from "./tables/welch-states.js";
import { welchTable1 } from "./tables/welch-table-1.js";
import { welchTable2 } from "./tables/welch-table-2.js";
import { welchTable3 } from "./tables/welch-table-3.js";
import { yoonExample1 } from "./tables/yoon-example-1.js";
import { yoonSleigh } from "./tables/yoon-sleigh.js";

export {
  type Drawing,
  type DrawnFigure,
  drawings,
  type FigureAxis,
  type FigureCurve,
} from "./drawings/index.js";
export type { Against, Bound } from "./judging/bounds.js";
export { judgedWith } from "./judging/entries.js";
export type {
  Entry,
  EntryClass,
  PaperPart,
  Reproduction,
  Verdict,
} from "./judging/reproduction.js";

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
  braunGoldfarbCpu,
  laulusaBauchauAccelerations,
  laulusaBauchauDrift,
  laulusaBauchauSurvival,
  laulusaBauchauCosts,
  negrutMethod,
  negrutJacobians,
  negrutTable2,
  negrutTable3,
  negrutHmmwv,
  negrutSpeedUp,
];
