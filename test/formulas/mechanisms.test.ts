// Laws, forces and rows of mechanisms given by formulas.

import { type Body, compile, type Model, model, rod, sphere } from "nodrift/bodies";
import { equations } from "nodrift/formulas";
import { parseMethod, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { relativeError, treeState } from "../relative/support/tree-state.js";
import { openStateSpace } from "../solve/support/bound-state-space.js";
import { seeded } from "../support/random.js";

/** Two rods on hinges and a ball that flies: everything that formulas can name. */
function machine() {
  const m = model({ name: "machine" });
  const arm = m.body({
    name: "arm",
    mass: 1,
    shape: rod({ length: 1, axis: [1, 0, 0] }),
    position: [0.5, 0, 0],
  });
  const fore = m.body({
    name: "fore",
    mass: 0.7,
    shape: rod({ length: 0.8, axis: [1, 0, 0] }),
    position: [1.4, 0, 0],
  });
  const ball = m.body({
    name: "ball",
    mass: 0.4,
    centre: [0.02, -0.03, 0.05],
    shape: sphere({ radius: 0.2 }),
    position: [0.3, 0.4, -0.6],
    velocity: [0.3, -0.2, 0.1],
    angularVelocity: [1, 2, -0.5],
  });
  const shoulder = m.revolute({
    name: "shoulder",
    between: [m.ground, arm],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  const elbow = m.revolute({
    name: "elbow",
    between: [arm, fore],
    at: [1, 0, 0],
    axis: [0, 0.6, 0.8],
  });
  const tip = fore.marker({ name: "tip", at: [1.8, 0, 0] });
  const k = m.parameter("k", 3);
  return { m, arm, fore, ball, shoulder, elbow, tip, k };
}

type Parts = ReturnType<typeof machine>;

/** What each kind of law can be. */
const laws: Record<string, (parts: Parts) => void> = {
  "a spring of its own length": ({ m, fore, ball }) => {
    m.spring({
      between: [fore, ball],
      force: "-30 * (length - 0.4)^3 - 2 * rate * abs(rate) + sin(t)",
    });
  },
  "a spring that reads other bodies": ({ m, arm, ball }) => {
    m.spring({
      between: [arm, ball],
      stiffness: 5,
      force: "k * angle('elbow') - angleRate('shoulder') * z('fore:tip') + wx('ball')",
    });
  },
  "a torque about a joint": ({ m, elbow }) => {
    m.torsionSpring({ joint: elbow, torque: "-5 * sin(angle) - 0.3 * rate^3 + vx('ball')" });
  },
  "a torque about a joint, of turns alone": ({ m, elbow }) => {
    m.torsionSpring({
      joint: elbow,
      torque: "-k * sin(angle) - 0.3 * rate * angleRate('shoulder')",
    });
  },
  "a force in the world": ({ m, tip }) => {
    m.pointForce({ on: tip, force: ["-3 * x * vx", 1.5, "2 * sin(y) - 3 * speed('ball')"] });
  },
  "a force in axes of a marker": ({ m, tip }) => {
    m.pointForce({ on: tip, frame: "marker", force: ["t * x", "rxy('ball') * z", "vy"] });
  },
  "a torque in the world and one in a body": ({ m, ball, arm }) => {
    m.torque({ on: ball, torque: ["-wx('ball')", "ryz('ball')", 0.2] });
    m.torque({ on: arm, frame: "body", torque: [0.1, "x('ball')^2", "k * z"] });
  },
  "loads on bodies": ({ m, arm, ball }) => {
    m.userForce({
      bodies: [ball, arm],
      loads: [
        {
          force: ["-k * (x('ball') - x('fore:tip'))", 0.3, "vy('arm')"],
          torque: ["wz('ball')^2", 0, 1],
        },
        { torque: [0, "z('ball') * angle('shoulder')", 0] },
      ],
    });
  },
  "a wavy road": ({ m, ball }) => {
    m.tyre({
      wheel: ball,
      stiffness: 40,
      damping: 3,
      radius: 2,
      height: "0.1 * sin(3 * x) * cos(2 * y + t)",
      bilateral: true,
    });
  },
};

/** Along and about three axes each. */
const bushings: typeof laws = {
  "a bushing of its own motion": ({ m, fore, ball }) => {
    m.bushing({
      between: [fore, ball],
      at: [0.9, 0.2, -0.3],
      axis: [0.2, 0.5, 1],
      force: ["-30 * x^3 - 2 * xRate * x", "0.4 * z * yTurn", "-sin(zRate) + cos(t) * y"],
      torque: ["-4 * sin(xTurn) - yTurnRate^3", "zTurnRate * xTurn - 0.3 * x", "-zTurn * xRate"],
    });
  },
  "a bushing that reads other bodies": ({ m, arm, ball }) => {
    m.bushing({
      between: [m.ground, ball],
      at: [0, 0.1, 0],
      stiffness: [3, 2, 1, 0.4, 0.5, 0.6],
      damping: [0.3, 0.2, 0.1, 0.04, 0.05, 0.06],
      force: ["k * angle('elbow') * x", 1.5, "vx('fore:tip') * zTurn"],
      torque: [0.3, "z('arm') * xTurn", "-k * zTurn * wy('fore')"],
    });
    m.bushing({ between: [ball, arm], at: [0, 0, 0], torque: ["xTurn^2", 0, "yTurnRate"] });
  },
};

/** Rates of states, and laws that read states. */
const stateLaws: typeof laws = {
  "states that read the mechanism": ({ m }) => {
    m.states({
      name: "loop",
      names: ["integral", "lag"],
      start: [0.2, -0.4],
      rates: [
        "k * (0.3 - angle('elbow')) - integral * vx('ball')",
        "sin(t) - lag^3 + integral * z('fore') * ryx('ball') - angleRate('shoulder')^2",
      ],
    });
  },
  "laws of states, and states of other states": ({ m, elbow, ball, tip }) => {
    m.states({ name: "a", names: ["x", "y"], start: [0.5, 1], rates: ["-y * wz('ball')", "x^2"] });
    m.states({
      name: "b",
      names: ["z", "w"],
      start: [0.1, 0],
      rates: ["state('a.x') * z", "speed('ball') - w"],
    });
    m.torsionSpring({ joint: elbow, torque: "-state('a.y') * sin(angle) - state('b.z') * rate" });
    m.pointForce({ on: tip, force: ["state('b.w')^2", 0, "x * state('a.x')"] });
    m.userForce({ bodies: [ball], loads: [{ force: [0, "exp(state('b.z'))", 0] }] });
  },
};

/** Rates that read all that laws can: markers, with their axes, and what forces measure. */
const readingStates: typeof laws = {
  "states that read markers and springs": ({ m, ball, fore, elbow }) => {
    ball.marker({ name: "hook", at: [0.2, 0.1, -0.3], axis: [1, 2, 2] });
    m.spring({ name: "rope", between: [fore, ball], atB: [0.3, 0.5, -0.6], stiffness: 3 });
    m.spring({ name: "tie", between: [m.ground, ball], atA: [1, 1, 1], stiffness: 1 });
    m.torsionSpring({ name: "coil", joint: elbow, stiffness: 2 });
    m.states({
      name: "all",
      names: ["a", "b", "c"],
      start: [0.3, 0.2, 0.1],
      rates: [
        "z('fore:tip') * a - rxz('ball:hook') * vy('ball:hook') + ryx('fore:tip')",
        "length('rope') * lengthRate('tie') - b * speed('fore:tip') * wx('ball')",
        "angle('coil') - angleRate('coil') * c + length('tie') * lengthRate('rope')",
      ],
    });
    m.pointForce({ on: ball, force: ["state('all.a')", "state('all.b')", "state('all.c')"] });
  },
};

/** Rows on positions, and on velocities, which may depend on time. */
const rows: Record<string, (parts: Parts) => void> = {
  "a row on one body": ({ m }) => {
    m.constraint({ rows: ["bowl"], value: ["z('ball') + 0.6 + k * (x('ball') - 0.3)^2"] });
  },
  "rows between bodies and with time": ({ m }) => {
    m.constraint({
      rows: ["apart", "turned"],
      value: [
        "sqrt((x('ball') - x('fore:tip'))^2 + y('ball')^2 + z('ball')^2) - 1.6 - 0.1 * sin(t)",
        "angle('elbow') + 0.5 * angle('shoulder') * ryx('ball')",
      ],
    });
  },
};
const velocityRows: typeof rows = {
  "rows on velocities": ({ m }) => {
    m.constraint({
      rows: ["skate", "geared"],
      value: [
        "vx('ball') * ryx('ball') - vy('ball') * rxx('ball')",
        "angleRate('elbow') - x('ball') * angleRate('shoulder') + 0.1 * wz('ball') - cos(t)",
      ],
    });
  },
};

const nonlinearRows: typeof rows = {
  "rows that are not linear in velocities": ({ m }) => {
    m.constraint({
      rows: ["cone", "power"],
      value: [
        "vx('ball')^2 + k * vy('ball')^2 - (vz('ball') - angleRate('elbow'))^2 * x('ball') - 0.2 * cos(t)",
        "speed('ball') * wz('ball') - 0.1 * sqrt(1 + wx('ball')^2) * rxx('ball') + 0.3",
      ],
    });
  },
};

describe.each(Object.entries({ ...laws, ...bushings, ...stateLaws, ...readingStates, ...rows }))(
  "%s",
  (_, attach) => {
    test("provides the derivatives for implicit methods in maximal coordinates", async () => {
      const parts = machine();
      attach(parts);
      const opened = await openStateSpace(parts.m, { hold: [] });
      expect(opened.how).toBe("analytic");
      const random = seeded(3);
      for (let state = 0; state < 3; state++) {
        // At rest too, where rates are zero and their derivatives are not.
        const velocities = state === 0 ? 0 : 1;
        const y = opened.near(random, { positions: 0.05, velocities });
        const t = 0.3 * state;
        expect(relativeError(opened.formulas(t, y), opened.differences(t, y, 3e-4))).toBeLessThan(
          1e-8,
        );
      }
    });
  },
);

describe.each(
  Object.entries({
    ...laws,
    ...bushings,
    ...stateLaws,
    ...rows,
    ...velocityRows,
    ...nonlinearRows,
  }),
)("%s", (_, attach) => {
  test("provides the derivatives for implicit methods in relative coordinates", async () => {
    const parts = machine();
    attach(parts);
    const state = await treeState(parts.m, 5);
    const { system, derivatives } = state;
    const { forces, dampingOffset, rows: entries, biasOffset, gyroscopicOffset } = derivatives;
    const { velocities } = system.coordinates;
    const { rows: count } = system.constraints;
    const equations = () => state.equations();
    const pairs = [
      [state.dense(forces, velocities), state.differences(true, equations)],
      [state.dense(forces, velocities, dampingOffset), state.differences(false, equations)],
      ...(count === 0
        ? []
        : [
            [state.dense(entries, count), state.differences(true, () => state.phiDot())],
            [state.dense(entries, count, biasOffset), state.differences(true, () => state.bias())],
            [
              state.dense(entries, count, gyroscopicOffset),
              state.differences(false, () => state.bias()),
            ],
          ]),
    ] as const;
    for (const [found, expected] of pairs) {
      expect(relativeError(found!, expected!)).toBeLessThan(1e-8);
    }
  });
});

test("a spring given by a formula moves like the built-in one", async () => {
  const run = async (attach: (parts: Parts) => void) => {
    const parts = machine();
    attach(parts);
    return solve(await compile(parts.m), { span: [0, 2], tolerance: 1e-10 });
  };
  const built = await run(({ m, fore, ball, elbow }) => {
    m.spring({ between: [fore, ball], stiffness: 30, damping: 2, length: 0.4 });
    m.torsionSpring({ joint: elbow, stiffness: 4, damping: 0.2 });
  });
  const found = await run(({ m, fore, ball, elbow }) => {
    m.spring({ between: [fore, ball], force: "-30 * (length - 0.4) - 2 * rate" });
    m.torsionSpring({ joint: elbow, torque: "-4 * angle - 0.2 * rate" });
  });
  expect(found.status).toBe("finished");
  expect(Math.max(...built.end.q.map((x, i) => Math.abs(x - found.end.q[i]!)))).toBeLessThan(1e-8);
});

/** A ball on a bushing, far from slack: turned by up to more than a quarter turn, where other Euler parameters are the largest. */
function hung(angle: number, law: (parts: { m: Model; a: Body; b: Body }) => void) {
  const m = model({ name: "hung" });
  const anchor = m.body({
    name: "anchor",
    mass: 3,
    inertia: [0.3, 0.2, 0.25],
    position: [0.1, 0.2, 0.3],
    velocity: [0.1, 0.2, -0.3],
    angularVelocity: [0.3, -1, 0.6],
  });
  const half = angle / 2;
  const ball = m.body({
    name: "ball",
    mass: 1,
    inertia: [0.02, 0.03, 0.04],
    position: [0.4, -0.1, 0.2],
    orientation: [
      Math.cos(half),
      0.48 * Math.sin(half),
      -0.6 * Math.sin(half),
      0.64 * Math.sin(half),
    ],
    velocity: [0.5, 0.1, 0.2],
    angularVelocity: [-1, 2, 0.7],
  });
  law({ m, a: anchor, b: ball });
  return m;
}

const K = [40, 30, 50, 4, 3, 2] as const;
const C = [1, 2, 3, 0.1, 0.3, 0.2] as const;
const linear = {
  force: ["x", "y", "z"].map((x, i) => `-${K[i]} * ${x} - ${C[i]} * ${x}Rate`),
  torque: ["x", "y", "z"].map((x, i) => `-${K[3 + i]} * ${x}Turn - ${C[3 + i]} * ${x}TurnRate`),
};

test.each([0.1, 1, 2.2, 3.1, 4, 6])(
  "a bushing given by formulas pushes like the built-in one, rotated by %s",
  async (angle) => {
    const accelerations = async (attach: Parameters<typeof hung>[1]) => {
      const run = (await compile(hung(angle, attach), { hold: [] })).simulate({ step: 1e-3 });
      return ["anchor", "ball"].flatMap((name) => {
        const { acceleration, angularAcceleration } = run.body(name);
        return [...acceleration, ...angularAcceleration];
      });
    };
    // Slack where the frames are parallel to the axes of each body.
    const between = (a: Body, b: Body) =>
      [a.marker({ at: [0.1, 0, 0.2] }), b.marker({ at: [-0.1, 0.2, 0] })] as const;
    const built = await accelerations(({ m, a, b }) => {
      m.bushing({ between: between(a, b), stiffness: K, damping: C });
    });
    const found = await accelerations(({ m, a, b }) => {
      m.bushing({ between: between(a, b), ...linear });
    });
    const size = Math.max(...built.map(Math.abs));
    expect(apart(built, found)).toBeLessThan(1e-13 * size);
    expect(size).toBeGreaterThan(10);
  },
);

test("a bushing given by formulas moves like the built-in one", async () => {
  const run = async (attach: Parameters<typeof hung>[1]) => {
    const run = solve(await compile(hung(2, attach), { hold: [] }), {
      span: [0, 3],
      tolerance: 1e-10,
      method: parseMethod("radau5"),
    });
    expect(run.status, run.reason).toBe("finished");
    expect(run.statistics.implicit?.jacobianSource).toBe("analytic");
    return run.end.q;
  };
  const built = await run(({ m, a, b }) => {
    m.bushing({ between: [a, b], at: [0, 0, 0], stiffness: K, damping: C });
  });
  const found = await run(({ m, a, b }) => {
    m.bushing({ between: [a, b], at: [0, 0, 0], ...linear });
  });
  expect(apart(built, found)).toBeLessThan(1e-7);
});

test("mistakes in laws of bushings are reported", () => {
  const { m, ball } = thrown([0, 0, 0]);
  const law = (given: object) => () =>
    m.bushing({ between: [m.ground, ball], at: [0, 0, 0], ...given });
  expect(law({})).toThrow("bushing 1: give stiffness, damping, force or torque");
  expect(law({ force: ["-x", "-y"] })).toThrow("force must be 3 numbers or formulas");
  expect(law({ torque: "x" })).toThrow("torque must be 3 numbers or formulas");
  expect(law({ force: [0, "-w", 0] })).toThrow('force[1]: unknown name "w"');
  expect(law({ torque: [0, 0, Number.NaN] })).toThrow("torque[2]");
  expect(law({ torque: ["ax('ball')", 0, 0] })).toThrow("would follow from itself");
  expect(m.data().forces).toHaveLength(0);
});

test("rates of states reject quantities that they cannot read", async () => {
  const wrong = async (rate: string) => {
    const { m } = machine();
    m.states({ name: "s", names: ["y"], rates: [rate] });
    return (await compile(m, { hold: [] })).simulate({ step: 1e-3 }).advance(1);
  };
  await expect(wrong("energy()")).rejects.toThrow("energies are for events and plots");
  await expect(wrong("z()")).rejects.toThrow("z: it needs a name, as in z('...')");
  await expect(wrong("z('fore:tap')")).rejects.toThrow(`z: there is no marker "fore:tap"`);
  await expect(wrong("ax('ball')")).rejects.toThrow("ax('ball'): it follows from the forces");
  await expect(wrong("length('elbow')")).rejects.toThrow('joint "elbow" has no length');
});

test("states given by formulas keep derivatives analytic and follow the exact solution", async () => {
  const { m, ball } = thrown([0.3, 0, 0]);
  // y' = -1000 (y - cos t) - sin t is y = cos t; the ball is pushed with y: x = 1 + 0.3 t + 1 - cos t.
  m.states({ name: "s", names: ["y"], start: [1], rates: ["-1000 * (y - cos(t)) - sin(t)"] });
  m.pointForce({ on: ball, at: [1, 0, 0], force: ["state('s')", 0, 0] });
  const run = solve(await compile(m), {
    span: [0, 2],
    tolerance: 1e-8,
    method: parseMethod("radau5"),
  });
  expect(run.status, run.reason).toBe("finished");
  expect(run.statistics.implicit?.jacobianSource).toBe("analytic");
  expect(Math.abs(run.end.q[0]! - (2.6 - Math.cos(2)))).toBeLessThan(1e-6);
});

/** A ball with a spin, thrown. */
function thrown(velocity: readonly [number, number, number]) {
  const m = model({ name: "thrown" });
  const ball = m.body({
    name: "ball",
    mass: 1,
    inertia: [0.02, 0.03, 0.04],
    position: [1, 0, 0],
    velocity,
    angularVelocity: [0, 0, 0],
  });
  return { m, ball };
}

const ends = async (m: Model, coordinates: "maximal" | "relative") => {
  const run = solve(await compile(m, { coordinates }), { span: [0, 2], tolerance: 1e-10 });
  expect(run.status, run.reason).toBe("finished");
  return run.end;
};

const apart = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (x, i) => Math.abs(x - b[i]!)));

describe.each(["maximal", "relative"] as const)(
  "rows given by formulas, in %s coordinates",
  (coordinates) => {
    test("a row on positions acts like the joint it describes", async () => {
      const [joined, written] = [thrown([0, 0, 0.4]), thrown([0, 0, 0.4])];
      const at = { atA: [0, 0, 0], atB: [1.1, 0.2, 0] } as const;
      joined.m.distance({ between: [joined.m.ground, joined.ball], ...at });
      written.ball.marker({ name: "hook", at: at.atB, frame: "world" });
      const [x, y, z] = ["x", "y", "z"].map((axis) => `${axis}('ball:hook')`);
      written.m.constraint({
        rows: ["length"],
        value: [`sqrt(${x}^2 + ${y}^2 + ${z}^2) - sqrt(1.25)`],
      });
      const [one, other] = [await ends(joined.m, coordinates), await ends(written.m, coordinates)];
      expect(apart(one.q, other.q)).toBeLessThan(1e-7);
    });

    test("a row on velocities acts like the knife edge it describes", async () => {
      const [joined, written] = [thrown([0, 0.4, 0]), thrown([0, 0.4, 0])];
      for (const { m, ball } of [joined, written]) {
        m.planar({ between: [m.ground, ball], at: [1, 0, 0], axis: [0, 0, 1] });
        m.torque({ on: ball, torque: [0, 0, 0.01] });
      }
      joined.m.knifeEdge({ body: joined.ball, at: [1, 0.2, 0], direction: [0, 1, 0] });
      written.ball.marker({ name: "edge", at: [1, 0.2, 0], frame: "world" });
      // Across the blade, which lies along y of the body: up x blade is -x of the body.
      const across = ["x", "y", "z"].map((axis) => `r${axis}x('ball') * v${axis}('ball:edge')`);
      written.m.constraint({ rows: ["lateral"], value: [across.join(" + ")] });
      const [one, other] = [await ends(joined.m, coordinates), await ends(written.m, coordinates)];
      expect(apart(one.q, other.q)).toBeLessThan(1e-7);
      expect(Math.abs(one.q[1]!)).toBeGreaterThan(0.1);
    });
  },
);

/** A ball that nothing turns, under a constant force along x, with rows on its velocity. */
function pushed(
  velocity: readonly [number, number, number],
  force: readonly number[],
  row: string,
) {
  const m = model({ name: "pushed", gravity: [0, 0, 0] });
  const ball = m.body({
    name: "ball",
    mass: 2,
    inertia: [0.02, 0.03, 0.04],
    position: [0, 0, 0],
    velocity,
    angularVelocity: [0, 0, 0],
  });
  m.pointForce({ on: ball, force: [...force] as [number, number, number] });
  m.constraint({ name: "law", rows: ["row"], value: [row] });
  return m;
}

describe.each(["maximal", "relative"] as const)(
  "rows nonlinear in velocities, in %s coordinates",
  (coordinates) => {
    test("keep a constant speed and follow the closed form", async () => {
      // m v' = F + lambda v with |v| = c: v = c (tanh s, sech s), s = F t / (m c). x = (m c^2 / F) ln cosh s, y = (m c^2 / F) gd(s).
      const [c, force] = [3, 4];
      const m = pushed([0, c, 0], [force, 0, 0], `speed('ball')^2 - ${c * c}`);
      const { q, v } = await ends(m, coordinates);
      const [s, scale] = [(force * 2) / (2 * c), (2 * c * c) / force];
      expect(apart(v, [c * Math.tanh(s), c / Math.cosh(s), 0, 0, 0, 0])).toBeLessThan(1e-7);
      const place = [scale * Math.log(Math.cosh(s)), scale * 2 * Math.atan(Math.tanh(s / 2)), 0];
      expect(apart(q.slice(0, 3), place)).toBeLessThan(1e-7);
    });

    test("match, on a cone, the same equations in three coordinates", async () => {
      const m = pushed([3, 4, 5], [3, 0, -10], "vx('ball')^2 + vy('ball')^2 - vz('ball')^2");
      const { q, v } = await ends(m, coordinates);
      const same = equations({
        coordinates: ["x", "y", "z"],
        mass: [2, 2, 2],
        forces: { x: "3", z: "-10" },
        nonholonomic: { cone: "x'^2 + y'^2 - z'^2" },
      });
      const exact = solve(same, { span: [0, 2], q: [0, 0, 0], v: [3, 4, 5], tolerance: 1e-10 }).end;
      expect(apart(q.slice(0, 3), exact.q)).toBeLessThan(1e-7);
      expect(Math.abs(v[0]! ** 2 + v[1]! ** 2 - v[2]! ** 2)).toBeLessThan(1e-9);
    });

    test("work with methods that have multipliers as unknowns", async () => {
      const m = pushed([0, 3, 0], [4, 0, 0], "speed('ball')^2 - 9");
      const run = solve(await compile(m, { coordinates }), {
        span: [0, 2],
        tolerance: 1e-8,
        method: parseMethod("index2 + radau5"),
      });
      expect(run.status, run.reason).toBe("finished");
      expect(Math.abs(run.end.v[0]! - 3 * Math.tanh(4 / 3))).toBeLessThan(1e-6);
    });

    test("hold under fixed steps", async () => {
      const m = pushed([0, 3, 0], [4, 0, 0], "speed('ball') - 3");
      const run = (await compile(m, { coordinates })).simulate({ step: 1e-2 }).runTo(2);
      expect(Math.abs(run.v[0]! - 3 * Math.tanh(4 / 3))).toBeLessThan(1e-7);
      expect(run.constraintError().velocity).toBeLessThan(1e-12);
    });
  },
);

test("rows nonlinear in velocities find missing velocities, or report why they cannot", async () => {
  const m = pushed([3, 4, 4.8], [0, 0, 0], "vx('ball')^2 + vy('ball')^2 - vz('ball')^2");
  const system = await compile(m, { hold: [] });
  const { v } = system.simulate({ step: 1e-2 });
  expect(Math.abs(v[0]! ** 2 + v[1]! ** 2 - v[2]! ** 2)).toBeLessThan(1e-12);
  const resting = pushed([0, 0, 0], [0, 0, 0], "vx('ball')^2 + vy('ball')^2 - vz('ball')^2");
  await expect(compile(resting)).rejects.toThrow(
    'constraint "law": the row "row" is not linear in velocities, and does not change with them at the start',
  );
});

describe("parameters in formulas", () => {
  const hung = () => {
    const { m, ball } = thrown([0, 0, 0]);
    m.parameter("k", 30);
    m.spring({ between: [m.ground, ball], atA: [0, 0, 0], force: "-k * (length - 0.5)" });
    return m;
  };

  test("take effect when they are set", async () => {
    const run = (await compile(hung())).simulate({ step: 1e-3 });
    // A pull of k (1 - 0.5) along -x on 1 kg.
    expect(run.body("ball").acceleration[0]).toBeCloseTo(-15, 12);
    run.set({ k: 44 });
    expect(run.body("ball").acceleration[0]).toBeCloseTo(-22, 12);
  });

  test("take effect in rows and drives like geometry", async () => {
    const { m, ball } = thrown([0, 0, 0]);
    m.parameter("side", 1);
    m.parameter("rate", 2);
    const slide = m.prismatic({ between: [m.ground, ball], at: [1, 0, 0], axis: [0, 1, 0] });
    m.driveDisplacement({ joint: slide, displacement: "rate * t^2" });
    const run = (await compile(m)).simulate({ step: 1e-3 });
    expect(run.body("ball").acceleration[1]).toBeCloseTo(4, 10);
    run.set({ rate: 3 });
    expect(run.body("ball").acceleration[1]).toBeCloseTo(6, 10);
  });

  test("must exist, and the error lists the known names", () => {
    const { m, ball } = thrown([0, 0, 0]);
    m.parameter("k", 30);
    const wrong = () =>
      m.spring({ between: [m.ground, ball], atA: [0, 0, 0], force: "-kk * length" });
    expect(wrong).toThrow(
      'spring 1: force: unknown name "kk": there are length, rate, t, k, pi, e',
    );
  });
});

test("interpreted formulas have the same bits if compilation is not allowed", async () => {
  const run = async () => {
    const parts = machine();
    for (const attach of Object.values({ ...laws, ...bushings })) attach(parts);
    rows["a row on one body"]!(parts);
    const run = (await compile(parts.m, { hold: [] })).simulate({ step: 1e-3 });
    run.advance(20);
    return { q: run.q.slice(), v: run.v.slice() };
  };
  const compiled = await run();
  const Original = WebAssembly.Module;
  class Forbidden {
    constructor() {
      throw new EvalError("the policy of the page forbids to compile");
    }
    static [Symbol.hasInstance](given: unknown): boolean {
      return given instanceof Original;
    }
  }
  WebAssembly.Module = Forbidden as never;
  try {
    const interpreted = await run();
    expect(interpreted.q).toEqual(compiled.q);
    expect(interpreted.v).toEqual(compiled.v);
  } finally {
    WebAssembly.Module = Original;
  }
});

test("a run with all laws that diverges ends and reports the time", async () => {
  const parts = machine();
  for (const attach of Object.values(laws)) attach(parts);
  rows["a row on one body"]!(parts);
  const system = await compile(parts.m, { hold: [] });
  // Methods that have nothing in common agree on when.
  const times = ["radau5", "dop853"].map((method) => {
    const run = solve(system, {
      span: [0, 1],
      tolerance: 1e-6,
      method: parseMethod(method),
      keep: false,
    });
    expect(run.status).toBe("stepUnderflow");
    return Number(/towards t = ([\d.]+),/.exec(run.reason)![1]);
  });
  expect(Math.abs(times[0]! - times[1]!)).toBeLessThan(1e-4);
});

test("a formula that becomes NaN is reported with its name and time", async () => {
  const { m, ball } = thrown([0, 0, 0]);
  m.pointForce({ name: "blast", on: ball, force: [0, 0, "log(0.25 - t)"] });
  const run = (await compile(m)).simulate({ step: 0.1 });
  expect(() => run.advance(5)).toThrow('pointForce "blast": the formula "log(0.25 - t)" is');
});

test("rows that mechanisms cannot hold are rejected", () => {
  const { m } = thrown([0, 0, 0]);
  const row =
    (...value: string[]) =>
    () =>
      m.constraint({ rows: value.map((_, i) => `${i}`), value });
  expect(row("vx('ball')", "x('ball')")).toThrow("give each kind a constraint of its own");
  expect(row("sin(t)")).toThrow("reads no body");
  expect(row("ax('ball')")).toThrow("would follow from itself");
  m.states({ name: "pi", names: ["i"], rates: ["x('ball')"] });
  expect(row("x('ball') - state('pi')")).toThrow("reads a state: rows hold bodies alone");
  expect(row("energy()")).toThrow("energies are for events and plots");
  expect(row("angle('hinge')")).toThrow('there is no joint "hinge"');
  expect(m.data().joints).toHaveLength(0);
});
