import { type BodySimulation, compile, model, rod } from "nodrift/bodies";
import { describe, expect, it } from "vitest";
import { seeded } from "../support/random.js";

function arm() {
  const m = model({ name: "arm" });
  const k = m.parameter("k", 20);
  const a = m.body({ name: "a", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
  const b = m.body({ name: "b", mass: 1, shape: rod({ length: 1 }), position: [0, 0, -1.5] });
  m.revolute({ name: "hip", between: [m.ground, a], at: [0, 0, 0], axis: [0, 1, 0] });
  m.revolute({ name: "knee", between: [a, b], at: [0, 0, -1], axis: [0, 1, 0] });
  m.spring({ name: "s", between: [m.ground, b], atA: [1, 0, -1], stiffness: k, damping: 1 });
  return m;
}

const live = async () => (await compile(arm())).simulate({ step: 1 / 240 });

/** Performs random actions for some steps. */
function play(simulation: BodySimulation, seed: number, rounds: number): void {
  const random = seeded(seed);
  let grip: ReturnType<BodySimulation["grab"]> | undefined;
  for (let i = 0; i < rounds; i++) {
    const which = Math.floor(4 * (random() + 1));
    if (which === 0) simulation.set({ k: 20 + 10 * random() });
    if (which === 1) simulation.set("a", { mass: 1.5 + random() });
    if (which === 2) simulation.push("b", { force: [5 * random(), 0, 0], for: 0.1 });
    if (which === 3 && grip === undefined) grip = simulation.grab("b", [0, 0, -0.5]);
    if (which === 4) grip?.moveTo([random(), 0, random() - 1]);
    if (which === 5 && grip) {
      grip.release();
      grip = undefined;
    }
    if (which === 6) simulation.set("s", { damping: 2 + random() });
    if (which === 7 && i % 5 === 0) simulation.setState(simulation.q, simulation.v);
    if (i === 10) simulation.runTo(simulation.time + 0.01);
    simulation.advance(1 + Math.floor(10 * (random() + 1)));
  }
}

describe("record", () => {
  it("replays with the same bits, after a clone", async () => {
    const one = await live();
    const recording = one.record({ every: 50, snapshots: 4 });
    play(one, 3, 60);
    const run = structuredClone(recording.stop());
    expect(recording.isOn).toBe(false);
    const other = (await live()).replay(run);
    expect(other.time).toBe(one.time);
    expect([...other.q]).toEqual([...one.q]);
    expect([...other.v]).toEqual([...one.v]);
    expect(other.settings).toEqual(one.settings);
    other.advance(50);
    one.advance(50);
    expect([...other.q]).toEqual([...one.q]);
  });

  it("rewinds to any time in its ring, and continues from there", async () => {
    const one = await live();
    const recording = one.record({ every: 20, snapshots: 10 });
    const seen: [number, number[]][] = [];
    one.grab("b", [0, 0, 0]).moveTo([1, 0, -1]);
    for (let i = 0; i < 100; i++) {
      one.advance();
      if (i === 33) one.set({ k: 90 });
      seen.push([one.time, [...one.q]]);
    }
    for (const back of [70, 41, 12]) {
      const [time, q] = seen[back]!;
      recording.rewind(time);
      expect(one.time).toBe(time);
      expect([...one.q]).toEqual(q);
    }
    expect(one.settings.parameters.k).toBeUndefined();
    one.advance(30);
    const run = recording.stop();
    expect(run.steps).toBe(43);
    const other = (await live()).replay(run);
    expect([...other.q]).toEqual([...one.q]);
    expect(() => recording.rewind(0)).toThrow("stopped");
  });

  it("rejects times before the ring, and invalid recordings", async () => {
    const one = await live();
    const recording = one.record({ every: 10, snapshots: 2 });
    one.advance(100);
    expect(recording.earliest).toBeGreaterThan(0.3);
    expect(() => recording.rewind(0.1)).toThrow(`t = ${recording.earliest}`);
    expect(() => recording.rewind(Number.NaN)).toThrow("NaN");
    expect(() => one.record()).toThrow("already");
    expect(() => one.replay(recording.run)).toThrow("replay: stop the recording first");
    recording.stop();
    expect(() => one.replay({} as never)).toThrow("start");
    expect(() => one.record({ every: 0 })).toThrow("every");
  });
});

describe("setNamedState", () => {
  it("moves a state to a simulation of a changed model", async () => {
    const one = await live();
    one.runTo(0.7);
    const changed = arm();
    changed.body({ name: "extra", mass: 1, inertia: [1, 1, 1], position: [5, 0, 0] });
    const other = (await compile(changed)).simulate({ step: 1 / 240 });
    other.setNamedState(structuredClone(one.namedState()));
    expect(other.time).toBe(one.time);
    for (const name of ["a", "b"]) {
      for (const i of [0, 1, 2]) {
        expect(other.body(name).position[i]).toBeCloseTo(one.body(name).position[i]!, 12);
        expect(other.body(name).velocity[i]).toBeCloseTo(one.body(name).velocity[i]!, 12);
      }
    }
    expect(other.joint("knee").angle).toBeCloseTo(one.joint("knee").angle!, 12);
    expect(other.body("extra").position[0]).toBe(5);
  });

  it.each([
    ["auto", "maximal"],
    ["maximal", "auto"],
  ] as const)(
    "moves a state from %s coordinates to %s ones, in another order, with its unwrapped angles",
    async (from, to) => {
      const spinning = (isReversed: boolean) => {
        const m = model({ name: "spinning" });
        const make = (i: number) =>
          m.body({
            name: `b${i}`,
            mass: 1 + i,
            shape: rod({ length: 1 }),
            position: [i + 0.5, 0, 0],
            ...(i === 1 && { centre: [0.1, 0, 0] as const }),
            ...(i === 0 && {
              angularVelocity: [0, 40, 0] as const,
              velocity: [0, 0, -20] as const,
            }),
          });
        const order = isReversed ? [2, 1, 0] : [0, 1, 2];
        const made = new Map(order.map((i) => [i, make(i)]));
        for (const i of [0, 1, 2]) {
          const inner = made.get(i - 1) ?? m.ground;
          m.revolute({
            name: `h${i}`,
            between: [inner, made.get(i)!],
            at: [i, 0, 0],
            axis: [0, 1, 0],
          });
        }
        return m;
      };
      const one = (await compile(spinning(false), { coordinates: from })).simulate({ step: 1e-3 });
      one.runTo(1);
      expect(Math.abs(one.joint("h0").angle!)).toBeGreaterThan(2 * Math.PI);
      const other = (await compile(spinning(true), { coordinates: to })).simulate({ step: 1e-3 });
      other.setNamedState(structuredClone(one.namedState()));
      expect(other.time).toBe(one.time);
      for (const i of [0, 1, 2]) {
        expect(other.joint(`h${i}`).angle).toBeCloseTo(one.joint(`h${i}`).angle!, 10);
        const [a, b] = [one.body(`b${i}`), other.body(`b${i}`)];
        for (const k of [0, 1, 2]) {
          expect(b.position[k]).toBeCloseTo(a.position[k]!, 9);
          expect(b.velocity[k]).toBeCloseTo(a.velocity[k]!, 8);
          expect(b.angularVelocity[k]).toBeCloseTo(a.angularVelocity[k]!, 8);
        }
      }
    },
  );

  it("rejects invalid states", async () => {
    const one = await live();
    expect(() => one.setNamedState({} as never)).toThrow("time");
    expect(() => one.setNamedState({ time: 0, bodies: {}, unwrappedAngles: {} })).toThrow(
      "none of the bodies",
    );
    const { bodies, ...rest } = one.namedState();
    const bad = { ...rest, bodies: { a: { ...bodies.a!, position: [0, Number.NaN, 0] as const } } };
    expect(() => one.setNamedState(bad)).toThrow('body "a": position[1]');
  });
});
