import { type Body, compile, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";
import { type Moving, stateOf } from "./support/reading.js";
import { integrated } from "./support/reference.js";
import { randomBody, vectorFrom } from "./support/scene.js";
import {
  cross,
  difference,
  minus,
  norm,
  plus,
  scaled,
  times,
  unit,
  type V3,
} from "./support/vectors.js";

// Without gravity and external forces, energy, momentum and angular momentum about any point are conserved.

/** Returns momentum, and angular momentum about a point, from the masses and inertias of the model. */
function momenta(m: Model, at: Moving, about: V3): { linear: V3; angular: V3 } {
  let [linear, angular]: [V3, V3] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (const [index, { mass, inertia: i }] of m.data().bodies.entries()) {
    const { r, v, w, R } = stateOf(at, index);
    const spin: V3 = [
      i[0] * w[0] + i[3] * w[1] + i[6] * w[2],
      i[1] * w[0] + i[4] * w[1] + i[7] * w[2],
      i[2] * w[0] + i[5] * w[1] + i[8] * w[2],
    ];
    linear = plus(linear, scaled(mass, v));
    angular = plus(angular, plus(times(R, spin), scaled(mass, cross(minus(r, about), v))));
  }
  return { linear, angular };
}

describe("a free asymmetric body", () => {
  const inertia: V3 = [0.3, 0.5, 0.7];

  test.each([
    ["about the middle axis, where it turns over", [0.01, 5, 0.02]],
    ["about the largest", [0.1, 0.2, 6]],
    ["about none of them", [3, -4, 2]],
  ] as [string, V3][])(
    "conserves energy and angular momentum when it spins %s",
    async (_, angularVelocity) => {
      const m = model({ gravity: [0, 0, 0] });
      m.body({ mass: 2, inertia, velocity: [1, 2, 3], angularVelocity });
      const simulation = (await compile(m, { hold: [] })).simulate({ step: 1e-3 });
      const before = { ...momenta(m, simulation, [0, 0, 0]), energy: simulation.energy().total };
      let turnedOver = 0;
      simulation.runTo(5, ({ v }) => {
        turnedOver = Math.min(turnedOver, v[4] / angularVelocity[1]);
      });
      const after = momenta(m, simulation, [0, 0, 0]);
      expect(difference(after.linear, before.linear)).toBeLessThan(1e-12);
      expect(difference(after.angular, before.angular)).toBeLessThan(1e-8);
      expect(Math.abs(simulation.energy().total - before.energy)).toBeLessThan(1e-8);
      if (angularVelocity[1] === 5) expect(turnedOver).toBeLessThan(-0.9);
      // Euler's equations.
      const [i1, i2, i3] = inertia;
      const wanted = integrated(
        (_t, [x, y, z]) => [
          ((i2 - i3) / i1) * y * z,
          ((i3 - i1) / i2) * z * x,
          ((i1 - i2) / i3) * x * y,
        ],
        angularVelocity,
        5,
        20000,
      );
      expect(difference(simulation.v.subarray(3), wanted)).toBeLessThan(1e-7);
    },
  );
});

type Links = (
  m: Model,
  bodies: readonly Body[],
  places: readonly { at: V3; axis: V3; other: V3 }[],
) => void;

const chains: Record<string, Links> = {
  "balls and hinges": (m, [a, b, c], [p, q]) => {
    m.spherical({ between: [a, b], at: p.at });
    m.revolute({ between: [b, c], at: q.at, axis: q.axis });
  },
  "a screw and a link": (m, [a, b, c], [p, q]) => {
    m.screw({ between: [a, b], at: p.at, axis: p.axis, pitch: 0.5 });
    m.distance({ between: [b, c], atA: q.at, atB: q.other });
  },
  "a loop": (m, [a, b, c], [p, q, r]) => {
    m.spherical({ between: [a, b], at: p.at });
    m.spherical({ between: [b, c], at: q.at });
    m.pointOnLine({ between: [c, a], at: r.at, axis: r.axis });
  },
  "wheels geared in a carrier": (m, [a, b, c], [p, q]) => {
    const first = m.revolute({ between: [a, b], at: p.at, axis: p.axis });
    const second = m.revolute({ between: [a, c], at: q.at, axis: q.axis });
    m.gear({ joints: [first, second], ratio: -1.5 });
  },
  "a rack in a carrier": (m, [a, b, c], [p, q]) => {
    const pinion = m.revolute({ between: [a, b], at: p.at, axis: p.axis });
    const rack = m.prismatic({ between: [a, c], at: q.at, axis: q.axis });
    m.rackAndPinion({ pinion, rack, radius: 0.3 });
  },
  "a ball that rolls on a body": (m, [a, b, c], [p, q]) => {
    const point = minus(p.at, scaled(0.2, p.axis));
    m.rollingSphere({
      body: b,
      centre: p.at,
      radius: 0.2,
      plane: { body: a, point, normal: p.axis },
    });
    m.planar({ between: [b, c], at: q.at, axis: q.axis });
  },
  "springs of all kinds": (m, [a, b, c], [p, q]) => {
    m.spring({ between: [a, b], atA: p.at, atB: p.other, stiffness: 20, length: 1 });
    m.bushing({ between: [b, c], at: q.at, axis: q.axis, stiffness: [9, 8, 7, 1, 2, 3] });
    const joint = m.revolute({ between: [a, c], at: p.at, axis: p.axis });
    m.torsionSpring({ joint, stiffness: 2, angle: 1 });
  },
};

describe("three bodies in space", () => {
  test.each(Object.entries(chains))("conserve momentum and energy with %s", async (_, link) => {
    const random = seeded(5);
    const m = model({ gravity: [0, 0, 0] });
    const bodies = [0, 1, 2].map(() => m.body(randomBody(random, 2)));
    const places = bodies.map(() => ({
      at: vectorFrom(random),
      axis: unit(vectorFrom(random)),
      other: vectorFrom(random),
    }));
    link(m, bodies, places);
    const system = await compile(m, { hold: [] });
    const simulation = system.simulate({ step: 1e-3 });
    const about: V3 = [1, -2, 3];
    const before = momenta(m, simulation, about);
    const { total } = simulation.energy();
    simulation.runTo(3);
    const after = momenta(m, simulation, about);
    expect(difference(simulation.q, system.q)).toBeGreaterThan(1);
    expect(norm(before.angular)).toBeGreaterThan(1);
    expect(difference(after.linear, before.linear)).toBeLessThan(1e-10);
    expect(difference(after.angular, before.angular)).toBeLessThan(1e-8);
    expect(Math.abs(simulation.energy().total - total)).toBeLessThan(1e-8);
  });

  test("exchange energy, but no momentum, with dampers and motors between them", async () => {
    const random = seeded(6);
    const m = model({ gravity: [0, 0, 0] });
    const [a, b, c] = [0, 1, 2].map(() => m.body(randomBody(random, 2)));
    const at = vectorFrom(random);
    m.spring({ between: [a, b], damping: 2, force: (_length, _rate, t) => 5 * Math.sin(3 * t) });
    m.bushing({ between: [b, c], at, damping: [1, 2, 3, 0.1, 0.2, 0.3] });
    m.tyre({ wheel: c, road: a, stiffness: 10, damping: 1, bilateral: true, height: (x) => x / 3 });
    const joint = m.cylindrical({ between: [a, c], at, axis: [0, 0, 1] });
    m.torsionSpring({ joint, torque: (_angle, _rate, t) => Math.cos(t) });
    m.driveDisplacement({ joint, displacement: (t) => 0.3 * Math.sin(2 * t) });
    const simulation = (await compile(m, { hold: [] })).simulate({ step: 1e-3 });
    const before = { ...momenta(m, simulation, [0, 1, 0]), energy: simulation.energy().total };
    simulation.runTo(2);
    const after = momenta(m, simulation, [0, 1, 0]);
    expect(Math.abs(simulation.energy().total - before.energy)).toBeGreaterThan(0.1);
    expect(difference(after.linear, before.linear)).toBeLessThan(1e-10);
    expect(difference(after.angular, before.angular)).toBeLessThan(1e-8);
  });
});
