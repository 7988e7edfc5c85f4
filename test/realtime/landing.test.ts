// Forces that do not act initially: the method of a realtime loop has to be stable when they do, and no step may fail.

import { compile, type Model, model } from "nodrift/bodies";
import { hmmwv } from "nodrift/mechanisms";
import { realtime, ros3, solve, stateSpace } from "nodrift/solve";
import { describe, expect, it } from "vitest";
import { seeded } from "../support/random.js";

const GRAVITY = 9.81;
/** Position at which the force begins. */
const CONTACT_HEIGHT = 0.3;

interface Landing {
  readonly mass: number;
  readonly stiffness: number;
  readonly damping: number;
  readonly height: number;
}

/** A body that falls freely or along a slide, and the force that stops it. */
function falling({ mass, height }: Landing, slides: boolean) {
  const m = model({ name: "landing", gravity: [0, 0, -GRAVITY] });
  const body = m.body({
    name: "body",
    mass,
    inertia: [mass, mass, mass],
    position: [0, 0, height],
  });
  if (slides)
    m.prismatic({ name: "slide", between: [m.ground, body], at: [0, 0, 0], axis: [0, 0, 1] });
  return { m, body };
}

const KINDS: Readonly<Record<string, (landing: Landing, slides: boolean) => Model>> = {
  tyre(landing, slides) {
    const { m, body } = falling(landing, slides);
    const { stiffness, damping } = landing;
    m.tyre({ wheel: body, radius: CONTACT_HEIGHT, stiffness, damping });
    return m;
  },
  "tyre on a road by a function"(landing, slides) {
    const { m, body } = falling(landing, slides);
    const { stiffness, damping } = landing;
    m.tyre({
      wheel: body,
      radius: CONTACT_HEIGHT,
      stiffness,
      damping,
      height: (x) => 0.01 * Math.sin(x),
    });
    return m;
  },
  stop(landing) {
    const { m, body } = falling(landing, false);
    const { stiffness, damping, height } = landing;
    const joint = m.prismatic({ between: [m.ground, body], at: [0, 0, height], axis: [0, 0, 1] });
    const lower = CONTACT_HEIGHT - height;
    // Hunt and Crossley, with the same damping as the others at the depth that carries the weight.
    const rest = (landing.mass * GRAVITY) / stiffness;
    m.stop({ joint, lower, stiffness, exponent: 1, damping: damping / (stiffness * rest) });
    return m;
  },
  "spring that only pushes, by a function"(landing, slides) {
    const { m, body } = falling(landing, slides);
    const { stiffness, damping, height } = landing;
    m.spring({
      between: [m.ground, body],
      atA: [0, 0, -1],
      atB: [0, 0, height],
      force: (s, rate) =>
        s < 1 + CONTACT_HEIGHT
          ? Math.max(0, stiffness * (1 + CONTACT_HEIGHT - s) - damping * rate)
          : 0,
    });
    return m;
  },
  "spring that only pushes, by a formula"(landing, slides) {
    const { m, body } = falling(landing, slides);
    const { stiffness, damping, height } = landing;
    const force = `max(0, ${stiffness} * (${1 + CONTACT_HEIGHT} - length) - ${damping} * rate)`;
    m.spring({
      between: [m.ground, body],
      atA: [0, 0, -1],
      atB: [0, 0, height],
      force: `if(length < ${1 + CONTACT_HEIGHT}, ${force}, 0)`,
    });
    return m;
  },
  "force of the user"(landing, slides) {
    const { m, body } = falling(landing, slides);
    const { stiffness, damping } = landing;
    m.userForce({
      bodies: [body],
      apply: ([motion], [load]) => {
        const z = motion!.position[2];
        if (z >= CONTACT_HEIGHT) return;
        load!.force[2] += Math.max(
          0,
          stiffness * (CONTACT_HEIGHT - z) - damping * motion!.velocity[2],
        );
      },
    });
    return m;
  },
};

describe.each(Object.entries(KINDS))(
  "realtime with %s that is reached only during the motion",
  (_, make) => {
    it.each([0, 1, 2, 3, 4, 5])("brings a body to rest: %d", async (seed) => {
      const any = seeded(100 + seed);
      const random = () => (any() + 1) / 2;
      const mass = 10 ** (2 * random());
      const stiffness = 10 ** (4 + 4 * random());
      const damping = (0.2 + 0.6 * random()) * Math.sqrt(stiffness * mass);
      const landing = { mass, stiffness, damping, height: 0.5 + random() };
      const loop = realtime(await compile(make(landing, seed % 2 === 0)), { step: 1 / 240 });
      for (let i = 0; i < 240; i++) loop.advance(1 / 60);
      const rest = CONTACT_HEIGHT - (mass * GRAVITY) / stiffness;
      expect(Math.abs(loop.simulation.q[2]! - rest), loop.simulation.method).toBeLessThan(2e-3);
      expect(Math.abs(loop.simulation.v[2]!)).toBeLessThan(2e-2);
    });
  },
);

it("realtime uses explicit steps for a soft landing", async () => {
  const landing = { mass: 20, stiffness: 1e4, damping: 200, height: 1 };
  for (const [name, make] of Object.entries(KINDS)) {
    const { method } = realtime(await compile(make(landing, true))).simulation;
    expect(method, name).toContain("rk4");
  }
});

describe("realtime with friction that slides initially, and a motor at its limit", () => {
  const sliding = () => {
    const m = model({ gravity: [0, 0, 0] });
    const body = m.body({ name: "b", mass: 2, inertia: [1, 1, 1], velocity: [1, 0, 0] });
    return { m, joint: m.prismatic({ between: [m.ground, body], at: [0, 0, 0], axis: [1, 0, 0] }) };
  };

  it("comes to rest where Coulomb's law predicts", async () => {
    const { m, joint } = sliding();
    m.friction({ joint, coulomb: 3 });
    const loop = realtime(await compile(m));
    expect(loop.simulation.method).toContain("ros3");
    for (let i = 0; i < 120; i++) loop.advance(1 / 60);
    expect(loop.simulation.q[0]).toBeCloseTo((2 * 1) / (2 * 3), 2);
  });

  it("accounts for stiff gains although the motor is still at its limit", async () => {
    const { m, joint } = sliding();
    const gains = { stiffness: 1e7, damping: 1e4, maximumTorque: 1 };
    m.motor({ joint, mode: "position", target: 5, ...gains });
    expect(realtime(await compile(m)).simulation.method).toContain("ros3");
  });
});

describe("realtime with ros3", () => {
  it.each([120, 60, 30, 20])("never fails on the HMMWV, at %d Hz", async (rate) => {
    for (const coordinates of ["maximal", "relative"] as const) {
      const vehicle = await compile(hmmwv(), { coordinates });
      const wanted = solve(vehicle, { span: [0, 2], tolerance: 1e-5, output: "ends" }).end;
      const method = { formulation: stateSpace(), integrator: ros3() };
      const simulation = vehicle.simulate({ step: 1 / rate, method }).runTo(2);
      const { divided, parts } = simulation.division;
      expect(Math.abs(simulation.q[2]! - wanted.q[2]!)).toBeLessThan(5e-3);
      expect(simulation.constraintError().position).toBeLessThan(1e-9);
      expect(parts).toBeGreaterThanOrEqual(2 * divided);
      expect(simulation.time).toBeCloseTo(2, 12);
    }
  });

  it("divides no step that it resolves", async () => {
    const vehicle = await compile(hmmwv(), { coordinates: "relative" });
    const method = { formulation: stateSpace(), integrator: ros3() };
    const { division } = vehicle.simulate({ step: 1 / 240, method }).runTo(1);
    expect(division).toEqual({ divided: 0, parts: 0, damped: 0 });
  });
});
