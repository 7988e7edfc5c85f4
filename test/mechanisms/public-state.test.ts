// Fixed steps of methods that integrate other coordinates: the public state is that of the plain system.

import { init, type Method, projection, rk4, simulate, udwadiaKalaba, welch } from "nodrift";

import { realtime } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import { apart, bothArms } from "../support/hidden-arms.js";
import { bothKinds, simulateHidden } from "../support/hidden-coordinates.js";

beforeAll(() => init());

const STATE_TOLERANCE = 1e-11;
const method: Method = {
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator: rk4(),
};

async function both(step = 1e-3) {
  const { plain, hidden } = await bothArms();
  return {
    plain: plain.simulate({ step, method }),
    hidden: simulateHidden(hidden, { step, method }),
  };
}

describe("public state of a run in other coordinates", () => {
  test("matches initially, and live views match after steps, callbacks and short last steps", async () => {
    const { plain, hidden } = await both();
    const { q, v } = hidden;
    expect(apart(q, plain.q)).toBeLessThan(STATE_TOLERANCE);
    expect(apart(v, plain.v)).toBeLessThan(STATE_TOLERANCE);
    plain.advance(200);
    hidden.advance(200);
    expect(q).toBe(hidden.q);
    expect(apart(q, plain.q)).toBeLessThan(STATE_TOLERANCE);
    expect(apart(v, plain.v)).toBeLessThan(STATE_TOLERANCE);
    const seen: number[][] = [];
    plain.runTo(0.2504, (each) => seen.push([...each.q, ...each.v]));
    let count = 0;
    hidden.runTo(0.2504, () => {
      expect(apart([...q, ...v], seen[count++]!)).toBeLessThan(STATE_TOLERANCE);
    });
    expect(count).toBe(51);
    hidden.runTo(0.3);
    expect(apart(q, plain.runTo(0.3).q)).toBeLessThan(STATE_TOLERANCE);
  });

  test("includes bodies, joints, unwrapped angles and queries about the state", async () => {
    const { plain, hidden } = await both();
    plain.runTo(0.5);
    hidden.runTo(0.5);
    expect(Math.abs(plain.joint("elbow").angle!)).toBeGreaterThan(2 * Math.PI);
    expect(hidden.joint("elbow").angle).toBeCloseTo(plain.joint("elbow").angle!, 9);
    expect(apart(hidden.unwrappedAngles, plain.unwrappedAngles)).toBeLessThan(1e-9);
    expect(
      apart(hidden.body("lower").point([0, 0, 1]), plain.body("lower").point([0, 0, 1])),
    ).toBeLessThan(1e-9);
    expect(apart(hidden.joint("elbow").force(), plain.joint("elbow").force())).toBeLessThan(1e-7);
    for (const what of [
      "accelerations",
      "multipliers",
      "phi",
      "phiDot",
      "constraintForces",
    ] as const) {
      expect(apart(hidden[what](), plain[what]()), what).toBeLessThan(1e-7);
    }
    const { constraints } = await bothArms().then((each) => each.plain.system());
    const names = constraints.rowNames.slice(1, 3);
    expect(apart(hidden.constraintForces(names), plain.constraintForces(names))).toBeLessThan(1e-7);
    expect(() => hidden.constraintForces(["ghost"])).toThrow(constraints.rowNames.join(", "));
    expect(hidden.energy().total).toBeCloseTo(plain.energy().total, 8);
    expect(hidden.constraintError().position).toBeLessThan(1e-12);
    expect(hidden.rank()).toBe(plain.rank());
    expect(hidden.degreesOfFreedom()).toBe(2);
    expect(hidden.rigidBodies!.map(({ name }) => name)).toEqual(["upper", "lower"]);
    expect(hidden.momentum()[0]).toBeCloseTo(plain.momentum()[0], 8);
  });

  test("leads to the same assembled state, with the same correction, if it is set", async () => {
    const { plain, hidden } = await both();
    const q = Float64Array.from(plain.q);
    const v = Float64Array.from(plain.v);
    q[0]! += 0.05;
    q[9]! -= 0.03;
    v[2]! += 0.4;
    plain.setState(q, v, { time: 2, unwrappedAngles: { elbow: 4 * Math.PI } });
    hidden.setState(q, v, { time: 2, unwrappedAngles: { elbow: 4 * Math.PI } });
    expect(hidden.time).toBe(2);
    expect(apart(hidden.q, plain.q)).toBeLessThan(STATE_TOLERANCE);
    expect(apart(hidden.v, plain.v)).toBeLessThan(STATE_TOLERANCE);
    expect(hidden.joint("elbow").angle).toBeCloseTo(plain.joint("elbow").angle!, 10);
    const [own, other] = [hidden.correction, plain.correction];
    expect(Object.keys(own.positions)).toEqual(Object.keys(other.positions));
    expect(apart(Object.values(own.positions), Object.values(other.positions))).toBeLessThan(
      STATE_TOLERANCE,
    );
    expect(apart(Object.values(own.velocities), Object.values(other.velocities))).toBeLessThan(
      STATE_TOLERANCE,
    );
    expect(Math.abs(own.positions["upper x"]!)).toBeGreaterThan(1e-3);
    expect(apart(hidden.advance(50).q, plain.advance(50).q)).toBeLessThan(STATE_TOLERANCE);
  });

  test("must fit the joints if set as given; otherwise the state does not change", async () => {
    const { plain, hidden } = await both();
    plain.advance(30);
    hidden.advance(30);
    const q = Float64Array.from(hidden.q);
    const [before, { unwrappedAngles }] = [[...hidden.q, ...hidden.v], hidden];
    hidden.setState(q, hidden.v.slice(), "asGiven");
    // Euler parameters are normalised again.
    expect(apart([...hidden.q, ...hidden.v], before)).toBeLessThan(1e-15);
    hidden.setState(
      q.map((x, i) => (i > 2 && i < 7 ? 2 * x : x)),
      hidden.v.slice(),
      "asGiven",
    );
    expect(apart([...hidden.q, ...hidden.v], before)).toBeLessThan(1e-15);
    const given = [...hidden.q, ...hidden.v];
    q[0]! += 1e-6;
    expect(() => hidden.setState(q, hidden.v.slice(), "asGiven")).toThrow(
      /arm: the given state does not fit the joints at t = 0.03: it is off by up to 1.00e-6. Use start: "assemble"/,
    );
    expect([...hidden.q, ...hidden.v]).toEqual(given);
    expect(hidden.unwrappedAngles).toEqual(unwrappedAngles);
    q[0] = 1e9;
    expect(() => hidden.setState(q, hidden.v.slice())).toThrow(/projection found no consistent/);
    expect([...hidden.q, ...hidden.v]).toEqual(given);
    expect(apart(hidden.advance(20).q, plain.advance(20).q)).toBeLessThan(1e-10);
  });

  test("continues with the same bits after save and restore", async () => {
    const { hidden } = await both();
    hidden.advance(20);
    const saved = structuredClone(hidden.save());
    const { q } = hidden;
    const shown = [...q];
    hidden.energy();
    const end = [...hidden.advance(40).q];
    hidden.restore(saved);
    expect([...q]).toEqual(shown);
    expect([...hidden.advance(40).q]).toEqual(end);
    const again = (await both()).hidden;
    again.restore(saved);
    expect([...again.q]).toEqual(shown);
    expect([...again.advance(40).q]).toEqual(end);
  });

  test("returns to that before a failed step", async () => {
    let isBroken = false;
    const { hidden } = await bothKinds("fails", (m, bodies) => {
      const { ball } = bodies([{ name: "ball", mass: 1, inertia: [1, 1, 1] }]);
      m.userForce({
        bodies: [ball!],
        apply: ([{ position }]) => {
          if (isBroken && position[2]! < -0.05) throw new Error("too low");
        },
      });
    });
    const simulation = simulateHidden(hidden, { step: 1e-2, method });
    isBroken = true;
    expect(() => simulation.advance(100)).toThrow("too low");
    expect(simulation.time).toBeGreaterThan(0.05);
    expect(simulation.q[2]).toBeCloseTo((-9.81 * simulation.time ** 2) / 2, 10);
    const shown = simulation.q[2]!;
    expect(() => simulation.runTo(1)).toThrow("too low");
    expect(simulation.q[2]).toBe(shown);
  });

  test("moves continuously in realtime", async () => {
    const { plain, hidden } = await both(1e-2);
    const loops = [realtime(plain), realtime(hidden)] as const;
    for (const loop of loops) loop.advance(0.084);
    expect(apart(loops[1].q, loops[0].q)).toBeLessThan(STATE_TOLERANCE);
    expect(loops[1].q.length).toBe(14);
    const matrices = loops.map((loop) => loop.matrix("lower", new Float64Array(16)));
    expect(apart(matrices[1]!, matrices[0]!)).toBeLessThan(STATE_TOLERANCE);
  });

  test("starts a simulation, at rest without velocities", async () => {
    const { plain, hidden } = await bothArms();
    const q = plain.q;
    const [one, other] = [plain, hidden].map((source) =>
      simulate(source, { method, step: 1e-3, q }),
    );
    expect([...other!.v].every((value) => Math.abs(value) < 1e-12)).toBe(true);
    expect(apart(other!.advance(100).q, one!.advance(100).q)).toBeLessThan(STATE_TOLERANCE);
    expect(() => simulate(hidden, { method, step: 1e-3, q: [1] })).toThrow(
      "q has 1 numbers; the system has 14 coordinates",
    );
  });

  test("serves coupled methods, with its multipliers", async () => {
    const { plain, hidden } = await bothArms();
    const options = { method: { coupled: welch() }, step: 1e-3, q: plain.q };
    const [one, other] = [plain, hidden].map((source) => simulate(source, options).advance(5));
    expect(other!.stepMultipliers()).toEqual(one!.stepMultipliers());
    expect(other!.multipliers().length).toBe(10);
  });
});
