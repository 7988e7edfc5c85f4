// Bushings and tyres, whose power takes a longer computation.

import { attach, type Moving, stateOf, whereIs } from "./reading.js";
import { type Scene, vectorFrom } from "./scene.js";
import {
  after,
  cross,
  dot,
  minus,
  norm,
  plus,
  type Quaternion,
  scaled,
  times,
  timesTransposed,
  unit,
  type V3,
} from "./vectors.js";

export type Power = (at: Moving, t: number) => number;

/** The acting parts: springs alone keep the energy. */
export type Kind = "springs" | "all";

export interface ForceCase {
  /** Whether it has a potential if only its springs act. */
  readonly keepsEnergy: boolean;
  /** Creates the force, and returns a function from the initial state to its power. */
  readonly make: (scene: Scene, kind: Kind) => (start: Moving) => Power;
}

const STIFFNESS = [40, 60, 90, 3, 5, 7] as const;
const DAMPING = [1, 2, 3, 0.2, 0.3, 0.1] as const;

export const bushing: ForceCase = {
  keepsEnergy: true,
  make({ m, a, b, random }, kind) {
    const [at, axis] = [vectorFrom(random), unit(vectorFrom(random))];
    m.bushing({
      between: [a, b],
      at,
      axis,
      stiffness: [...STIFFNESS],
      ...(kind === "all" && { damping: [...DAMPING] }),
    });
    const frame = m.data().markers;
    // The package chooses x and y of the bushing: they are read from its marker.
    const axes = frame[frame.length - 2].axes;
    return (start) => {
      const inA = [0, 1, 2].map((j) => [axes[3 * j], axes[3 * j + 1], axes[3 * j + 2]] as V3);
      const world = inA.map((x) => times(stateOf(start, a).R, x));
      const [own, other] = [stateOf(start, a).e, stateOf(start, b).e];
      const ends = [attach(start, a, at), attach(start, b, at)];
      return (now) => {
        const [first, second] = [stateOf(now, a), stateOf(now, b)];
        const [p, q] = ends.map((end) => whereIs(now, end));
        const d = minus(q.p, p.p);
        const u = minus(minus(q.u, p.u), cross(first.omega, d));
        // Rotation of B relative to A since the initial state, in the world's axes then, carried by A.
        const turned = after(after(own, conjugate(first.e)), after(second.e, conjugate(other)));
        const spin = times(
          stateOf(start, a).R,
          timesTransposed(first.R, minus(second.omega, first.omega)),
        );
        const [w, ...vector] = turned;
        const sign = w < 0 ? -1 : 1;
        const z = scaled(2 * sign, vector as V3);
        const rate = plus(scaled(sign * w, spin), scaled(0.5, cross(spin, z)));
        let power = 0;
        for (let i = 0; i < 3; i++) {
          const axisNow = times(first.R, inA[i]);
          const pairs = [
            [dot(axisNow, d), dot(axisNow, u)],
            [dot(world[i], z), dot(world[i], rate)],
          ];
          for (const [k, [x, speed]] of pairs.entries()) {
            const c = kind === "all" ? DAMPING[i + 3 * k] : 0;
            power -= (STIFFNESS[i + 3 * k] * x + c * speed) * speed;
          }
        }
        return power;
      };
    };
  },
};

const conjugate = ([w, x, y, z]: Quaternion): Quaternion => [w, -x, -y, -z];

const bump = (x: number, y: number, t: number) => 0.1 * Math.sin(2 * x + t) + 0.05 * y * y;

export const tyre: ForceCase = {
  keepsEnergy: false,
  make({ m, a, b, random }) {
    const at = vectorFrom(random);
    const road = a.marker({ at: [0.1, 0.2, 0.3], axis: [0, 0, 1] });
    m.tyre({
      wheel: b,
      at,
      road,
      stiffness: 30,
      damping: 2,
      radius: 0.4,
      height: bump,
      bilateral: true,
    });
    return (start) => {
      const { r, R } = stateOf(start, a);
      const { position, centre } = m.data().bodies[a.index];
      const origin = minus(r, times(R, centre as V3));
      if (norm(minus(origin, position as V3)) > 1e-9) throw new Error("the origin is elsewhere");
      const plane = attach(start, a, plus(origin, times(R, [0.1, 0.2, 0.3])), R);
      const hub = attach(start, b, at);
      return (now, t) => {
        const [floor, wheel] = [whereIs(now, plane), whereIs(now, hub)];
        const d = minus(wheel.p, floor.p);
        const [x, y, z] = timesTransposed(floor.R, d);
        const u = minus(minus(wheel.u, floor.u), cross(stateOf(now, a).omega, d));
        const [dx, dy, dz] = timesTransposed(floor.R, u);
        const slope = 0.2 * Math.cos(2 * x + t) * dx + 0.1 * Math.cos(2 * x + t) + 0.1 * y * dy;
        return (30 * (0.4 - z + bump(x, y, t)) - 2 * (dz - slope)) * dz;
      };
    };
  },
};
