import { compile, model, sphere } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { stateOf } from "./support/reading.js";
import { integrated } from "./support/reference.js";
import { difference, norm, type V3 } from "./support/vectors.js";

const G = 9.81;
const ball = { mass: 2, shape: sphere({ radius: 0.1 }) };

describe("constraint", () => {
  /** Returns x'' of a bead on z = a x^2 without friction. */
  const parabola =
    (a: number, gravity: number) =>
    (_: number, [x, u]: readonly number[]) => {
      const slope = 2 * a * x;
      return [u, -(slope * (gravity + 2 * a * u * u)) / (1 + slope * slope)];
    };

  test.each([
    ["metres", 1],
    ["millimetres", 1e3],
    ["something of micrometres", 1e-6],
  ])("holds a bead on a parabola, in %s", async (_, unit) => {
    const m = model({ gravity: [0, 0, -G * unit] });
    const shape = sphere({ radius: 0.1 * unit });
    const bead = m.body({ mass: 2, shape, position: [unit, 0, 1.5 * unit] });
    m.constraint({
      bodies: [bead],
      rows: ["wire", "side"],
      value: ([
        {
          position: [x, y, z],
        },
      ]) => [z - (1.5 * x * x) / unit, y],
    });
    const simulation = (await compile(m)).simulate({ step: 2e-3 }).runTo(2);
    const [x] = integrated(parabola(1.5, G), [1, 0], 2, 20000);
    const { r } = stateOf(simulation, bead);
    expect(difference(r, [x * unit, 0, 1.5 * x * x * unit])).toBeLessThan(1e-7 * unit);
  });

  test.each([
    ["metres", 1],
    ["something of micrometres", 1e-6],
  ])("holds a link given by its root, in %s", async (_, unit) => {
    const motion = async (own: boolean) => {
      const m = model({ gravity: [0, 0, -G * unit] });
      const body = m.body({
        mass: 2,
        inertia: [0.3, 0.4, 0.5].map((moment) => moment * unit ** 2) as unknown as V3,
        position: [unit, 0, 0],
        angularVelocity: [1, 2, 3],
      });
      const arm = [0.2 * unit, 0.1 * unit, -0.3 * unit];
      const end: V3 = [unit + arm[0], arm[1], arm[2]];
      if (!own) m.distance({ between: [m.ground, body], atB: end });
      else {
        m.constraint({
          bodies: [body],
          rows: ["length"],
          value: ([{ position: p, rotation: r }], out) => {
            const at = (i: number) => p[i] + r[i] * arm[0] + r[3 + i] * arm[1] + r[6 + i] * arm[2];
            out[0] = Math.hypot(at(0), at(1), at(2)) - norm(end);
          },
        });
      }
      const simulation = (await compile(m)).simulate({ step: 2e-3 }).runTo(1);
      const { r, R, omega } = stateOf(simulation, body);
      return [...r.map((x) => x / unit), ...R.flat(), ...omega];
    };
    expect(difference(await motion(true), await motion(false))).toBeLessThan(1e-8);
  });

  test.each([1, 10, 50])("moves a body by a wall that oscillates at %d Hz", async (frequency) => {
    const w = 2 * Math.PI * frequency;
    const m = model();
    const body = m.body({ ...ball, velocity: [0, 3, 0] });
    m.constraint({
      bodies: [body],
      rows: ["wall"],
      value: ([{ position }], _out, t) => [position[2] - 0.01 * Math.sin(w * t)],
    });
    const simulation = (await compile(m, { hold: [] })).simulate({ step: 1e-3 });
    let [place, speed, force] = [0, 0, 0];
    simulation.runTo(0.2, (now) => {
      const { r, v } = stateOf(now, body);
      const t = now.time;
      place = Math.max(place, Math.abs(r[2] - 0.01 * Math.sin(w * t)));
      speed = Math.max(speed, Math.abs(v[2] - 0.01 * w * Math.cos(w * t)));
      const wanted = 2 * (G - 0.01 * w * w * Math.sin(w * t));
      force = Math.max(force, Math.abs(now.multipliers()[0] - wanted));
    });
    expect(place).toBeLessThan(1e-12);
    expect(speed).toBeLessThan(1e-9 * w);
    expect(force).toBeLessThan(1e-7 * w * w);
  });
});

describe("user functions that fail during a run", () => {
  const kinds: [string, (fails: () => boolean) => Parameters<typeof compile>[0], string][] = [
    [
      "a row",
      (fails) => {
        const m = model({ name: "own" });
        const bead = m.body({ ...ball, name: "bead" });
        m.constraint({
          name: "wire",
          bodies: [bead],
          rows: ["height"],
          value: ([{ position }], out) => {
            out[0] = fails() ? Number.NaN : position[2];
          },
        });
        return m;
      },
      'constraint "wire": row "height" is NaN at t = 0.1',
    ],
    [
      "a force",
      (fails) => {
        const m = model({ name: "own" });
        const bead = m.body({ ...ball, name: "bead" });
        m.userForce({
          name: "wind",
          bodies: [bead],
          apply: (_, [{ force }]) => {
            force[0] += fails() ? Number.NaN : 1;
          },
        });
        return m;
      },
      'userForce "wind": apply gave "bead" the force [NaN, 0, 0] and the torque [0, 0, 0] at t = 0.1',
    ],
    [
      "a law",
      (fails) => {
        const m = model({ name: "own" });
        const bead = m.body({ ...ball, name: "bead", position: [1, 0, 0] });
        m.spring({
          name: "muscle",
          between: [m.ground, bead],
          force: () => (fails() ? Number.NaN : 1),
        });
        return m;
      },
      'spring "muscle": force gave NaN at t = 0.1',
    ],
    [
      "a road",
      (fails) => {
        const m = model({ name: "own" });
        const wheel = m.body({ ...ball, name: "wheel" });
        m.tyre({ name: "front", wheel, stiffness: 100, height: () => (fails() ? Number.NaN : 0) });
        return m;
      },
      'tyre "front": height gave NaN at t = 0.',
    ],
    [
      "anything that throws",
      (fails) => {
        const m = model({ name: "own" });
        const wheel = m.body({ ...ball, name: "wheel" });
        m.torque({
          on: wheel,
          torque: () => {
            if (fails()) throw new RangeError("out of fuel");
            return [0, 1, 0];
          },
        });
        return m;
      },
      "out of fuel",
    ],
  ];

  test.each(kinds)(
    "%s: is reported, and the run continues from the state before",
    async (_, make, message) => {
      let isBroken = false;
      let calls = 0;
      // The failure occurs inside the step, not at its beginning.
      const m = make(() => isBroken && calls++ > 2);
      const system = await compile(m);
      const simulation = system.simulate({ step: 1e-3 }).runTo(0.1);
      const [q, v] = [simulation.q.slice(), simulation.v.slice()];
      const before = {
        forces: simulation.constraintForces(),
        accelerations: simulation.accelerations(),
      };
      isBroken = true;
      let reported = "";
      try {
        simulation.advance();
      } catch (error) {
        reported = (error as Error).message;
      }
      expect(reported.startsWith(message)).toBe(true);
      isBroken = false;
      expect(simulation.time).toBeCloseTo(0.1, 12);
      expect([...simulation.q]).toEqual([...q]);
      expect([...simulation.v]).toEqual([...v]);
      expect([...simulation.constraintForces()]).toEqual([...before.forces]);
      expect([...simulation.accelerations()]).toEqual([...before.accelerations]);
      const other = system.simulate({ step: 1e-3 }).runTo(0.2);
      expect([...simulation.runTo(0.2).q]).toEqual([...other.q]);
    },
  );
});
