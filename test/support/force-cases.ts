// Test cases of forces: all that tests need to know about a type. A force of the registry without an entry here does not
// compile.

import type { forces, Model } from "nodrift/bodies";
import { elasticLaw, loadLaw, roadProfile, timeFunction } from "nodrift/files";
import { bushing, type ForceCase, tyre } from "../mechanisms/support/force-elastic.js";
import {
  type Attached,
  attach,
  counted,
  relative,
  stateOf,
  whereIs,
} from "../mechanisms/support/reading.js";
import { vectorFrom } from "../mechanisms/support/scene.js";
import {
  axesAlong,
  column,
  cross,
  dot,
  minus,
  norm,
  times,
  unit,
  type V3,
} from "../mechanisms/support/vectors.js";
import { type Case, examplePoint, frame, hinge, type Pair } from "./joint-cases.js";

// Parts of entries of files.

const at = [0.7, 0.2, 0.4] as const;
const axis = [0.2, -0.3, 1] as const;
const tip = { marker: "tip", of: "a" };
const base = { marker: "base", of: "ground" };
const pull = { table: { x: [0, 1, 2], y: [0, 3, 1], interpolation: "linear" } } as const;
const law = { table: { x: [0.2, 0.8, 2], y: [5, 0, -20], outside: "extend" } } as const;
const six = [300, 200, 100, 30, 20, 10] as const;

// Action on two moving bodies, and power, computed without the package.

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

interface TypeCases<Options> {
  /** A valid call, from which tests derive invalid ones. */
  readonly example: (pair: Pair) => Options;
  /** Its power along a motion. */
  readonly work: ForceCase;
  /** Every option, in a file and in a call. */
  readonly files: readonly Case<Options>[];
}

export const forceCases: {
  readonly [Type in keyof typeof forces]: TypeCases<Parameters<Model[Type]>[0]>;
} = {
  pointForce: {
    example: ({ a }) => ({ on: a, at: examplePoint(), force: [1, 0, 0], frame: "world" }),
    work: pointForce,
    files: [
      {
        entry: { on: "a", at, force: [3, -8, 5], frame: "body" },
        options: ({ a }) => ({ on: a, at, force: [3, -8, 5], frame: "body" }),
      },
      {
        entry: { on: tip, force: ["wave(t) - vx", 0.5, pull], frame: "marker" },
        options: ({ tip: on }, functions) => ({
          on,
          force: loadLaw(["wave(t) - vx", 0.5, pull], functions),
          frame: "marker",
        }),
      },
    ],
  },
  torque: {
    example: ({ a }) => ({ on: a, torque: [1, 0, 0], frame: "body" }),
    work: torque,
    files: [
      {
        entry: { on: "b", torque: [1, 2, -2], frame: "world" },
        options: ({ b }) => ({ on: b, torque: [1, 2, -2], frame: "world" }),
      },
      {
        entry: { on: "a", torque: ["x*y - z", "-0.1*vz", 0], frame: "body" },
        options: ({ a }) => ({ on: a, torque: loadLaw(["x*y - z", "-0.1*vz", 0]), frame: "body" }),
      },
    ],
  },
  spring: {
    example: ({ a, b }) => ({ between: [a, b], stiffness: 10, damping: 1, length: 1 }),
    work: spring,
    files: [
      {
        entry: {
          between: ["a", "b"],
          atA: [0.2, 0.1, 0.9],
          atB: [1.3, 0.2, 0.7],
          stiffness: 80,
          damping: 5,
          length: 0.7,
          force: "-20*(length - 0.5)^3 - 0.1*rate + wave(t)",
        },
        options: ({ a, b }, functions) => ({
          between: [a, b],
          atA: [0.2, 0.1, 0.9],
          atB: [1.3, 0.2, 0.7],
          stiffness: 80,
          damping: 5,
          length: 0.7,
          force: elasticLaw("length", "-20*(length - 0.5)^3 - 0.1*rate + wave(t)", functions),
        }),
      },
      {
        entry: { between: [tip, base], force: law },
        options: ({ tip: from, base: to }) => ({
          between: [from, to],
          force: elasticLaw("length", law),
        }),
      },
      {
        entry: { between: ["ground", "b"], stiffness: 4, force: 3 },
        options: ({ ground, b }) => ({ between: [ground, b], stiffness: 4, force: 3 }),
      },
    ],
  },
  torsionSpring: {
    example: (pair) => ({ joint: hinge(pair), stiffness: 1, damping: 1, angle: 0 }),
    work: torsionSpring,
    files: [
      {
        entry: {
          joint: "hinge",
          stiffness: 20,
          damping: 3,
          angle: 0.2,
          torque: "0.1*angle^2 - rate",
        },
        options: ({ hinge }) => ({
          joint: hinge,
          stiffness: 20,
          damping: 3,
          angle: 0.2,
          torque: elasticLaw("angle", "0.1*angle^2 - rate"),
        }),
        needs: ["hinge"],
      },
    ],
  },
  motor: {
    example: (pair) => ({
      joint: hinge(pair),
      mode: "position",
      target: 0.2,
      stiffness: 5,
      damping: 1,
      maximumTorque: 3,
      gearRatio: 2,
      efficiency: 0.9,
    }),
    work: motor,
    files: [
      {
        entry: {
          joint: "hinge",
          mode: "position",
          target: "0.2*sin(3*t)",
          stiffness: 20,
          damping: 3,
          feedForward: 0.5,
          maximumTorque: 2,
          maximumSpeed: 30,
          maximumPower: 40,
          gearRatio: 5,
          rotorInertia: 0.001,
          efficiency: 0.8,
          energy: true,
        },
        options: ({ hinge }) => ({
          joint: hinge,
          mode: "position",
          target: timeFunction("0.2*sin(3*t)"),
          stiffness: 20,
          damping: 3,
          feedForward: 0.5,
          maximumTorque: 2,
          maximumSpeed: 30,
          maximumPower: 40,
          gearRatio: 5,
          rotorInertia: 0.001,
          efficiency: 0.8,
          energy: true,
        }),
        needs: ["hinge"],
      },
      {
        entry: { joint: "hinge", of: "angle", mode: "velocity", target: 2, damping: 1 },
        options: ({ hinge }) => ({
          joint: hinge,
          of: "angle",
          mode: "velocity",
          target: 2,
          damping: 1,
        }),
        needs: ["hinge"],
      },
      {
        entry: {
          between: ["a", "b"],
          atA: [0.1, 0.2, 0.9],
          atB: [1.3, 0.2, 0.7],
          mode: "torque",
          target: 3,
        },
        options: ({ a, b }) => ({
          between: [a, b],
          atA: [0.1, 0.2, 0.9],
          atB: [1.3, 0.2, 0.7],
          mode: "torque",
          target: 3,
        }),
      },
    ],
  },
  bushing: {
    example: ({ a, b }) => ({
      between: [a, b],
      ...frame(),
      stiffness: [1, 1, 1, 1, 1, 1],
      damping: [1, 1, 1, 1, 1, 1],
    }),
    work: bushing,
    files: [
      {
        entry: { between: ["a", "b"], at, axis, stiffness: six, damping: [9, 8, 7] },
        options: ({ a, b }) => ({ between: [a, b], at, axis, stiffness: six, damping: [9, 8, 7] }),
      },
      {
        entry: {
          between: ["a", "b"],
          at,
          stiffness: { translation: 50 },
          damping: { translation: 2, rotation: 0.5 },
        },
        options: ({ a, b }) => ({
          between: [a, b],
          at,
          stiffness: { translation: 50 },
          damping: { translation: 2, rotation: 0.5 },
        }),
      },
      {
        entry: {
          between: ["a", "b"],
          at,
          axis,
          force: ["-40 * x^3 - 2 * xRate", 3, "-z * zTurnRate"],
          torque: [0, "-2 * yTurn - yTurnRate^3", "sin(t) * z - zRate * zTurn"],
        },
        options: ({ a, b }) => ({
          between: [a, b],
          at,
          axis,
          force: ["-40 * x^3 - 2 * xRate", 3, "-z * zTurnRate"],
          torque: [0, "-2 * yTurn - yTurnRate^3", "sin(t) * z - zRate * zTurn"],
        }),
      },
    ],
  },
  drag: {
    example: ({ a }) => ({ on: a, linear: 1, angular: 1 }),
    work: drag,
    files: [
      {
        entry: { on: tip, linear: 2, quadratic: 3, angular: 0.4, angularQuadratic: 0.2 },
        options: ({ tip: on }) => ({
          on,
          linear: 2,
          quadratic: 3,
          angular: 0.4,
          angularQuadratic: 0.2,
        }),
      },
    ],
  },
  tyre: {
    example: ({ a }) => ({
      wheel: a,
      radius: 0.3,
      stiffness: 1e5,
      damping: 10,
      height: (x: number) => 0 * x,
    }),
    work: tyre,
    files: [
      {
        entry: {
          wheel: "b",
          at: [1.1, 0.1, 0.6],
          road: "a",
          normal: [0.1, -0.2, 1],
          stiffness: 400,
          damping: 20,
          radius: 0.5,
          height: "0.05*sin(2*x + t)*cos(y)",
          bilateral: true,
        },
        options: ({ a, b }) => ({
          wheel: b,
          at: [1.1, 0.1, 0.6],
          road: a,
          normal: [0.1, -0.2, 1],
          stiffness: 400,
          damping: 20,
          radius: 0.5,
          ...roadProfile("0.05*sin(2*x + t)*cos(y)"),
          bilateral: true,
        }),
      },
      {
        entry: { wheel: tip, road: base, stiffness: 300, height: law },
        options: ({ tip: wheel, base: road }) => ({
          wheel,
          road,
          stiffness: 300,
          ...roadProfile(law),
        }),
      },
      {
        entry: { wheel: "b", stiffness: 200, radius: 0.7, height: 0.1 },
        options: ({ b }) => ({ wheel: b, stiffness: 200, radius: 0.7, height: 0.1 }),
      },
    ],
  },
  stop: {
    example: (pair) => ({ joint: hinge(pair), lower: -1, upper: 1, stiffness: 1e3, damping: 0.1 }),
    work: stop,
    files: [
      {
        entry: {
          joint: "hinge",
          of: "angle",
          lower: 0.1,
          upper: 2,
          stiffness: 50,
          exponent: 2,
          damping: 0.1,
        },
        options: ({ hinge }) => ({
          joint: hinge,
          of: "angle",
          lower: 0.1,
          upper: 2,
          stiffness: 50,
          exponent: 2,
          damping: 0.1,
        }),
        needs: ["hinge"],
      },
      {
        entry: {
          between: ["a", "b"],
          atA: [0.2, 0.1, 0.9],
          atB: [1.3, 0.2, 0.7],
          upper: 0.5,
          stiffness: 50,
          restitution: 0.6,
          impactSpeed: 2,
        },
        options: ({ a, b }) => ({
          between: [a, b],
          atA: [0.2, 0.1, 0.9],
          atB: [1.3, 0.2, 0.7],
          upper: 0.5,
          stiffness: 50,
          restitution: 0.6,
          impactSpeed: 2,
        }),
      },
    ],
  },
  friction: {
    example: (pair) => ({
      joint: hinge(pair),
      coulomb: 1,
      static: 2,
      viscous: 0.1,
      transitionSpeed: 0.01,
    }),
    work: friction,
    files: [
      {
        entry: {
          joint: "hinge",
          of: "angle",
          coulomb: 1,
          static: 2,
          viscous: 0.1,
          transitionSpeed: 0.1,
        },
        options: ({ hinge }) => ({
          joint: hinge,
          of: "angle",
          coulomb: 1,
          static: 2,
          viscous: 0.1,
          transitionSpeed: 0.1,
        }),
        needs: ["hinge"],
      },
      {
        entry: { joint: "hinge", coefficient: 0.1, staticCoefficient: 0.2, radius: 0.05 },
        options: ({ hinge }) => ({
          joint: hinge,
          coefficient: 0.1,
          staticCoefficient: 0.2,
          radius: 0.05,
        }),
        needs: ["hinge"],
      },
      {
        entry: { joint: "hinge", coulomb: 1, model: "bristle", stiffness: 500, damping: 3 },
        options: ({ hinge }) => ({
          joint: hinge,
          coulomb: 1,
          model: "bristle",
          stiffness: 500,
          damping: 3,
        }),
        needs: ["hinge"],
      },
    ],
  },
};

/** The user force, which is not in the registry. */
export const userForceWork = userForce;
