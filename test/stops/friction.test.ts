// Friction in joints: closed forms, reactions found together with accelerations, bristles that do not creep.

import { compile, type Model, model, rod } from "nodrift/bodies";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";

const G = 9.80665;

/** A block on a slope, which slides along x; the slope is that of gravity. */
function slope(angle: number, friction: (m: Model, slide: ReturnType<Model["prismatic"]>) => void) {
  const m = model({ gravity: [G * Math.sin(angle), 0, -G * Math.cos(angle)] });
  const block = m.body({ name: "block", mass: 3, inertia: [1, 1, 1] });
  const slide = m.prismatic({
    name: "slide",
    between: [m.ground, block],
    at: [0, 0, 0],
    axis: [1, 0, 0],
  });
  friction(m, slide);
  return m;
}

describe("friction with a coefficient", () => {
  test("friction of a block on a slope is mu m g cos", async () => {
    const system = await compile(
      slope(0.5, (m, joint) => m.friction({ joint, coefficient: 0.2, transitionSpeed: 1e-4 })),
    );
    expect(system.coordinateChoice.why).not.toContain("friction");
    const solution = solve(system, { span: [0, 1], tolerance: 1e-10 });
    const a = G * (Math.sin(0.5) - 0.2 * Math.cos(0.5));
    expect(solution.status).toBe("finished");
    expect(solution.end.joint("slide").displacementRate).toBeCloseTo(a, 4);
    const [fx] = solution.end.force("friction 1").force({ on: "block" });
    expect(fx).toBeCloseTo(-0.2 * 3 * G * Math.cos(0.5), 9);
  });

  test("friction is consistent although it changes the reaction itself: Poisson's rod in a hinge", async () => {
    // A rod swings in a hinge of radius r: torque mu r N, and N has the acceleration of its centre in it, which has the torque.
    const m = model({ gravity: [0, 0, -G] });
    const bar = m.body({ name: "bar", mass: 2, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
    const joint = m.revolute({
      name: "hinge",
      between: [m.ground, bar],
      at: [0, 0, 0],
      axis: [0, 1, 0],
    });
    m.friction({ name: "rub", joint, coefficient: 0.5, radius: 0.4, transitionSpeed: 1e-3 });
    const system = await compile(m, { joints: { hinge: { angle: 0.8, angleRate: 2 } } });
    const state = system.simulate({ step: 1e-3 });
    const [, torque] = state.force("rub").torque({ on: "bar" });
    const force = state.joint("hinge").force({ on: "bar" });
    const N = Math.hypot(...force);
    expect(torque).toBeCloseTo(-0.5 * 0.4 * N, 10);
    // By hand: I theta'' = m g l sin - T, T = mu r N, and the centre moves on a circle of l = 0.5.
    const [l, I, w] = [0.5, 2 / 3, 2];
    let T = 0;
    for (let i = 0; i < 200; i++) {
      const alpha = (-2 * G * l * Math.sin(0.8) - T) / I;
      const along = 2 * l * w * w + 2 * G * Math.cos(0.8);
      const across = 2 * l * alpha + 2 * G * Math.sin(0.8);
      T = 0.2 * Math.hypot(along, across);
    }
    expect(torque).toBeCloseTo(-T, 9);
  });

  test("one reaction of a cylindrical joint causes friction along and about the axis", async () => {
    const m = model({ gravity: [0, -G, 0] });
    const nut = m.body({
      name: "nut",
      mass: 1,
      inertia: [1, 1, 1],
      velocity: [0, 0, 2],
      angularVelocity: [0, 0, 3],
    });
    const joint = m.cylindrical({
      name: "bush",
      between: [m.ground, nut],
      at: [0, 0, 0],
      axis: [0, 0, 1],
    });
    m.friction({ joint, of: "displacement", coefficient: 0.1 });
    m.friction({ joint, of: "angle", coefficient: 0.1, radius: 0.05 });
    const solution = solve(await compile(m), { span: [0, 1], tolerance: 1e-9 });
    expect(solution.end.joint("bush").displacementRate).toBeCloseTo(2 - 0.1 * G, 6);
    expect(solution.end.joint("bush").angleRate).toBeCloseTo(3 - 0.1 * G * 0.05, 6);
  });

  test("a coefficient so large that the joint jams is rejected by name, in both kinds of coordinates", async () => {
    const m = model({ gravity: [0, 0, -G] });
    const bar = m.body({
      name: "bar",
      mass: 2,
      inertia: [0.01, 0.01, 0.01],
      position: [0, 0, -0.5],
    });
    const joint = m.revolute({
      name: "hinge",
      between: [m.ground, bar],
      at: [0, 0, 0],
      axis: [0, 1, 0],
    });
    m.friction({ name: "rub", joint, coefficient: 4, radius: 0.4 });
    for (const coordinates of ["maximal", "relative"] as const) {
      const joints = { hinge: { angle: 0.8, angleRate: 2 } };
      const system = await compile(m, { coordinates, joints });
      expect(solve(system, { span: [0, 1] }).reason).toContain('friction "rub" jams');
    }
  });
});

describe("friction with a coefficient along a tree of joints", () => {
  /** An arm of random links on hinges, slides and cylinders, all with friction; closed by a rod if `isClosed`. */
  function arm(seed: number, isClosed: boolean) {
    let state = seed;
    const random = () => {
      state = (1103515245 * state + 12345) % 2147483648;
      return state / 2147483648 - 0.5;
    };
    const three = () => [random(), random(), random()] as [number, number, number];
    const m = model({ gravity: [1, 2, -G] });
    let last: ReturnType<typeof m.body> | typeof m.ground = m.ground;
    for (const i of [0, 1, 2, 3]) {
      const at: [number, number, number] = [i, random(), random()];
      const link = m.body({
        name: `link ${i}`,
        mass: 1 + random(),
        inertia: [0.5, 0.6, 0.7],
        position: [i + 0.5, random(), random()],
      });
      const between = [last, link] as const;
      const options = { name: `joint ${i}`, between, at, axis: three() };
      if (i === 1) {
        const joint = m.prismatic(options);
        m.friction({ name: `rub ${i}`, joint, coefficient: 0.2, transitionSpeed: 0.05 });
      } else if (i === 2) {
        const joint = m.cylindrical(options);
        m.friction({
          name: `rub ${i}`,
          joint,
          of: "displacement",
          coefficient: 0.15,
          transitionSpeed: 0.05,
        });
        m.friction({
          name: `turn ${i}`,
          joint,
          of: "angle",
          coefficient: 0.15,
          radius: 0.1,
          transitionSpeed: 0.05,
        });
      } else {
        const joint = m.revolute(options);
        m.friction({
          name: `rub ${i}`,
          joint,
          coefficient: 0.2,
          radius: 0.1,
          transitionSpeed: 0.05,
        });
      }
      last = link;
    }
    m.spring({
      between: [m.ground, last],
      atA: [4, 1, 1],
      atB: [3.5, 0, 0],
      stiffness: 40,
      damping: 3,
    });
    if (isClosed)
      m.distance({ name: "rod", between: [m.ground, last], atA: [5, 1, 1], atB: [4, 0, 0] });
    return m;
  }

  test.each([1, 2, 3, 4, 5, 6])(
    "gives the accelerations of maximal coordinates (seed %i)",
    async (seed) => {
      for (const isClosed of [false, true]) {
        const [one, other] = await Promise.all(
          (["maximal", "relative"] as const).map(async (coordinates) => {
            const system = await compile(arm(seed, isClosed), {
              coordinates,
              // Also if a joint with friction is cut, and has rows.
              ...(coordinates === "relative" && seed > 3 && { tree: { cut: ["joint 2"] } }),
            });
            return system.simulate({ step: 1e-3 });
          }),
        );
        const size = Math.max(...one!.accelerations().map(Math.abs));
        // By the method's own steps: accelerations of simulations are found in maximal coordinates.
        one!.advance(400);
        other!.advance(400);
        expect(other!.coordinateChoice.kind).toBe("relative");
        for (const [i, value] of one!.v.entries()) {
          expect(Math.abs(other!.v[i]! - value)).toBeLessThan(1e-8 * size);
        }
        for (const name of ["rub 0", "rub 1", "rub 2", "turn 2", "rub 3"]) {
          expect(other!.force(name).power).toBeLessThanOrEqual(0);
        }
      }
    },
  );

  test("a block on a slope slides by mu m g cos, and is chosen without regard to friction", async () => {
    const system = await compile(
      slope(0.5, (m, joint) => m.friction({ joint, coefficient: 0.2, transitionSpeed: 1e-4 })),
      { coordinates: "relative" },
    );
    const solution = solve(system, { span: [0, 1], tolerance: 1e-10 });
    const a = G * (Math.sin(0.5) - 0.2 * Math.cos(0.5));
    expect(solution.end.joint("slide").displacementRate).toBeCloseTo(a, 4);
    expect((await compile(arm(1, false))).coordinateChoice.kind).toBe("relative");
  });

  test("where constraints are redundant the least reaction is found in maximal coordinates, and a tree rejected by name", async () => {
    const m = model();
    const door = m.body({ name: "door", mass: 20, inertia: [3, 3, 5], position: [0.5, 0, 0] });
    const [low, high] = [-0.5, 0.5].map((z) =>
      m.revolute({
        name: `hinge ${z}`,
        between: [m.ground, door],
        at: [0, 0, z],
        axis: [0, 0, 1],
      }),
    );
    m.friction({ name: "rub", joint: low!, coefficient: 0.2, radius: 0.01 });
    expect(high!.name).toBe("hinge 0.5");
    const { kind, why } = (await compile(m)).coordinateChoice;
    expect([kind, why.includes('friction "rub"')]).toEqual(["maximal", true]);
    await expect(compile(m, { coordinates: "relative" })).rejects.toThrow('friction "rub"');
  });
});

describe("bristle friction", () => {
  test("hold a block on a slope without creep, also when it is shaken", async () => {
    const m = slope(0.3, (own, joint) =>
      own.friction({
        joint,
        coulomb: 15,
        static: 18,
        model: "bristle",
        stiffness: 1e5,
        damping: 1000,
      }),
    );
    const body = m.body({ name: "shaker", mass: 1, inertia: [1, 1, 1] });
    m.fixed({ between: [m.ground, body], at: [0, 0, 0] });
    const solution = solve(await compile(m), { span: [0, 20], tolerance: 1e-9 });
    expect(solution.status).toBe("finished");
    const bent = (3 * G * Math.sin(0.3)) / 1e5;
    const at = (t: number) => solution.at(t).joint("slide").displacement!;
    expect(at(1)).toBeCloseTo(bent, 9);
    expect(Math.abs(at(20) - at(2))).toBeLessThan(1e-9);
  });

  test.each(["maximal", "relative"] as const)(
    "slide as Coulomb says, in %s coordinates",
    async (coordinates) => {
      const m = slope(0.6, (own, joint) =>
        own.friction({ joint, coulomb: 8, model: "bristle", stiffness: 1e5, damping: 300 }),
      );
      const solution = solve(await compile(m, { coordinates }), { span: [0, 1], tolerance: 1e-9 });
      const a = G * Math.sin(0.6) - 8 / 3;
      expect(solution.end.joint("slide").displacementRate).toBeCloseTo(a, 2);
    },
  );
});

test("a brake is friction whose magnitude is set, also by an event", async () => {
  const m = model({ gravity: [0, 0, 0] });
  const wheel = m.body({ name: "wheel", mass: 1, inertia: [1, 1, 2], angularVelocity: [0, 0, 10] });
  const joint = m.revolute({
    name: "axle",
    between: [m.ground, wheel],
    at: [0, 0, 0],
    axis: [0, 0, 1],
  });
  m.friction({ name: "brake", joint, coulomb: 0, transitionSpeed: 1e-5 });
  const system = await compile(m);
  const solution = solve(system, {
    span: [0, 2],
    tolerance: 1e-9,
    events: [
      { when: ({ time }) => time - 1, action: (event) => event.set("brake", { coulomb: 4 }) },
    ],
  });
  expect(solution.end.joint("axle").angleRate).toBeCloseTo(10 - 4 / 2, 6);
  const simulation = system.simulate({ step: 1e-3 });
  simulation.set("brake", { coulomb: 4 });
  simulation.runTo(1);
  expect(simulation.joint("axle").angleRate).toBeCloseTo(8, 5);
  expect(simulation.force("brake").power).toBeCloseTo(-32, 3);
});

describe("invalid options are rejected by name", () => {
  const bad: Record<string, (m: Model, joint: ReturnType<Model["prismatic"]>) => void> = {
    "less than coulomb": (m, joint) => m.friction({ joint, coulomb: 2, static: 1 }),
    "give that or a coefficient": (m, joint) => m.friction({ joint, coulomb: 2, coefficient: 1 }),
    "coefficient is missing": (m, joint) => m.friction({ joint, staticCoefficient: 1 }),
    "radius is for joints that turn": (m, joint) =>
      m.friction({ joint, coefficient: 1, radius: 1 }),
    "goes with coefficient": (m, joint) => m.friction({ joint, coulomb: 1, radius: 1 }),
    "belongs to bristles": (m, joint) => m.friction({ joint, coulomb: 1, stiffness: 1 }),
    "stiffness is missing": (m, joint) => m.friction({ joint, coulomb: 1, model: "bristle" }),
    '"smooth" or "bristle"': (m, joint) => m.friction({ joint, model: "LuGre" as never }),
    transitionSpeed: (m, joint) => m.friction({ joint, coulomb: 1, transitionSpeed: 0 }),
    "has no angle": (m, joint) => m.friction({ joint, of: "angle", coulomb: 1 }),
    "lower, upper or both": (m, joint) => m.stop({ joint }),
    "lower must be less": (m, joint) => m.stop({ joint, lower: 1, upper: 1 }),
    "give stiffness too": (m, joint) => m.stop({ joint, lower: 1, damping: 1 }),
    "exponent is 0.5; give a number >= 1": (m, joint) =>
      m.stop({ joint, lower: 1, stiffness: 1, exponent: 0.5 }),
    "restitution is 2; give a number from 0 to 1": (m, joint) =>
      m.stop({ joint, lower: 1, restitution: 2 }),
    "impactSpeed is missing": (m, joint) =>
      m.stop({ joint, lower: 1, stiffness: 2, restitution: 0.5 }),
    "give those or damping": (m, joint) =>
      m.stop({ joint, lower: 1, stiffness: 2, restitution: 0.5, impactSpeed: 1, damping: 1 }),
    "give a joint, or between": (m) => m.stop({ lower: 1 }),
  };
  test.each(Object.entries(bad))("%s", (message, make) => {
    expect(() => slope(0, make)).toThrow(message);
  });
});
