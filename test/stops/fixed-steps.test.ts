// Rigid stops in steps of one length: impacts are located inside steps, bounces end in rest, and the grid of time stays.

import { ab3 } from "nodrift";
import { compile, defaultMethod, model, rod } from "nodrift/bodies";
import { realtime, ros3, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";

const KINDS = ["maximal", "relative"] as const;
type Kind = (typeof KINDS)[number];
const G = 9.80665;

/** A block that slides along z under gravity, over a floor at z = 0. */
async function ball(
  coordinates: Kind,
  { restitution = 0.6, height = 1, speed = 0, ceiling = Infinity, gravity = G } = {},
) {
  const m = model({ gravity: [0, 0, -gravity] });
  const block = m.body({ name: "block", mass: 2, inertia: [1, 1, 1] });
  const slide = m.prismatic({
    name: "slide",
    between: [m.ground, block],
    at: [0, 0, 0],
    axis: [0, 0, 1],
  });
  m.stop({
    name: "floor",
    joint: slide,
    lower: 0,
    ...(ceiling < Infinity && { upper: ceiling }),
    restitution,
  });
  const joints = { slide: { displacement: height, displacementRate: speed } };
  return compile(m, { coordinates, joints });
}

/** Explicit and implicit. */
const METHODS = {
  rk4: defaultMethod(),
  ros3: { formulation: stateSpace(), integrator: ros3() },
};

describe.each(KINDS)("rigid stops under fixed steps, in %s coordinates", (kind) => {
  test.each(Object.keys(METHODS) as (keyof typeof METHODS)[])(
    "bounces of a falling block are those of the closed form, and it comes to rest (%s)",
    async (name) => {
      const e = 0.6;
      const step = 1 / 240;
      const simulation = (await ball(kind)).simulate({ step, method: METHODS[name] });
      const { q } = simulation;
      const first = Math.sqrt(2 / G);
      let [time, speed] = [first, G * first];
      let count = 0;
      const last = { time: 0 };
      simulation.runTo(3, ({ impacts, time: now }) => {
        expect(now).toBe(Math.round(now / step) * step);
        for (const impact of impacts) {
          last.time = impact.time;
          if (count++ >= 20) continue;
          expect(impact.name).toBe("floor: lower");
          expect(impact.time).toBeCloseTo(time, 9);
          expect(impact.impulse).toBeCloseTo(2 * (1 + e) * speed, 8);
          speed *= e;
          time += (2 * speed) / G;
        }
        expect(simulation.joint("slide").displacement).toBeGreaterThan(-1e-9);
      });
      expect(count).toBeGreaterThan(20);
      // All bounces together take first (1 + e) / (1 - e).
      expect(last.time).toBeCloseTo((first * (1 + e)) / (1 - e), 4);
      const { displacement, displacementRate } = simulation.joint("slide");
      expect(Math.abs(displacement!)).toBeLessThan(1e-11);
      expect(Math.abs(displacementRate!)).toBeLessThan(1e-11);
      expect(simulation.joint("rest at floor: lower").driveForce).toBeCloseTo(2 * G, 8);
      expect(simulation.joint("slide").force()[2]).toBeCloseTo(0, 8);
      expect(Math.abs(simulation.accelerations()[2]!)).toBeLessThan(1e-9);
      expect(simulation.degreesOfFreedom()).toBe(0);
      // Arrays of the state held by users stay the state.
      expect(simulation.q).toBe(q);
      expect(Math.abs(q[2]!)).toBeLessThan(1e-11);
    },
  );

  test("a pendulum bounces at its lowest place as elliptic integrals say", async () => {
    const [e, length, start] = [0.7, 1, 1.1];
    const m = model({ gravity: [0, 0, -G] });
    const bar = m.body({
      name: "bar",
      mass: 1.5,
      shape: rod({ length }),
      position: [0, 0, -length / 2],
    });
    const hinge = m.revolute({
      name: "hinge",
      between: [m.ground, bar],
      at: [0, 0, 0],
      axis: [0, 1, 0],
    });
    m.stop({ name: "anvil", joint: hinge, lower: 0, restitution: e });
    const system = await compile(m, { coordinates: kind, joints: { hinge: start } });
    const simulation = system.simulate({ step: 1e-3 });
    const omega = Math.sqrt((3 * G) / (2 * length));
    const inertia = (1.5 * length * length) / 3;
    // With k = sin(amplitude / 2) a quarter of the period is K(k) / omega, and the greatest rate 2 omega k.
    let k = Math.sin(start / 2);
    let time = quarter(k) / omega;
    let count = 0;
    simulation.runTo(7, ({ impacts }) => {
      for (const impact of impacts) {
        if (count++ >= 6) continue;
        expect(impact.time).toBeCloseTo(time, 8);
        expect(impact.impulse).toBeCloseTo(inertia * (1 + e) * 2 * omega * k, 8);
        k *= e;
        time += (2 * quarter(k)) / omega;
      }
    });
    expect(count).toBeGreaterThanOrEqual(6);
  });

  test("a resting contact is released when its reaction changes sign, and the motion continues as derived", async () => {
    const m = model({ gravity: [0, 0, -G] });
    const block = m.body({ name: "block", mass: 2, inertia: [1, 1, 1] });
    const slide = m.prismatic({
      name: "slide",
      between: [m.ground, block],
      at: [0, 0, 0],
      axis: [0, 0, 1],
    });
    m.stop({ name: "floor", joint: slide, lower: 0 });
    // Lifts with 10 t^2 N: more than the weight from t = 1.4 s on.
    m.pointForce({ on: block, force: (t) => [0, 0, 10 * t * t] });
    const simulation = (await compile(m, { coordinates: kind })).simulate({ step: 0.01 });
    simulation.runTo(1);
    expect(simulation.joint("slide").displacement).toBeCloseTo(0, 14);
    expect(simulation.joint("rest at floor: lower").driveForce).toBeCloseTo(2 * G - 10, 10);
    simulation.runTo(2);
    const left = Math.sqrt((2 * G) / 10);
    const rise = (t: number) => (5 * t ** 4) / 12 - (G * t * t) / 2;
    const rate = (t: number) => (5 * t ** 3) / 3 - G * t;
    const expected = rise(2) - rise(left) - rate(left) * (2 - left);
    expect(simulation.joint("slide").displacement).toBeCloseTo(expected, 9);
    expect(simulation.joint("slide").displacementRate).toBeCloseTo(rate(2) - rate(left), 9);
    expect(() => simulation.joint("rest at floor: lower")).toThrow("no joint");
  });

  test("simultaneous impacts are resolved together: nothing tilts", async () => {
    const simulation = (await beam(kind, 0.5, 0)).simulate({ step: 1 / 100 });
    const drop = Math.sqrt(2 / G);
    const first: { name: string; time: number; impulse: number }[] = [];
    simulation.runTo(0.5, ({ impacts }) => first.push(...impacts));
    expect(first.map(({ name }) => name).sort()).toEqual(["left: lower", "right: lower"]);
    for (const { time, impulse } of first) {
      expect(time).toBeCloseTo(drop, 9);
      expect(impulse).toBeCloseTo((3.001 * 1.5 * G * drop) / 2, 6);
    }
    simulation.runTo(3);
    expect(Math.abs(simulation.joint("tilt").angle!)).toBeLessThan(1e-9);
    const pushes = ["left", "right"].map(
      (name) => simulation.joint(`rest at ${name}: lower`).driveForce!,
    );
    for (const push of pushes) expect(push).toBeCloseTo((3.001 * G) / 2, 6);
  });

  test("a beam that rocks ever faster on two stops comes to rest on both", async () => {
    const simulation = (await beam(kind, 0.3, 0.05)).simulate({ step: 1 / 240 });
    let most = 0;
    simulation.runTo(4, ({ impacts }) => {
      most = Math.max(most, impacts.length);
    });
    // Endless impacts in finite time, of which a step takes a bounded number.
    expect(most).toBeGreaterThan(3);
    expect(most).toBeLessThanOrEqual(128);
    expect(Math.abs(simulation.joint("tilt").angle!)).toBeLessThan(1e-9);
    expect(simulation.energy().kinetic).toBeLessThan(1e-18);
    const pushes = ["left", "right"].map(
      (name) => simulation.joint(`rest at ${name}: lower`).driveForce!,
    );
    expect(pushes[0]! + pushes[1]!).toBeCloseTo(3.001 * G, 6);
    expect(pushes[0]).toBeCloseTo(pushes[1]!, 6);
  });

  test("a limit that is passed and left inside one step causes an impact", async () => {
    // Thrown up at 1 m/s it would rise to 0.051 m, in the middle of a step of 0.16 s; the ceiling is at 0.05 m.
    const system = await ball(kind, { height: 1e-3, speed: 1, ceiling: 0.05, restitution: 1 });
    const simulation = system.simulate({ step: 0.16 });
    simulation.advance();
    const [impact, ...others] = simulation.impacts;
    expect(others).toEqual([]);
    expect(impact?.name).toBe("floor: upper");
    const up = Math.sqrt(1 - 2 * G * 0.049);
    expect(impact?.time).toBeCloseTo((1 - up) / G, 10);
    expect(impact?.impulse).toBeCloseTo(-2 * 2 * up, 10);
  });

  test("between two walls with restitution 1 a pendulum keeps its energy over many impacts", async () => {
    const m = model({ gravity: [0, 0, -G] });
    const bar = m.body({ name: "bar", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
    const hinge = m.revolute({
      name: "hinge",
      between: [m.ground, bar],
      at: [0, 0, 0],
      axis: [0, 1, 0],
    });
    m.stop({ name: "walls", joint: hinge, lower: -0.2, upper: 0.3, restitution: 1 });
    const start = { hinge: { angle: 0.1, angleRate: 3 } };
    const simulation = (await compile(m, { coordinates: kind, joints: start })).simulate({
      step: 1e-3,
    });
    const { total } = simulation.energy();
    let count = 0;
    simulation.runTo(10, ({ impacts }) => {
      count += impacts.length;
    });
    expect(count).toBeGreaterThan(30);
    expect(simulation.energy().total).toBeCloseTo(total, 8);
  });
});

/** A beam over two stops, turned by an angle. */
async function beam(coordinates: Kind, restitution: number, angle: number) {
  const m = model({ gravity: [0, 0, -G] });
  const bar = m.body({ name: "beam", mass: 3, inertia: [1, 1, 1], position: [0, 0, 1] });
  const cart = m.body({
    name: "cart",
    mass: 1e-3,
    inertia: [1e-3, 1e-3, 1e-3],
    position: [0, 0, 1],
  });
  m.prismatic({ name: "lift", between: [m.ground, cart], at: [0, 0, 1], axis: [0, 0, 1] });
  m.revolute({ name: "tilt", between: [cart, bar], at: [0, 0, 1], axis: [0, 1, 0] });
  const far = [-1, 1].map((x) => m.ground.marker({ at: [x, 0, -40] }));
  const ends = [-1, 1].map((x) => bar.marker({ at: [x, 0, 0] }));
  m.stop({ name: "left", between: [far[0]!, ends[0]!], lower: 40, restitution });
  m.stop({ name: "right", between: [far[1]!, ends[1]!], lower: 40, restitution });
  return compile(m, { coordinates, joints: { tilt: angle } });
}

/** K(k) by the arithmetic-geometric mean. */
function quarter(k: number): number {
  let [a, b] = [1, Math.sqrt(1 - k * k)];
  for (let i = 0; i < 8; i++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

describe("rigid stops of a running simulation", () => {
  test("bouncing and resting motions can be saved, replayed and rewound bitwise identically", async () => {
    for (const kind of KINDS) {
      const system = await ball(kind, { restitution: 0.5 });
      const simulation = system.simulate({ step: 1 / 240 });
      simulation.advance(50);
      const recording = simulation.record({ every: 60 });
      simulation.advance(100);
      simulation.push("block", { force: [0, 0, 200], for: 0.05 });
      simulation.advance(800);
      const carried = simulation.joint("rest at floor: lower").driveForce;
      expect(carried).toBeCloseTo(2 * G, 8);
      const saved = structuredClone(simulation.save());
      simulation.push("block", { force: [0, 0, 50], for: 0.05 });
      simulation.advance(150);
      const end = [...simulation.q, ...simulation.v];
      const other = system.simulate({ step: 1 / 240 }).replay(structuredClone(recording.stop()));
      expect([...other.q, ...other.v]).toEqual(end);
      const later = system.simulate({ step: 1 / 240 });
      later.restore(saved);
      expect(later.joint("rest at floor: lower").driveForce).toBe(carried);
      later.push("block", { force: [0, 0, 50], for: 0.05 });
      later.advance(150);
      expect([...later.q, ...later.v]).toEqual(end);
    }
  });

  test("a recording is rewound into and out of a resting contact", async () => {
    const simulation = (await ball("maximal", { restitution: 0.5 })).simulate({ step: 1 / 240 });
    const recording = simulation.record({ every: 100 });
    const states: number[][] = [];
    for (let i = 0; i < 600; i++) {
      simulation.advance();
      states.push([...simulation.q, ...simulation.v]);
    }
    for (const steps of [590, 410, 130]) {
      recording.rewind((steps + 0.5) / 240);
      expect([...simulation.q, ...simulation.v]).toEqual(states[steps - 1]);
    }
    simulation.advance(470);
    expect([...simulation.q, ...simulation.v]).toEqual(states.at(-1));
  });

  test("a resting body falls to a newly set limit; locks and grips act during resting contact", async () => {
    const simulation = (await ball("maximal", { restitution: 0 })).simulate({ step: 1 / 240 });
    simulation.runTo(1);
    expect(simulation.joint("slide").displacement).toBeCloseTo(0, 11);
    simulation.set("floor", { lower: -0.5 });
    simulation.runTo(2);
    expect(simulation.joint("slide").displacement).toBeCloseTo(-0.5, 11);
    expect(simulation.joint("rest at floor: lower").driveForce).toBeCloseTo(2 * G, 8);
    simulation.set("block", { mass: 5 });
    simulation.advance();
    expect(simulation.joint("rest at floor: lower").driveForce).toBeCloseTo(5 * G, 8);
    simulation.lock("slide");
    simulation.set("floor", { lower: -1 });
    simulation.runTo(3);
    expect(simulation.joint("slide").displacement).toBeCloseTo(-0.5, 11);
    simulation.unlock("slide");
    simulation.runTo(4);
    expect(simulation.joint("slide").displacement).toBeCloseTo(-1, 11);
    const grip = simulation.grab("block", [0, 0, 0]);
    grip.moveTo([0, 0, -2]);
    simulation.runTo(4.5);
    expect(simulation.joint("slide").displacement).toBeCloseTo(-1, 11);
    expect(simulation.joint("rest at floor: lower").driveForce).toBeGreaterThan(5 * G + 1);
    grip.moveTo([0, 0, 0.5]);
    simulation.runTo(6);
    expect(simulation.joint("slide").displacement).toBeGreaterThan(0.2);
    grip.release();
    simulation.setCoordinates({ slide: 1 });
    simulation.advance();
    expect(() => simulation.joint("rest at floor: lower")).toThrow("no joint");
  });

  test("a motor against a stop: the stop carries its torque, and releases it when the torque reverses", async () => {
    const m = model({ gravity: [0, 0, 0] });
    const arm = m.body({ name: "arm", mass: 1, inertia: [1, 1, 1] });
    const hinge = m.revolute({
      name: "hinge",
      between: [m.ground, arm],
      at: [0, 0, 0],
      axis: [0, 0, 1],
    });
    m.motor({ name: "M", joint: hinge, mode: "torque", target: 5 });
    m.stop({ name: "end", joint: hinge, upper: 1 });
    const simulation = (await compile(m)).simulate({ step: 0.01 });
    simulation.runTo(2);
    expect(simulation.joint("rest at end: upper").driveForce).toBeCloseTo(-5, 10);
    simulation.motor("M").target = -5;
    simulation.runTo(2.5);
    expect(simulation.joint("hinge").angle).toBeCloseTo(1 - 2.5 * 0.25, 9);
  });

  test("multistep methods restart at an impact", async () => {
    const method = { ...defaultMethod(), integrator: ab3() };
    const simulation = (await ball("maximal")).simulate({ step: 1 / 240, method });
    simulation.advance(100);
    const free = (await ball("maximal")).without("floor").simulate({ step: 1 / 240, method });
    free.advance(100);
    // Before the first impact, at 0.45 s, stops change no bit of the motion.
    expect(simulation.v[2]).toBe(free.v[2]);
    simulation.runTo(4);
    expect(simulation.joint("rest at floor: lower").driveForce).toBeCloseTo(2 * G, 8);
  });

  test("a nearly elastic bounce comes to rest when closed forms say so, and the impacts of a step are bounded", async () => {
    const e = 0.98;
    const simulation = (await ball("maximal", { restitution: e, height: 0.02 })).simulate({
      step: 1 / 120,
    });
    let [last, most] = [0, 0];
    simulation.runTo(9, ({ impacts, time }) => {
      if (impacts.length > 0) last = time;
      most = Math.max(most, impacts.length);
    });
    // If a step has 16 flights, one takes a sixteenth of it, and all that follow 50 times as long.
    expect(last).toBeGreaterThan((Math.sqrt(0.04 / G) * (1 + e)) / (1 - e) - 4 / 120);
    expect(last).toBeLessThan((Math.sqrt(0.04 / G) * (1 + e)) / (1 - e) + 1 / 120);
    expect(most).toBeLessThanOrEqual(64);
    expect(simulation.joint("rest at floor: lower").driveForce).toBeCloseTo(2 * G, 8);
  });

  test("realtime takes models with rigid stops", async () => {
    const loop = realtime(await ball("maximal", { restitution: 0.4 }));
    for (let i = 0; i < 180; i++) loop.advance(1 / 60);
    expect(loop.simulation.joint("slide").displacement).toBeCloseTo(0, 11);
    expect(loop.simulation.joint("rest at floor: lower").driveForce).toBeCloseTo(2 * G, 8);
  });

  test("a state beyond a limit is rejected by name, and the state before the step stays", async () => {
    const low = await ball("maximal", { height: -0.2 });
    expect(() => low.simulate({ step: 1e-3 })).toThrow('stop "floor"');
    const simulation = (await ball("maximal")).simulate({ step: 1e-3 });
    simulation.set("floor", { lower: 1.5 });
    expect(() => simulation.advance()).toThrow('stop "floor"');
    expect(simulation.joint("slide").displacement).toBe(1);
    simulation.set("floor", { lower: 0 });
    simulation.advance();
    expect(simulation.time).toBe(1e-3);
  });

  test("rattling between close stops does not come to rest: the step fails with the name of the stop", async () => {
    const given = { height: 5e-5, speed: 10, ceiling: 1e-4, restitution: 1, gravity: 0 };
    const simulation = (await ball("maximal", given)).simulate({ step: 4e-3 });
    const before = [...simulation.q, ...simulation.v];
    expect(() => simulation.advance()).toThrow(/stop "floor".*shorter steps/);
    expect([...simulation.q, ...simulation.v]).toEqual(before);
    simulation.setStep(2e-5);
    simulation.advance(200);
    expect(Math.abs(simulation.joint("slide").displacementRate!)).toBeCloseTo(10, 9);
  });
});
