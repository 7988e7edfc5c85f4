// The experiments of Braun and Goldfarb 2009, section 5: RK4, Udwadia-Kalaba and drift elimination.

import {
  type DriftEliminationOptions,
  driftElimination,
  type Method,
  rk4,
  simulate,
  type UdwadiaKalabaOptions,
  udwadiaKalaba,
} from "../../../src/index.js";
import {
  BRAUN_GRAVITY,
  braunFourBars,
  braunFourBarsAcceleration,
  braunFourBarsInconsistentStart,
  braunFourBarsWithGravity,
  braunPendulum,
  braunPendulumAcceleration,
  braunPendulumInconsistentStart,
  braunSliderCrank,
  braunSliderCrankAcceleration,
  braunSliderCrankInconsistentStart,
  braunSliderPosition,
  type Mechanism,
} from "../../mechanisms/index.js";
import type { Comparison } from "./reference-run.js";

/** Braun and Goldfarb's method. */
export function braunMethod(
  options: UdwadiaKalabaOptions = {},
  drift: DriftEliminationOptions = {},
): Method {
  return {
    formulation: udwadiaKalaba(options),
    stabilisation: driftElimination(drift),
    integrator: rk4(),
  };
}

/** Braun and Goldfarb's method without its corrections: their eq. 17. */
export const uncorrected: Method = { formulation: udwadiaKalaba(), integrator: rk4() };

/** The pendulum, compared by its position. */
const pendulum: Comparison = {
  mechanism: braunPendulum,
  acceleration: (angle) => braunPendulumAcceleration(angle),
  start: [0, 0],
  ofPositions: (q) => [q[0] as number, q[1] as number],
  ofAngle: (angle) => [Math.cos(angle), Math.sin(angle)],
};

/**
 * The initial states of section 5 off the constraints: of the pendulum (fig. 1), the slider-crank (figs. 3 and 4) and the
 * four-bars (figs. 5 and 6).
 */
export const startsOffConstraints = {
  pendulum: { ...braunPendulum, ...braunPendulumInconsistentStart },
  sliderCrank: { ...braunSliderCrank, ...braunSliderCrankInconsistentStart },
  fourBars: { ...braunFourBars, ...braunFourBarsInconsistentStart },
} satisfies Record<string, Mechanism>;

/**
 * Systems of section 5 with their minimal equations: the pendulum by its position, also from a
 * start off its constraint, the slider-crank by the position of its slider.
 */
export const comparisons = {
  pendulum,
  pendulumOff: { ...pendulum, mechanism: startsOffConstraints.pendulum },
  sliderCrank: {
    mechanism: braunSliderCrank,
    acceleration: braunSliderCrankAcceleration,
    start: [0, 0],
    ofPositions: (q) => [braunSliderPosition(q)],
    ofAngle: (angle) => [2 * Math.cos(angle)],
  },
  fourBars: fourBarsOf(BRAUN_GRAVITY),
} satisfies Record<string, Comparison>;

/** The two four-bars under a gravity, compared by x3. */
export function fourBarsOf(gravity: number): Comparison {
  const scale = gravity / BRAUN_GRAVITY;
  return {
    mechanism: braunFourBarsWithGravity(gravity),
    acceleration: (angle) => scale * braunFourBarsAcceleration(angle),
    start: [0, 1],
    ofPositions: (q) => [q[4] as number],
    ofAngle: (angle) => [2 + Math.sin(angle)],
  };
}

/** A run by Braun and Goldfarb's method, and the time from which its errors count. */
export interface ConstraintRun {
  /** Length of a step, s. */
  readonly step: number;
  /** Simulated time, s. */
  readonly span: number;
  /** Errors before this time do not count. Default: 0. */
  readonly from?: number;
}

/** Largest constraint errors of a run from an initial state as given. */
export function constraintErrors(
  { equations, q, v }: Mechanism,
  { step, span, from = 0 }: ConstraintRun,
): { readonly position: number; readonly velocity: number } {
  const worst = { position: 0, velocity: 0 };
  const method = braunMethod();
  const simulation = simulate(equations, { method, step, q, v, start: "asGiven" });
  if (from > 0) simulation.runTo(from);
  simulation.runTo(span, () => {
    const { position, velocity } = simulation.constraintError();
    worst.position = Math.max(worst.position, position);
    worst.velocity = Math.max(worst.velocity, velocity);
  });
  return worst;
}

/** Largest |Phi'| of a biped from a time on at which the rounding of its initial state has decayed. */
export function bipedError(biped: Mechanism, span: number, from = 0.1): number {
  return constraintErrors(biped, { step: 1e-2, span, from }).velocity;
}

/** Exponent of the constraint error in the step: of |Phi| and of |Phi'|, pendulum over 10 s. */
export function constraintOrder(short: number, long: number): { phi: number; phiDot: number } {
  const violation = (step: number) => constraintErrors(braunPendulum, { step, span: 10 });
  const [a, b] = [violation(short), violation(long)];
  const exponent = (x: number, y: number) => Math.log(y / x) / Math.log(long / short);
  return { phi: exponent(a.position, b.position), phiDot: exponent(a.velocity, b.velocity) };
}

/** Constraint error two steps after a pendulum starts off its constraint. */
export function errorAfterTwoSteps(): { readonly position: number; readonly velocity: number } {
  const { q, v } = braunPendulumInconsistentStart;
  const start = { method: braunMethod(), step: 1e-3, q, v, start: "asGiven" } as const;
  return simulate(braunPendulum.equations, start).advance(2).constraintError();
}
