// One case for each force of the registry: its action on two moving bodies, and its power, computed
// without the package.

import type { forces } from "nodrift/bodies";
import { bushing, type ForceCase, tyre } from "./force-elastic.js";
import { type Attached, attach, counted, relative, stateOf, whereIs } from "./reading.js";
import { vectorFrom } from "./scene.js";
import { axesAlong, column, cross, dot, minus, norm, times, unit, type V3 } from "./vectors.js";

const wave = (t: number): V3 => [3 * Math.sin(4 * t), 2, -3 * t];

const pointForce: ForceCase = {
  keepsEnergy: false,
  make({ m, b, random }) {
    const at = vectorFrom(random);
    m.pointForce({ on: b, at, force: wave, frame: "body" });
    return (start) => {
      const point = attach(start, b, at);
      return (now, t) => dot(times(stateOf(now, b).R, wave(t)), whereIs(now, point).u);
    };
  },
};

const torque: ForceCase = {
  keepsEnergy: false,
  make({ m, a, b, random }) {
    const axis = unit(vectorFrom(random));
    m.torque({ on: b, torque: wave });
    m.torque({ on: a.marker({ axis }), torque: [0, 0, 2], frame: "marker" });
    // A marker's axis is given in the axes of its body.
    return () => (now, t) => dot(wave(t), stateOf(now, b).omega) + 2 * dot(axis, stateOf(now, a).w);
  },
};

const spring: ForceCase = {
  keepsEnergy: true,
  make({ m, a, b, random }, kind) {
    const [atA, atB] = [vectorFrom(random), vectorFrom(random)];
    const more = {
      damping: 3,
      force: (length: number, rate: number, t: number) => length ** 2 - rate + Math.sin(5 * t),
    };
    m.spring({
      between: [a, b],
      atA,
      atB,
      stiffness: 40,
      length: 0.6,
      ...(kind === "all" && more),
    });
    return (start) => {
      const ends = [attach(start, a, atA), attach(start, b, atB)];
      return (now, t) => {
        const [first, second] = ends.map((end) => whereIs(now, end));
        const d = minus(second.p, first.p);
        const rate = dot(unit(d), minus(second.u, first.u));
        const extra = kind === "all" ? more.force(norm(d), rate, t) - more.damping * rate : 0;
        return (extra - 40 * (norm(d) - 0.6)) * rate;
      };
    };
  },
};

const torsionSpring: ForceCase = {
  keepsEnergy: true,
  make({ m, a, b, random }, kind) {
    const [at, axis] = [vectorFrom(random), unit(vectorFrom(random))];
    const joint = m.revolute({ between: [a, b], at, axis });
    const more = {
      damping: 0.3,
      torque: (angle: number, rate: number, t: number) => 0.1 * angle ** 2 - 0.1 * rate + 2 * t,
    };
    m.torsionSpring({ joint, stiffness: 4, angle: 5, ...(kind === "all" && more) });
    return (start) => {
      const ends: [Attached, Attached] = [
        attach(start, a, at, axesAlong(axis)),
        attach(start, b, at, axesAlong(axis)),
      ];
      const count = counted();
      return (now, t) => {
        const { R } = relative(now, ...ends);
        const angle = count(Math.atan2(R[1][0], R[0][0]));
        const turning = minus(stateOf(now, b).omega, stateOf(now, a).omega);
        const rate = dot(turning, column(whereIs(now, ends[0]).R, 2));
        const extra = kind === "all" ? more.torque(angle, rate, t) - more.damping * rate : 0;
        return (extra - 4 * (angle - 5)) * rate;
      };
    };
  },
};

/** A hinge between a and b: its rate, and its angle unwrapped by the test. */
function hinged({ m, a, b, random }: Parameters<ForceCase["make"]>[0]) {
  const [at, axis] = [vectorFrom(random), unit(vectorFrom(random))];
  const joint = m.revolute({ between: [a, b], at, axis });
  const measure = (start: Parameters<ReturnType<ForceCase["make"]>>[0]) => {
    const ends: [Attached, Attached] = [
      attach(start, a, at, axesAlong(axis)),
      attach(start, b, at, axesAlong(axis)),
    ];
    const count = counted();
    return (now: Parameters<typeof stateOf>[0]) => {
      const { R } = relative(now, ...ends);
      const turning = minus(stateOf(now, b).omega, stateOf(now, a).omega);
      return {
        angle: count(Math.atan2(R[1][0], R[0][0])),
        rate: dot(turning, column(whereIs(now, ends[0]).R, 2)),
      };
    };
  };
  return { joint, measure };
}

const stop: ForceCase = {
  keepsEnergy: true,
  make(scene, kind) {
    const { joint, measure } = hinged(scene);
    const damping = kind === "all" ? 0.05 : 0;
    scene.m.stop({ joint, lower: 3, upper: 4, stiffness: 2, exponent: 1.5, damping });
    return (start) => {
      const read = measure(start);
      return (now) => {
        const { angle, rate } = read(now);
        const side = angle > 4 ? 1 : angle < 3 ? -1 : 0;
        const depth = Math.max(angle - 4, 3 - angle, 0);
        return -side * 2 * depth ** 1.5 * (1 + damping * side * rate) * rate;
      };
    };
  },
};

const friction: ForceCase = {
  keepsEnergy: false,
  make(scene) {
    const { joint, measure } = hinged(scene);
    scene.m.friction({ joint, coulomb: 0.4, static: 0.7, viscous: 0.1, transitionSpeed: 0.5 });
    // Another load must move the joint.
    scene.m.torsionSpring({ joint, torque: 9 });
    return (start) => {
      const read = measure(start);
      return (now) => {
        const { rate } = read(now);
        const u = rate / 0.5;
        const bump = (0.3 * u) / (0.25 * u * u + 0.75) ** 2;
        return (9 - 0.4 * Math.tanh(4 * u) - bump - 0.1 * rate) * rate;
      };
    };
  },
};

/** A motor within its limits, with a gear without losses. */
const motor: ForceCase = {
  keepsEnergy: false,
  make(scene) {
    const { joint, measure } = hinged(scene);
    const target = (t: number) => 0.5 * Math.sin(3 * t);
    const rateOf = (t: number) => 1.5 * Math.cos(3 * t);
    scene.m.motor({
      joint,
      mode: "position",
      target: { value: target, rate: rateOf },
      stiffness: 4,
      damping: 0.6,
      feedForward: (t) => 0.2 * t,
      gearRatio: 3,
      maximumTorque: 1e6,
    });
    return (start) => {
      const read = measure(start);
      return (now, t) => {
        const { angle, rate } = read(now);
        return (4 * (target(t) - angle) + 0.6 * (rateOf(t) - rate) + 0.2 * t) * rate;
      };
    };
  },
};

const drag: ForceCase = {
  keepsEnergy: false,
  make({ m, b, random }) {
    const at = vectorFrom(random);
    const on = b.marker({ at, frame: "world" });
    m.drag({ on, linear: 0.3, quadratic: 0.2, angular: 0.1, angularQuadratic: 0.05 });
    return (start) => {
      const point = attach(start, b, at);
      return (now) => {
        const [speed, spin] = [norm(whereIs(now, point).u), norm(stateOf(now, b).omega)];
        return -(0.3 + 0.2 * speed) * speed ** 2 - (0.1 + 0.05 * spin) * spin ** 2;
      };
    };
  },
};

const userForce: ForceCase = {
  keepsEnergy: false,
  make({ m, a, b }) {
    m.userForce({
      bodies: [b, a],
      apply: ([first, second], [one, two], t) => {
        for (let i = 0; i < 3; i++) {
          one.force[i] += 2 * first.velocity[i] - second.position[i];
          one.torque[i] += Math.cos(t) - second.angularVelocity[i];
          two.force[i] += first.rotation[3 * i] + first.orientation[i] ** 2;
          two.torque[i] -= first.position[i];
        }
      },
    });
    return () => (now, t) => {
      const [first, second] = [b, a].map((body) => {
        const { r, R, v, omega, e } = stateOf(now, body);
        const arm = times(R, m.data().bodies[body.index].centre as V3);
        return { p: minus(r, arm), u: minus(v, cross(omega, arm)), omega, R, e };
      });
      let power = 0;
      for (let i = 0; i < 3; i++) {
        power += (2 * first.u[i] - second.p[i]) * first.u[i];
        power += (Math.cos(t) - second.omega[i]) * first.omega[i];
        power += (first.R[0][i] + first.e[i] ** 2) * second.u[i];
        power -= first.p[i] * second.omega[i];
      }
      return power;
    };
  },
};

export const forceCases: Record<keyof typeof forces | "userForce", ForceCase> = {
  pointForce,
  torque,
  spring,
  torsionSpring,
  motor,
  bushing,
  drag,
  tyre,
  stop,
  friction,
  userForce,
};
