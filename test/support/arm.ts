import type { EquationsDescription } from "nodrift";
import type { TrackingReference } from "nodrift/analysis";

export const G = 9.81;

/** Two links of unit length with unit masses at their ends, absolute angles from the horizontal. */
export const arm: EquationsDescription = {
  name: "arm",
  coordinates: ["a", "b"],
  mass: {
    full: (q, out) => {
      const c = Math.cos(q[0] - q[1]);
      out.set([2, c, c, 1]);
    },
  },
  forces: (q, v, out) => {
    const s = Math.sin(q[0] - q[1]);
    out[0] = -s * v[1] ** 2 - 2 * G * Math.cos(q[0]);
    out[1] = s * v[0] ** 2 - G * Math.cos(q[1]);
  },
};

export const shoulder: TrackingReference = {
  name: "shoulder",
  follows: "a",
  reference: (t) => Math.sin(t),
  rate: (t) => Math.cos(t),
  acceleration: (t) => -Math.sin(t),
};

export const elbow: TrackingReference = {
  name: "elbow",
  follows: "b",
  reference: (t) => 0.5 * t * t,
  rate: (t) => t,
  acceleration: () => 1,
};

/** M r'' - Q(r, r'), written down by hand. */
export function inverseDynamics(t: number): [number, number] {
  const [a, da, dda] = [Math.sin(t), Math.cos(t), -Math.sin(t)];
  const [b, db, ddb] = [0.5 * t * t, t, 1];
  const [c, s] = [Math.cos(a - b), Math.sin(a - b)];
  return [
    2 * dda + c * ddb + s * db * db + 2 * G * Math.cos(a),
    c * dda + ddb - s * da * da + G * Math.cos(b),
  ];
}
