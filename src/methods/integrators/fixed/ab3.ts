import type { AdamsCoefficients } from "./adams-bashforth.js";
import { rk4Tableau } from "./rk4.js";

/** Third order, started by two steps of the classical Runge-Kutta method: Yoon's integrator. */
export const ab3Coefficients: AdamsCoefficients = {
  name: "ab3",
  reference: "Bashforth and Adams, Capillary Action (1883); Yoon, Example 1",
  order: 3,
  b: [23 / 12, -16 / 12, 5 / 12],
  start: rk4Tableau,
};
