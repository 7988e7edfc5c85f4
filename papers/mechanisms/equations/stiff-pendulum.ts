import type { HolonomicConstraints } from "../../../src/systems/equations/description.js";
import { equations } from "../../../src/systems/equations/equations.js";
import { requireNothing } from "../checks.js";
import type { Mechanism } from "./mechanism.js";

// Two uniform rods of the lengths 2 L in a vertical plane, hinged end to end, with a spring and a
// damper in each hinge. Angles count from +x, gravity acts along -y. The spring between the rods is
// so strongly damped that the difference of the angles creeps: eigenvalues lie four orders of
// magnitude apart.

/** The data of the stiff double pendulum; lengths are half those of the rods. */
export const stiffPendulumData = {
  gravity: 9.81,
  mass1: 3,
  mass2: 0.3,
  half1: 1,
  half2: 1.5,
  stiffness1: 400,
  damping1: 15,
  /** Angle of the first rod at which its spring is slack; the other spring is slack when the rods align. */
  slack1: (3 * Math.PI) / 2,
  stiffness2: 3e5,
  damping2: 5e4,
  theta1: 2 * Math.PI,
  theta2: (23 * Math.PI) / 12,
  rate1: 0,
  rate2: 10,
} as const;

const {
  gravity: G,
  mass1: M1,
  mass2: M2,
  half1: L1,
  half2: L2,
  stiffness1: K1,
  damping1: C1,
  slack1: SLACK,
  stiffness2: K2,
  damping2: C2,
  theta1: THETA1,
  theta2: THETA2,
  rate1: RATE1,
  rate2: RATE2,
} = stiffPendulumData;

const INERTIA1 = (M1 * L1 ** 2) / 3;
const INERTIA2 = (M2 * L2 ** 2) / 3;

const REFERENCE = "Negrut, Haug and German, Multibody System Dynamics 9 (2003), section 5.1";

/**
 * The stiff double pendulum of Negrut et al. in the angles of its rods: no constraints.
 *
 * @example
 * const { equations, q, v } = stiffPendulumMinimal();
 * const { end } = solve(equations, { span: [0, 2], q, v, integrator: sdirk4() });
 */
export function stiffPendulumMinimal(...more: undefined[]): Mechanism {
  requireNothing("stiffPendulumMinimal", more);
  const first = INERTIA1 + (M1 + 4 * M2) * L1 ** 2;
  const second = INERTIA2 + M2 * L2 ** 2;
  const coupling = 2 * M2 * L1 * L2;
  return {
    name: "stiff double pendulum by its angles",
    description: "Two rods with a soft and a very stiff hinge, in independent coordinates.",
    reference: REFERENCE,
    equations: equations({
      name: "stiff double pendulum by its angles",
      coordinates: ["theta1", "theta2"],
      mass: {
        full: (q, out) => {
          out[0] = first;
          out[1] = out[2] = coupling * Math.cos((q[0] as number) - (q[1] as number));
          out[3] = second;
        },
      },
      forces: (q, v, out) => {
        const [theta1, theta2] = [q[0] as number, q[1] as number];
        const [rate1, rate2] = [v[0] as number, v[1] as number];
        const bend = coupling * Math.sin(theta1 - theta2);
        const between = betweenTorque(theta2 - theta1, rate2 - rate1);
        const weight1 = (M1 + 2 * M2) * G * L1 * Math.cos(theta1);
        out[0] = -bend * rate2 ** 2 - weight1 + groundTorque(theta1, rate1) - between;
        out[1] = bend * rate1 ** 2 - M2 * G * L2 * Math.cos(theta2) + between;
      },
      potential: (q) => {
        const [theta1, theta2] = [q[0] as number, q[1] as number];
        const height2 = 2 * L1 * Math.sin(theta1) + L2 * Math.sin(theta2);
        return G * (M1 * L1 * Math.sin(theta1) + M2 * height2) + springEnergy(theta1, theta2);
      },
      power: (_q, v) => damperPower(v[0] as number, v[1] as number),
    }),
    q: [THETA1, THETA2],
    v: [RATE1, RATE2],
  };
}

/**
 * The stiff double pendulum in the coordinates of both centres of mass and the angles: four constraints.
 *
 * @example
 * const { equations, q, v } = stiffPendulumCartesian();
 * const { end } = solve(equations, { span: [0, 2], q, v, integrator: sdirk4() });
 */
export function stiffPendulumCartesian(...more: undefined[]): Mechanism {
  requireNothing("stiffPendulumCartesian", more);
  const [cosine1, sine1] = [Math.cos(THETA1), Math.sin(THETA1)];
  const [cosine2, sine2] = [Math.cos(THETA2), Math.sin(THETA2)];
  const [x1, y1] = [L1 * cosine1, L1 * sine1];
  const [u1, w1] = [-y1 * RATE1, x1 * RATE1];
  return {
    name: "stiff double pendulum",
    description: "Two rods with a soft and a very stiff hinge, in absolute coordinates.",
    reference: REFERENCE,
    equations: equations({
      name: "stiff double pendulum",
      coordinates: ["x1", "y1", "theta1", "x2", "y2", "theta2"],
      mass: [M1, M1, INERTIA1, M2, M2, INERTIA2],
      forces: (q, v, out) => {
        const [theta1, theta2] = [q[2] as number, q[5] as number];
        const [rate1, rate2] = [v[2] as number, v[5] as number];
        const between = betweenTorque(theta2 - theta1, rate2 - rate1);
        out[0] = out[3] = 0;
        out[1] = -M1 * G;
        out[2] = groundTorque(theta1, rate1) - between;
        out[4] = -M2 * G;
        out[5] = between;
      },
      potential: (q) =>
        G * (M1 * (q[1] as number) + M2 * (q[4] as number)) +
        springEnergy(q[2] as number, q[5] as number),
      power: (_q, v) => damperPower(v[2] as number, v[5] as number),
      holonomic: hinges,
    }),
    q: [x1, y1, THETA1, 2 * x1 + L2 * cosine2, 2 * y1 + L2 * sine2, THETA2],
    v: [u1, w1, RATE1, 2 * u1 - L2 * sine2 * RATE2, 2 * w1 + L2 * cosine2 * RATE2, RATE2],
  };
}

/** The first rod's end stays at the origin, the second's at the other end of the first. */
const hinges: HolonomicConstraints = {
  rows: ["pivot x", "pivot y", "joint x", "joint y"],
  value: (q, out) => {
    const [x1, y1, theta1] = [q[0] as number, q[1] as number, q[2] as number];
    const theta2 = q[5] as number;
    out[0] = x1 - L1 * Math.cos(theta1);
    out[1] = y1 - L1 * Math.sin(theta1);
    out[2] = (q[3] as number) - x1 - L1 * Math.cos(theta1) - L2 * Math.cos(theta2);
    out[3] = (q[4] as number) - y1 - L1 * Math.sin(theta1) - L2 * Math.sin(theta2);
  },
  jacobian: (q, out) => {
    const [theta1, theta2] = [q[2] as number, q[5] as number];
    out.fill(0);
    out[0] = out[7] = out[15] = out[22] = 1;
    out[12] = out[19] = -1;
    out[2] = out[14] = L1 * Math.sin(theta1);
    out[8] = out[20] = -L1 * Math.cos(theta1);
    out[17] = L2 * Math.sin(theta2);
    out[23] = -L2 * Math.cos(theta2);
  },
  gamma: (q, v, out) => {
    const [theta1, theta2] = [q[2] as number, q[5] as number];
    const [square1, square2] = [(v[2] as number) ** 2, (v[5] as number) ** 2];
    out[0] = -L1 * Math.cos(theta1) * square1;
    out[1] = -L1 * Math.sin(theta1) * square1;
    out[2] = (out[0] as number) - L2 * Math.cos(theta2) * square2;
    out[3] = (out[1] as number) - L2 * Math.sin(theta2) * square2;
  },
};

/** Torque from the ground on the first rod. */
function groundTorque(theta1: number, rate1: number): number {
  return -K1 * (theta1 - SLACK) - C1 * rate1;
}

/** Torque on the second rod; the opposite acts on the first. */
function betweenTorque(angle: number, rate: number): number {
  return -K2 * angle - C2 * rate;
}

function springEnergy(theta1: number, theta2: number): number {
  return (K1 * (theta1 - SLACK) ** 2 + K2 * (theta2 - theta1) ** 2) / 2;
}

function damperPower(rate1: number, rate2: number): number {
  return -C1 * rate1 ** 2 - C2 * (rate2 - rate1) ** 2;
}
