// Forces read by name, against independent formulas.

import { compile, model } from "nodrift/bodies";
import { readModel } from "nodrift/files";
import { solve } from "nodrift/solve";
import { describe, expect, it } from "vitest";

function machine() {
  const m = model({ gravity: [0, 0, -9.81] });
  const a = m.body({
    name: "a",
    mass: 2,
    inertia: [0.2, 0.3, 0.4],
    position: [0, 0, 1],
    velocity: [0.3, 0.1, -0.2],
    angularVelocity: [0.5, -0.3, 0.2],
  });
  const b = m.body({
    name: "b",
    mass: 1,
    inertia: [0.1, 0.1, 0.15],
    centre: [0.05, 0, 0],
    position: [1, 0.2, 1],
    angularVelocity: [0, 1, 0.4],
  });
  m.spring({
    name: "strut",
    between: [a, b],
    atA: [0.1, 0, 1],
    atB: [0.9, 0.2, 1.1],
    stiffness: 100,
    damping: 7,
    length: 0.5,
  });
  m.bushing({
    name: "rubber",
    between: [m.ground, a],
    at: [0, 0, 0.9],
    stiffness: [50, 60, 70, 3, 4, 5],
    damping: [1, 2, 3, 0.1, 0.2, 0.3],
  });
  m.tyre({ name: "tyre", wheel: b, stiffness: 1000, radius: 1.1, damping: 5 });
  m.userForce({
    name: "wind",
    bodies: [a],
    apply: ([{ velocity }], [{ force, torque }]) => {
      force[0]! -= 2 * velocity[0]!;
      torque[2]! += 0.3;
    },
  });
  m.drag({ name: "air", on: b, linear: 0.5, angular: 0.1 });
  return m;
}

describe("readings of forces", () => {
  it("a strut pulls both bodies along the line of its points", async () => {
    const simulation = (await compile(machine())).simulate({ step: 1e-3 });
    simulation.runTo(0.1);
    const [p, u] = (
      [
        ["a", [0.1, 0, 0]],
        ["b", [-0.1, 0, 0.1]],
      ] as const
    ).reduce(
      ([points, rates], [name, at]) => {
        const body = simulation.body(name);
        return [
          [...points, body.point(at)],
          [...rates, body.pointVelocity(at)],
        ];
      },
      [[], []] as [(readonly number[])[], (readonly number[])[]],
    );
    const d = [0, 1, 2].map((i) => p[1]![i]! - p[0]![i]!);
    const length = Math.hypot(...d);
    const rate = [0, 1, 2].reduce((s, i) => s + (d[i]! * (u[1]![i]! - u[0]![i]!)) / length, 0);
    const f = -100 * (length - 0.5) - 7 * rate;
    const strut = simulation.force("strut");
    expect(strut.length).toBeCloseTo(length, 12);
    expect(strut.lengthRate).toBeCloseTo(rate, 12);
    for (const i of [0, 1, 2]) {
      expect(strut.force()[i]).toBeCloseTo((f * d[i]!) / length, 10);
      expect(strut.force({ on: "a" })[i]).toBeCloseTo((-f * d[i]!) / length, 10);
      expect(strut.torque({ on: "b" })[i]).toBeCloseTo(0, 10);
    }
    expect(strut.power).toBeCloseTo(f * rate, 10);
    expect(strut.energy).toBeCloseTo(50 * (length - 0.5) ** 2, 10);
    const own = strut.force({ on: "b", frame: "b" });
    expect(Math.hypot(...own)).toBeCloseTo(Math.abs(f), 10);
    expect(strut.bodies).toEqual(["a", "b"]);
  });

  it("the sum of all forces is the rate of momentum and of energy", async () => {
    const simulation = (await compile(machine())).simulate({ step: 1e-3 });
    simulation.runTo(0.2);
    const names = ["strut", "rubber", "tyre", "wind", "air"];
    const on = (name: string, body: string) => {
      const force = simulation.force(name);
      return force.bodies.includes(body) ? force.force({ on: body }) : [0, 0, 0];
    };
    const a = simulation.accelerations();
    for (const [index, body] of (["a", "b"] as const).entries()) {
      for (const i of [0, 1, 2]) {
        const sum = names.reduce((s, name) => s + on(name, body)[i]!, 0);
        const weight = i === 2 ? -9.81 : 0;
        expect(sum / (2 - index) + weight).toBeCloseTo(a[6 * index + i]!, 9);
      }
    }
    const kinetic = () => simulation.energy().kinetic;
    const power = names.reduce((s, name) => s + simulation.force(name).power, 0);
    const weights = -9.81 * (2 * simulation.v[2]! + simulation.v[8]!);
    simulation.setStep(1e-5);
    const before = kinetic();
    const rate = (simulation.advance(2).energy().kinetic - before) / 2e-5;
    expect(rate).toBeCloseTo(power + weights, 1);
    expect(simulation.energy().potential).toBeCloseTo(
      names.reduce((s, name) => s + simulation.force(name).energy, 0) +
        9.81 * (2 * simulation.q[2]! + simulation.q[9]!),
      10,
    );
  });

  it("the load on the ground is opposite to that on the body", async () => {
    const simulation = (await compile(machine())).simulate({ step: 1e-3 });
    const rubber = simulation.runTo(0.1).force("rubber");
    const [on, back] = [rubber.force({ on: "a" }), rubber.force({ on: "ground" })];
    for (const i of [0, 1, 2]) expect(back[i]).toBeCloseTo(-on[i]!, 12);
    expect(() => rubber.force({ on: "b" })).toThrow('does not act on "b"');
    expect(() => simulation.force("strutt")).toThrow('no force "strutt"');
  });

  it("solutions, columns and formulas of files contain forces; drives report their torque with its sign", async () => {
    const text = JSON.stringify({
      nodrift: 1,
      name: "driven",
      units: "SI",
      gravity: [0, 0, -9.81],
      bodies: [{ name: "arm", mass: 2, inertia: [1, 1, 1], position: [0.5, 0, 0] }],
      joints: [
        {
          type: "revolute",
          name: "hinge",
          between: ["ground", "arm"],
          at: [0, 0, 0],
          axis: [0, 1, 0],
        },
        { type: "driveAngle", name: "M2", joint: "hinge", angle: "-0.1 * t" },
      ],
      forces: [{ type: "torsionSpring", name: "coil", joint: "hinge", stiffness: 3 }],
      solve: { span: [0, 1] },
      output: {
        values: ["driveForce('M2')", "power('coil')", "angle('coil')", "springEnergy('coil')"],
      },
    });
    const file = readModel(text);
    const system = await file.compile();
    const solution = solve(system, file.solveOptions(system));
    // About y the weight has the torque m g l cos(angle); the drive holds against it and the coil.
    const angle = -0.1;
    const expected = -2 * 9.81 * 0.5 * Math.cos(angle) + 3 * angle;
    const { end } = solution;
    expect(end.joint("M2").driveForce).toBeCloseTo(expected, 6);
    expect(end.driveForces().M2).toBeCloseTo(expected, 6);
    expect(end.joint("hinge").driveForce).toBeUndefined();
    expect(end.force("coil").angle).toBeCloseTo(angle, 9);
    expect(end.force("coil").power).toBeCloseTo(-3 * angle * -0.1, 8);
    const { driveForce } = solution.joint("M2");
    expect(driveForce!.at(-1)).toBeCloseTo(expected, 6);
    expect(solution.force("coil").energy.at(-1)).toBeCloseTo(1.5 * angle ** 2, 8);
    expect(() => readModel(text.replace("power('coil')", "power('hinge')"))).toThrow("no force");
  });
});
