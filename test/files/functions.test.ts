// Functions by formulas and tables: their values, and their derivatives against differences.

import { compile, model, rod } from "nodrift/bodies";
import {
  elasticLaw,
  FunctionSet,
  loadLaw,
  readDocument,
  roadProfile,
  timeFunction,
  writeModel,
} from "nodrift/files";
import { radau5, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";

/** Central difference; its error is a third of the third derivative times the step squared. */
const STEP = 1e-5;
const slopeOf = (f: (x: number) => number, x: number) => (f(x + STEP) - f(x - STEP)) / (2 * STEP);

const closeTo = (found: number, wanted: number, allowed: number) =>
  expect(Math.abs(found - wanted)).toBeLessThan(allowed);

const named = new FunctionSet();
named.define({ name: "bump", of: ["x", "place"], expression: "exp(-(x - place)^2)" });
named.define({ name: "twice", of: ["x"], expression: "bump(x, 1) + bump(x, 2)" });
named.define({ name: "lift", table: { x: [0, 1, 2, 3], y: [0, 0.4, 0.1, 0], outside: "repeat" } });

describe("drives", () => {
  const drives = {
    "a formula": timeFunction("(pi/6) * (1 - cos(pi*t)) + t^3/7"),
    "named functions": timeFunction("twice(t) * lift(t)", named),
    "a spline": timeFunction({ table: { x: [0, 0.7, 1.5, 3], y: [0, 1, 0.5, 2] } }),
    "a spline that repeats itself": timeFunction({
      table: { x: [0, 0.7, 1.5], y: [0, 1, 0], outside: "repeat" },
    }),
    "a spline that goes on": timeFunction({
      table: { x: [0, 0.7, 1.5], y: [0, 1, 0.5], outside: "extend" },
    }),
  };

  test.each(Object.entries(drives))("given by %s have exact derivatives", (_, drive) => {
    const { value, rate, acceleration } = drive;
    for (const t of [-0.3, 0.1, 0.69, 1.2, 2.6, 4.1]) {
      closeTo(rate!(t), slopeOf(value, t), 1e-7);
      closeTo(acceleration!(t), slopeOf(rate!, t), 1e-7);
    }
  });

  test("given by tables pass through their points", () => {
    const [x, y] = [
      [0, 0.7, 1.5, 3],
      [0, 1, 0.5, 2],
    ];
    const { value } = timeFunction({ table: { x, y } });
    for (const [i, t] of x.entries()) closeTo(value(t), y[i], 1e-14);
    expect([value(-5), value(9)]).toEqual([0, 2]);
  });

  test("rotate a pendulum by exactly the angle of the formula", async () => {
    const angle = "(pi/6)*(1 - cos(pi*t))";
    const file = readDocument({
      nodrift: 1,
      name: "driven pendulum",
      units: "SI",
      gravity: [0, 0, -9.81],
      bodies: [{ name: "rod", mass: 1, shape: { type: "rod", length: 1 }, position: [0, 0, -0.5] }],
      joints: [
        {
          type: "revolute",
          name: "hinge",
          between: ["ground", "rod"],
          at: [0, 0, 0],
          axis: [0, 1, 0],
        },
        { type: "driveAngle", name: "motor", joint: "hinge", angle },
      ],
      solve: { span: [0, 2] },
      output: { at: { times: [0, 0.25, 0.5, 1, 1.7, 2] } },
    });
    const system = await file.compile();
    const solution = solve(system, file.solveOptions(system));
    expect(solution.length).toBe(6);
    for (const state of solution.states()) {
      const wanted = (Math.PI / 6) * (1 - Math.cos(Math.PI * state.time));
      closeTo(state.joint("hinge").angle!, wanted, 1e-13);
      closeTo(
        state.joint("hinge").angleRate!,
        (Math.PI ** 2 / 6) * Math.sin(Math.PI * state.time),
        1e-12,
      );
      // I a + m g l/2 sin(angle), with m l^2 / 3: what the motor must give.
      const a = (Math.PI ** 3 / 6) * Math.cos(Math.PI * state.time);
      const torque = a / 3 + (9.81 / 2) * Math.sin(wanted);
      closeTo(state.driveForces().motor, torque, 1e-9);
    }
  });

  test("reject discontinuous velocities", () => {
    const table = { x: [0, 1], y: [0, 1], interpolation: "linear" } as const;
    expect(() => timeFunction({ table })).toThrow("interpolation must be cubic");
  });
});

describe("laws of springs", () => {
  test("depend on length, rate and time", () => {
    const law = elasticLaw("length", "-500*(length - 0.2)^3 - 2*rate + lift(t)", named);
    closeTo(law(0.5, -1.5, 1), -500 * 0.3 ** 3 + 3 + 0.4, 1e-12);
    const torque = elasticLaw("angle", "-angle*rate + t");
    closeTo(torque(2, 3, 1), -5, 1e-15);
    expect(() => elasticLaw("angle", "length")).toThrow('unknown name "length"');
  });

  test("given by tables depend on length or angle only", () => {
    const table = { x: [0, 1, 2], y: [0, 10, 5], interpolation: "linear" } as const;
    const law = elasticLaw("length", { table });
    expect([law(0.5, 7, 7), law(1.5, 7, 7), law(9, 7, 7)]).toEqual([5, 7.5, 5]);
  });

  test("move a body according to the law", async () => {
    const m = model({ gravity: [0, 0, 0] });
    const ball = m.body({ name: "ball", mass: 2, inertia: [1, 1, 1], position: [1.3, 0, 0] });
    m.spring({ between: [m.ground, ball], force: elasticLaw("length", "-8*(length - 1)") });
    const { end } = solve(await compile(m), { span: [0, 3], tolerance: 1e-10 });
    closeTo(end.body("ball").position[0], 1 + 0.3 * Math.cos(2 * 3), 1e-8);
  });
});

describe("loads", () => {
  const motion = {
    point: Float64Array.of(1, 2, 3),
    velocity: Float64Array.of(4, 5, 6),
    angularVelocity: new Float64Array(3),
    axes: new Float64Array(9),
  };

  test("depend on time, the point and its velocity", () => {
    const law = loadLaw(["t + x + 10*y + 100*z", "vx + 10*vy + 100*vz", 7]);
    expect(typeof law === "function" && law(0.5, motion)).toEqual([321.5, 654, 7]);
  });

  test("given by tables depend on time", () => {
    const table = { x: [0, 2], y: [0, 6], interpolation: "linear" } as const;
    const law = loadLaw([0, { table }, "twice(1)"], named);
    const [none, pull, other] = typeof law === "function" ? law(1.5, motion) : [];
    expect([none, pull]).toEqual([0, 4.5]);
    closeTo(other!, 1 + Math.exp(-1), 1e-15);
  });

  test("require three components", () => {
    expect(() => loadLaw(["t", 0])).toThrow("3 numbers, formulas or tables, not 2");
    expect(loadLaw([1, 2, 3])).toEqual([1, 2, 3]);
  });

  test("brake a body according to the formula", async () => {
    const m = model({ gravity: [0, 0, -9.81] });
    const ball = m.body({ name: "ball", mass: 2, inertia: [1, 1, 1], velocity: [3, 0, 0] });
    m.pointForce({ on: ball, force: loadLaw(["-0.5*vx", 0, "2*9.81 - 4*z + 4*cos(t)"]) });
    const { end } = solve(await compile(m), { span: [0, 2], tolerance: 1e-11 });
    closeTo(end.body("ball").velocity[0], 3 * Math.exp(-0.5), 1e-9);
    // z'' = -2 z + 2 cos t from rest: z = 2 (cos t - cos(sqrt(2) t))
    const wanted = 2 * (Math.cos(2) - Math.cos(Math.SQRT2 * 2));
    closeTo(end.body("ball").position[2], wanted, 1e-8);
  });
});

describe("roads", () => {
  const roads = {
    "a formula": roadProfile("0.05*sin(2*x + t)*cos(y) + 0.1*bump(x, 1)", named),
    "a table": roadProfile({ table: { x: [-1, 0, 1, 2], y: [0, 0.1, -0.1, 0] } }),
  };

  test.each(Object.entries(roads))("given by %s have exact slopes", (_, { height, slope }) => {
    for (const [x, y, t] of [
      [0.3, 0.5, 0.1],
      [-0.4, 2, 1],
      [1.7, -1, 3],
    ]) {
      const [byX, byY] = slope(x, y, t);
      closeTo(
        byX,
        slopeOf((u) => height(u, y, t), x),
        1e-9,
      );
      closeTo(
        byY,
        slopeOf((u) => height(x, u, t), y),
        1e-9,
      );
    }
  });
});

describe("functions of a program", () => {
  const start = () => {
    const m = model();
    const shape = rod({ length: 1, axis: [1, 0, 0] });
    const part = m.body({ name: "rod", mass: 1, shape, position: [0.5, 0, 0] });
    const place = { at: [0, 0, 0], axis: [0, 1, 0] } as const;
    const hinge = m.revolute({ name: "hinge", between: [m.ground, part], ...place });
    return { m, part, hinge, ground: m.ground };
  };
  type Start = ReturnType<typeof start>;

  const refusals: [string, (given: Start) => unknown, string][] = [
    [
      "of drives",
      ({ m, hinge }) => m.driveAngle({ name: "motor", joint: hinge, angle: (t) => t }),
      'driveAngle "motor": angle is a JavaScript function and cannot be saved: use a formula or a table, as in timeFunction("sin(t)")',
    ],
    [
      "of drives that know their rate",
      ({ m, hinge }) => m.driveAngle({ joint: hinge, angle: { value: () => 0, rate: () => 0 } }),
      "driveAngle 1: angle is a JavaScript function and cannot be saved",
    ],
    [
      "of springs",
      ({ m, part, ground }) =>
        m.spring({ name: "rubber", between: [ground, part], force: () => 1 }),
      'spring "rubber": force is a JavaScript function and cannot be saved: use a formula or a table, as in elasticLaw("length"',
    ],
    [
      "of loads",
      ({ m, part }) => m.torque({ on: part, torque: () => [0, 0, 1] }),
      'torque 1: torque is a JavaScript function and cannot be saved: use a formula or a table, as in loadLaw(["sin(t)", 0, 0])',
    ],
    [
      "of roads",
      ({ m, part }) => m.tyre({ wheel: part, stiffness: 9, height: () => 0 }),
      "tyre 1: height is a JavaScript function and cannot be saved: use a formula or a table, as in ...roadProfile(",
    ],
    [
      "of roads without the slope of the same road",
      ({ m, part }) =>
        m.tyre({ wheel: part, stiffness: 9, height: roadProfile("x").height, slope: () => [1, 0] }),
      "tyre 1: height and slope must belong to one road",
    ],
    [
      "of roads without slopes",
      ({ m, part }) => m.tyre({ wheel: part, stiffness: 9, height: roadProfile("x").height }),
      "tyre 1: height and slope must belong to one road",
    ],
    [
      "that are constraints",
      ({ m, part }) =>
        m.constraint({
          name: "plane",
          bodies: [part],
          rows: ["z"],
          value: ([{ position }], out) => {
            out[0] = position[2];
          },
        }),
      'constraint "plane": value is a JavaScript function and cannot be saved: use a formula',
    ],
    [
      "that are forces",
      ({ m, part }) => m.userForce({ name: "wind", bodies: [part], apply: () => {} }),
      'userForce "wind": userForce uses JavaScript functions and cannot be saved to a file',
    ],
  ];

  test.each(refusals)("%s cannot be written", (_, add, message) => {
    const given = start();
    expect(writeModel(given.m)).toContain("hinge");
    add(given);
    expect(() => writeModel(given.m)).toThrow(message);
  });
});

test("laws of files read states of the file", async () => {
  const { model: read } = readDocument({
    nodrift: 1,
    name: "pushed",
    units: "SI",
    gravity: [0, 0, 0],
    bodies: [{ name: "ball", mass: 2, inertia: [1, 1, 1], position: [0, 0, 0] }],
    forces: [{ type: "pointForce", on: "ball", at: [0, 0, 0], force: ["4 * state('s')", 0, 0] }],
    states: [{ name: "s", names: ["y"], start: [1], rates: ["-y"] }],
  } as never);
  const run = solve(await compile(read), { span: [0, 1], tolerance: 1e-9, integrator: radau5() });
  // x'' = 2 exp(-t), so x = 2 (t - 1 + exp(-t)).
  closeTo(run.end.q[0]!, 2 * Math.exp(-1), 1e-7);
  expect(run.statistics.implicit?.jacobianSource).toBe("analytic");
});

test("tables of bushings depend on their own coordinate", async () => {
  const table = { x: [-2, 0, 2], y: [6, 0, -6], interpolation: "linear" };
  const half = Math.sin(0.15);
  const { model: read } = readDocument({
    nodrift: 1,
    name: "seat",
    units: "SI",
    gravity: [0, 0, 0],
    ground: { markers: [{ name: "seat", at: [0, 0, 0] }] },
    bodies: [
      {
        name: "block",
        mass: 2,
        inertia: [3, 3, 4],
        position: [0.5, 0.1, 0.3],
        orientation: [Math.sqrt(1 - half * half), 0, 0, half],
        markers: [{ name: "seat", at: [0, 0, 0] }],
      },
    ],
    forces: [
      {
        type: "bushing",
        between: [
          { marker: "seat", of: "ground" },
          { marker: "seat", of: "block" },
        ],
        force: [{ table }, "-xTurn", { table }],
        torque: [0, 0, { table }],
      },
    ],
  });
  const run = (await compile(read)).simulate({ step: 1e-3 });
  const { acceleration, angularAcceleration } = run.body("block");
  // -3 N/m of x and z on 2 kg; about z: -3 (2 sin 0.15) cos 0.15 = -3 sin 0.3 on 4 kg m^2.
  expect([...acceleration].map((a) => Math.round(a * 1e12) / 1e12)).toEqual([-0.75, 0, -0.45]);
  expect(angularAcceleration[2]).toBeCloseTo((-3 * Math.sin(0.3)) / 4, 13);
});
