import type { ModelDocument } from "nodrift/files";
import { GRAVITY } from "./parts.js";

/** Lengths (m) and masses (kg) of arm and pendulum, both uniform rods. */
export const FURUTA = { arm: 0.3, armMass: 0.2, pendulum: 0.4, mass: 0.1, gravity: 9.81 } as const;

/** Poles of the controlled pendulum, and its initial lean in radians. */
export const POLES = [
  { re: -3, im: 2 },
  { re: -3, im: -2 },
  { re: -8, im: 0 },
  { re: -10, im: 0 },
] as const;
const LEAN = 0.25;

/**
 * Returns the gains of torque = a theta + b phi + c theta' + d phi' for these poles. Linearised about upright, with the
 * angles theta of the arm and phi of the pendulum about it,
 *
 *   J theta'' + h phi'' = torque,   h theta'' + I phi'' = w phi,
 *
 * J = M r^2 / 3 + m r^2, I = m L^2 / 3, h = -m r L / 2 (for phi > 0 the pendulum leans towards -theta), w = m g L / 2. The
 * determinant of s^2 (J, h; h, I) - (a + c s, b + d s; 0, w) is compared with that of the poles, power by power.
 */
export function gains(): { arm: number; pendulum: number; armRate: number; pendulumRate: number } {
  const { arm: r, armMass, pendulum: L, mass: m, gravity: g } = FURUTA;
  // The pendulum also rotates with the arm about its own axis: rods have a radius of a hundredth of their length.
  const J = (armMass * r * r) / 3 + m * r * r + (m * (L / 100) ** 2) / 2;
  const I = (m * L * L) / 3;
  const h = -(m * r * L) / 2;
  const w = (m * g * L) / 2;
  const D = J * I - h * h;
  // (s^2 + 6 s + 13)(s + 8)(s + 10)
  const [p3, p2, p1, p0] = [24, 201, 714, 1040];
  // D s^4 + (h d - I c) s^3 + (h b - I a - J w) s^2 + c w s + a w
  const [a, c] = [(D * p0) / w, (D * p1) / w];
  return {
    arm: a,
    armRate: c,
    pendulum: (D * p2 + I * a + J * w) / h,
    pendulumRate: (D * p3 + I * c) / h,
  };
}

/** A pendulum balanced upright on a rotating arm. */
export function furuta(): ModelDocument {
  const { arm, armMass, pendulum, mass } = FURUTA;
  const k = gains();
  return {
    nodrift: 1,
    name: "Furuta pendulum",
    description:
      "A pendulum stands on the end of an arm that turns: a controller of four numbers keeps it upright",
    units: "SI",
    gravity: GRAVITY,
    parameters: { ka: k.arm, kp: k.pendulum, da: k.armRate, dp: k.pendulumRate },
    bodies: [
      {
        name: "arm",
        mass: armMass,
        shape: { type: "rod", length: arm, axis: [1, 0, 0] },
        position: [arm / 2, 0, 0],
      },
      {
        name: "pendulum",
        mass,
        shape: { type: "rod", length: pendulum, axis: [0, 0, 1] },
        position: [arm, 0, pendulum / 2],
      },
    ],
    joints: [
      {
        type: "revolute",
        name: "shoulder",
        between: ["ground", "arm"],
        at: [0, 0, 0],
        axis: [0, 0, 1],
      },
      {
        type: "revolute",
        name: "pivot",
        between: ["arm", "pendulum"],
        at: [arm, 0, 0],
        axis: [1, 0, 0],
      },
    ],
    forces: [
      {
        type: "torsionSpring",
        name: "controller",
        joint: "shoulder",
        torque: "ka*angle + kp*angle('pivot') + da*rate + dp*angleRate('pivot')",
      },
    ],
    start: { joints: { pivot: LEAN } },
    solve: { span: [0, 5], tolerance: 1e-8 },
    output: {
      at: { rate: 60 },
      values: [
        "angle('shoulder')",
        "angle('pivot')",
        { name: "torque of the controller", value: "tz('controller')", unit: "N m" },
      ],
    },
    view: { from: "isometric", traces: [{ body: "pendulum", point: [0, 0, pendulum / 2] }] },
  };
}
