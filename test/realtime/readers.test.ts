// User forces that read joints, bodies and states on which they do not act, and machines with motors and controllers.

import { udwadiaKalaba } from "nodrift";
import { compile, model, type QuantityReader, rod } from "nodrift/bodies";
import { readDocument, writeModel } from "nodrift/files";
import { dop853, radau5, solve, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";

describe.each(["maximal", "relative"] as const)(
  "readings inside user forces, in %s coordinates",
  (coordinates) => {
    test("match the readings of the same state", async () => {
      const seen: number[][] = [];
      const readAll = (read: QuantityReader) => [
        read.angle("hinge"),
        read.angleRate(hinge),
        read.displacement("rail"),
        read.displacementRate(rail),
        read.length("string"),
        read.lengthRate("string"),
        ...read.position("a", [0.1, 0.2, 0.3]),
        ...read.velocity(a, [0.1, 0.2, 0.3]),
        ...read.rotation("a"),
        ...read.angularVelocity("a"),
      ];
      const m = model();
      const a = m.body({
        name: "a",
        mass: 1,
        inertia: [0.1, 0.2, 0.25],
        centre: [0.1, 0, 0.05],
        position: [0.4, 0, 0],
      });
      const b = m.body({ name: "b", mass: 1, inertia: [0.1, 0.2, 0.25], position: [1.4, 0, 0] });
      const c = m.body({ name: "c", mass: 1, inertia: [0.1, 0.2, 0.25], position: [3, 0, -1] });
      const hinge = m.revolute({
        name: "hinge",
        between: [m.ground, a],
        at: [0, 0, 0],
        axis: [0, 1, 0.1],
      });
      const rail = m.prismatic({ name: "rail", between: [a, b], at: [1, 0, 0], axis: [1, 0.2, 0] });
      m.distance({ name: "string", between: [m.ground, c], atA: [3, 0.2, 0.4] });
      m.userForce({
        bodies: [c],
        apply: (_motions, _loads, _t, read) => void seen.push(readAll(read)),
      });
      const simulation = (await compile(m, { coordinates })).simulate({ step: 1e-3 }).advance(30);
      seen.length = 0;
      simulation.force("userForce 1").force({ on: "c" });
      const [hinged, railed, tied] = ["hinge", "rail", "string"].map((name) =>
        simulation.joint(name),
      );
      const body = simulation.body("a");
      const expected = [
        hinged!.angle!,
        hinged!.angleRate!,
        railed!.displacement!,
        railed!.displacementRate!,
        tied!.length!,
        tied!.lengthRate!,
        ...body.point([0.1, 0.2, 0.3]),
        ...body.pointVelocity([0.1, 0.2, 0.3]),
      ];
      for (const [i, value] of expected.entries()) {
        expect(Math.abs(seen.at(-1)![i]! - value), `${i}`).toBeLessThan(
          1e-12 * Math.max(1, Math.abs(value)),
        );
      }
      const spin = seen.at(-1)!.slice(-3);
      for (const i of [0, 1, 2]) expect(spin[i]).toBeCloseTo(body.angularVelocity[i]!, 12);
    });

    test("a gas force that depends on a crank angle does the work that the crank gains", async () => {
      const force = (angle: number) => 300 * Math.sin(angle) ** 2 * (1 + Math.cos(angle));
      const m = model({ gravity: [0, 0, 0] });
      const crank = m.body({
        name: "crank",
        mass: 3,
        inertia: [0.02, 0.02, 0.02],
        angularVelocity: [0, 40, 0],
      });
      const turning = m.revolute({
        name: "turning",
        between: [m.ground, crank],
        at: [0, 0, 0],
        axis: [0, 1, 0],
      });
      const piston = m.body({
        name: "piston",
        mass: 0.5,
        inertia: [1e-3, 1e-3, 1e-3],
        position: [0, 0, 0.2],
      });
      m.prismatic({ between: [m.ground, piston], at: [0, 0, 0.2], axis: [0, 0, 1] });
      m.distance({ between: [crank, piston], atA: [0, 0, 0.05], atB: [0, 0, 0.2] });
      m.pointForce({
        on: piston,
        force: (_t, _motion, read) => [0, 0, -force(read.angle(turning))],
      });
      const system = await compile(m, { coordinates });
      const before = system.simulate({ step: 1 }).energy().total;
      const found = solve(system, { span: [0, 0.1], tolerance: 1e-10 });
      expect(found.status, found.reason).toBe("finished");
      // z(phi) = r cos phi + sqrt(l^2 - r^2 sin^2 phi): the work is an integral over the angle alone.
      const [r, l] = [0.05, 0.15];
      const slope = (phi: number) =>
        -r * Math.sin(phi) -
        (r * r * Math.sin(phi) * Math.cos(phi)) / Math.sqrt(l * l - (r * Math.sin(phi)) ** 2);
      const end = found.end.joint("turning").angle!;
      const parts = 2000;
      let work = 0;
      for (let i = 0; i < parts; i++) {
        const at = (x: number) => -force(x) * slope(x);
        const [x, h] = [(end * i) / parts, end / parts];
        work += (h / 6) * (at(x) + 4 * at(x + h / 2) + at(x + h));
      }
      expect(Math.abs(work)).toBeGreaterThan(1);
      expect(found.end.energy().total - before).toBeCloseTo(work, 6);
    });
  },
);

/** Furuta's pendulum: a driven arm that rotates about z, with a rod hinged at its end, balanced upright by samples. */
function furuta(gain: number) {
  const m = model({ name: "Furuta" });
  const arm = m.body({
    name: "arm",
    mass: 0.3,
    shape: rod({ length: 0.4, axis: [1, 0, 0] }),
    position: [0.2, 0, 0],
  });
  const post = m.revolute({
    name: "post",
    between: [m.ground, arm],
    at: [0, 0, 0],
    axis: [0, 0, 1],
  });
  const swing = m.body({
    name: "swing",
    mass: 0.1,
    shape: rod({ length: 0.6 }),
    position: [0.4, 0, 0.3],
    angularVelocity: [0.05, 0, 0],
  });
  const tip = m.revolute({ name: "tip", between: [arm, swing], at: [0.4, 0, 0], axis: [1, 0, 0] });
  const law = m.controller({
    name: "law",
    every: 5e-3,
    outputs: ["torque"],
    sample: (_t, read) => [
      gain *
        (-4 * read.angle(tip) -
          1.5 * read.angleRate(tip) +
          0.3 * read.angle(post) +
          0.5 * read.angleRate(post)),
    ],
  });
  m.motor({
    name: "motor",
    joint: post,
    mode: "torque",
    target: (_t, read) => read.output(law),
    maximumTorque: 3,
  });
  return compile(m);
}

test("Furuta's pendulum stays upright with its controller, and falls without it", async () => {
  const held = (await furuta(1)).simulate({ step: 1 / 240 }).runTo(3);
  const fallen = (await furuta(0)).simulate({ step: 1 / 240 }).runTo(3);
  expect(Math.abs(held.joint("tip").angle!)).toBeLessThan(0.02);
  expect(Math.abs(fallen.joint("tip").angle!)).toBeGreaterThan(1);
});

test("the torques of six motors hold an arm against its weight", async () => {
  const m = model({ name: "six axes" });
  const axes = [
    [0, 0, 1],
    [0, 1, 0],
    [0, 1, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 0, 0],
  ] as const;
  let [before, x] = [m.ground, 0];
  const lengths = [0.1, 0.4, 0.4, 0.1, 0.1, 0.1];
  for (const [i, axis] of axes.entries()) {
    const length = lengths[i]!;
    const link = m.body({
      name: `link ${i + 1}`,
      mass: 2,
      inertia: [0.02, 0.02, 0.02],
      position: [x + length / 2, 0, 0],
    });
    const joint = m.revolute({ name: `J${i + 1}`, between: [before, link], at: [x, 0, 0], axis });
    m.motor({
      name: `M${i + 1}`,
      joint,
      mode: "position",
      target: 0,
      stiffness: 2e4,
      damping: 400,
      gearRatio: 100,
      rotorInertia: 2e-5,
    });
    [before, x] = [link, x + length];
  }
  const found = solve(await compile(m), { span: [0, 3], tolerance: 1e-7 });
  expect(found.status, found.reason).toBe("finished");
  // Weight outboard of a horizontal axis, computed by hand; vertical axes and those along the arm carry none.
  for (const [i, [, y]] of axes.entries()) {
    const from = lengths.slice(0, i).reduce((sum, l) => sum + l, 0);
    let [place, moment] = [0, 0];
    for (const [k, length] of lengths.entries()) {
      if (k >= i) moment += 2 * 9.81 * (place + length / 2 - from);
      place += length;
    }
    const expected = y === 1 ? -moment : 0;
    // Finite gains leave a small deflection.
    expect(Math.abs(found.end.motor(`M${i + 1}`).torque - expected)).toBeLessThan(1e-3 * 50);
    expect(found.force(`M${i + 1}`).driveForce).toHaveLength(found.length);
  }
});

test("a file with states, controllers and motors is read and written, and runs like the same calls", async () => {
  const m = model({ name: "file" });
  const arm = m.body({ name: "arm", mass: 1.2, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, arm],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  m.motor({
    name: "M",
    joint: hinge,
    mode: "torque",
    target: "output('pd') + 25*state('pi.integral') + 0*t",
  });
  m.states({
    name: "pi",
    names: ["integral", "slow"],
    rates: ["0.3 - angle('hinge')", "integral - slow"],
  });
  m.controller({
    name: "pd",
    every: 0.004,
    delay: 0.001,
    outputs: ["u"],
    memory: { last: 0.1 },
    remember: { last: "(last + angleRate('hinge'))/2" },
    sample: ["40*(0.3 - angle('hinge')) - 4*last"],
  });
  const text = JSON.parse(JSON.stringify(writeModel(m)));
  const again = readDocument({ ...(typeof text === "string" ? JSON.parse(text) : text) });
  const ends = await Promise.all(
    [compile(m), again.compile()].map(async (system) => {
      const simulation = (await system).simulate({ step: 1e-3 }).advance(100);
      return [...simulation.q, ...simulation.v];
    }),
  );
  expect(ends[0]).toEqual(ends[1]);
  // Equivalent functions.
  for (const integrator of [dop853(), radau5()]) {
    const formulation = integrator.isImplicit ? stateSpace() : udwadiaKalaba();
    const found = solve(await compile(m), {
      span: [0, 0.1],
      tolerance: 1e-9,
      method: { formulation, integrator },
    });
    expect(found.status, found.reason).toBe("finished");
    expect(Math.abs(found.end.q[0]! - ends[0]![0]!)).toBeLessThan(1e-6);
  }
});
