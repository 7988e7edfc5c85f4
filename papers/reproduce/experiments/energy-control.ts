// Yoon's Example 1, and a sleigh for his eq. 8: Adams-Bashforth of third order, step 0.01.

import { energyCoupling } from "../../../src/analysis/index.js";
import {
  ab3,
  baumgarte,
  energyDescent,
  energyMultiplier,
  energyVelocity,
  lagrange,
  type Stabilisation,
  simulate,
} from "../../../src/index.js";
import {
  chaplyginSleigh,
  type Mechanism,
  yoonPendulum,
  yoonPendulumAngle,
} from "../../mechanisms/index.js";

const STEP = 0.01;

/** Largest constraint violation, energy error and error in X. */
export type Maxima = readonly [phi: number, psi: number, x: number];

/**
 * A way to control constraint and energy of Yoon's pendulum, and the results of an independent
 * implementation.
 */
export interface PendulumCase {
  /** Name of the case: controlled quantity and method. */
  readonly name: string;
  /** The pendulum. */
  readonly mechanism: Mechanism;
  /** The stabilisations that control it. */
  readonly stabilisation: readonly Stabilisation[];
  /** Results after 20 and after 100 seconds. */
  readonly after: Readonly<Record<20 | 100, Maxima>>;
}

// Yoon's alpha and beta weight Phi' and Phi: 2 alpha and beta^2 of ours.
const cvsm = baumgarte({ alpha: Math.sqrt(40), beta: Math.sqrt(40) });

/** Yoon's Example 1. The formulation in the angle has no constraints, hence no violation. */
export const pendulumCases: readonly PendulumCase[] = [
  {
    name: "no control",
    mechanism: yoonPendulum,
    stabilisation: [],
    after: { 20: [1.475e-4, 3.485e-4, 9.826e-4], 100: [7.374e-4, 1.737e-3, 3.277e-2] },
  },
  {
    name: "baumgarte",
    mechanism: yoonPendulum,
    stabilisation: [cvsm],
    after: { 20: [6.681e-6, 1.487e-3, 9.075e-3], 100: [6.681e-6, 7.436e-3, 0.2701] },
  },
  {
    name: "baumgarte + energyVelocity",
    mechanism: yoonPendulum,
    stabilisation: [cvsm, energyVelocity({ gain: 6 })],
    after: { 20: [6.681e-6, 4.761e-6, 7.581e-5], 100: [6.681e-6, 4.761e-6, 3.881e-4] },
  },
  {
    name: "baumgarte + energyDescent",
    mechanism: yoonPendulum,
    stabilisation: [cvsm, energyDescent({ positionGain: 5, velocityGain: 5 })],
    after: { 20: [2.894e-5, 1.167e-5, 5.176e-4], 100: [2.894e-5, 1.167e-5, 2.943e-3] },
  },
  {
    name: "baumgarte + energyMultiplier",
    mechanism: yoonPendulum,
    stabilisation: [cvsm, energyMultiplier({ eta: 40 })],
    after: { 20: [6.681e-6, 5.213e-6, 7.516e-5], 100: [6.681e-6, 5.213e-6, 3.865e-4] },
  },
  {
    name: "angle, no control",
    mechanism: yoonPendulumAngle,
    stabilisation: [],
    after: { 20: [0, 2.787e-5, 1.417e-4], 100: [0, 1.381e-4, 4.882e-3] },
  },
  {
    name: "angle + energyVelocity",
    mechanism: yoonPendulumAngle,
    stabilisation: [energyVelocity({ gain: 5 })],
    after: { 20: [0, 2.621e-7, 1.415e-6], 100: [0, 2.621e-7, 2.837e-6] },
  },
];

/** The angle at every step, by RK-4 with steps so small that only rounding errors remain. */
export function pendulumReference(seconds: number): Float64Array {
  const inner = 20;
  const h = STEP / inner;
  const angles = new Float64Array(Math.round(seconds / STEP) + 1);
  let theta = yoonPendulumAngle.q[0] as number;
  let omega = yoonPendulumAngle.v[0] as number;
  for (let k = 0; k < angles.length; k++) {
    angles[k] = theta;
    for (let i = 0; i < inner; i++) {
      const a1 = -Math.cos(theta);
      const a2 = -Math.cos(theta + (h / 2) * omega);
      const a3 = -Math.cos(theta + (h / 2) * (omega + (h / 2) * a1));
      const a4 = -Math.cos(theta + h * (omega + (h / 2) * a2));
      theta += h * omega + ((h * h) / 6) * (a1 + a2 + a3);
      omega += (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
  return angles;
}

/** Runs a case and returns its maxima over all steps. */
export function pendulumMaxima(
  { mechanism, stabilisation }: PendulumCase,
  seconds: number,
  reference: Float64Array,
): Maxima {
  const { equations, q, v } = mechanism;
  const method = { formulation: lagrange(), stabilisation, integrator: ab3() };
  const simulation = simulate(equations, { method, step: STEP, q, v });
  const start = simulation.energy().total;
  let [phi, psi, x] = [0, 0, 0];
  for (let k = 1; k <= Math.round(seconds / STEP); k++) {
    simulation.advance();
    const first = simulation.q[0] as number;
    const position = mechanism === yoonPendulumAngle ? Math.cos(first) : first;
    phi = Math.max(phi, simulation.constraintError().position);
    psi = Math.max(psi, Math.abs(simulation.energy().total - start));
    x = Math.max(x, Math.abs(position - Math.cos(reference[k] as number)));
  }
  return [phi, psi, x];
}

/** Largest constraint error, energy error and coupling (eq. 20) of the sleigh over 20 seconds. */
export function sleighMaxima(stabilisation: readonly Stabilisation[]) {
  const { equations, q, v } = chaplyginSleigh;
  const method = { formulation: lagrange(), stabilisation, integrator: ab3() };
  const simulation = simulate(equations, { method, step: STEP, q, v });
  const couplingAt = energyCoupling(equations);
  const start = simulation.energy().total;
  const couplingNow = () => Math.abs(couplingAt(simulation)[0] as number);
  let [pi, psi, coupling] = [0, 0, couplingNow()];
  simulation.runTo(20, () => {
    pi = Math.max(pi, simulation.constraintError().velocity);
    psi = Math.max(psi, Math.abs(simulation.energy().total - start));
    coupling = Math.max(coupling, couplingNow());
  });
  return { pi, psi, coupling };
}
