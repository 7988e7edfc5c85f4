import {
  type DriftEliminationOptions,
  driftElimination,
  rk4,
  simulate,
  type UdwadiaKalabaOptions,
  udwadiaKalaba,
} from "nodrift";
import {
  braunFourBars,
  braunFourBarsAcceleration,
  braunPendulum,
  braunPendulumAcceleration,
  braunSliderCrank,
  braunSliderCrankAcceleration,
  braunSliderPosition,
  type Mechanism,
} from "nodrift/mechanisms";
import type { Comparison } from "./reference-run.js";

/** Braun and Goldfarb's method. */
export function braunMethod(
  options: UdwadiaKalabaOptions = {},
  drift: DriftEliminationOptions = {},
) {
  return {
    formulation: udwadiaKalaba(options),
    stabilisation: driftElimination(drift),
    integrator: rk4(),
  };
}

export const pendulum: Comparison = {
  mechanism: braunPendulum,
  acceleration: braunPendulumAcceleration,
  start: [0, 0],
  ofPositions: ([x, y]) => [x, y],
  ofAngle: (angle) => [Math.cos(angle), Math.sin(angle)],
};

/** Compared by the position of the slider. */
export const sliderCrank: Comparison = {
  mechanism: braunSliderCrank,
  acceleration: braunSliderCrankAcceleration,
  start: [0, 0],
  ofPositions: (q) => [braunSliderPosition(q)],
  ofAngle: (angle) => [2 * Math.cos(angle)],
};

/** Compared by x3. */
export const fourBars: Comparison = {
  mechanism: braunFourBars,
  acceleration: braunFourBarsAcceleration,
  start: [0, 1],
  ofPositions: (q) => [q[4]],
  ofAngle: (angle) => [2 + Math.sin(angle)],
};

/** Largest |Phi'| of a biped, whose start is rounded, from a time on when that is forgotten. */
export function bipedError({ equations, q, v }: Mechanism, span: number, from = 0.1): number {
  const method = braunMethod();
  const simulation = simulate(equations, { method, step: 1e-2, q, v, start: "asGiven" });
  let largest = 0;
  simulation.runTo(from).runTo(span, () => {
    largest = Math.max(largest, simulation.constraintError().velocity);
  });
  return largest;
}

/** Exponent of the constraint error in the step: of |Phi| and of |Phi'|, pendulum over 10 s. */
export function constraintOrder(short: number, long: number): { phi: number; phiDot: number } {
  const [a, b] = [short, long].map((step) => {
    const { q } = braunPendulum;
    const start = { method: braunMethod(), step, q, start: "asGiven" } as const;
    const worst = { position: 0, velocity: 0 };
    simulate(braunPendulum.equations, start).runTo(10, (simulation) => {
      const { position, velocity } = simulation.constraintError();
      worst.position = Math.max(worst.position, position);
      worst.velocity = Math.max(worst.velocity, velocity);
    });
    return worst;
  });
  const exponent = (x: number, y: number) => Math.log(y / x) / Math.log(long / short);
  return { phi: exponent(a.position, b.position), phiDot: exponent(a.velocity, b.velocity) };
}
