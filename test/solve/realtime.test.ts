// Time in steps: how many, what is drawn between them, what is dropped, and what happens to mistakes.

import {
  heun,
  type Method,
  projection,
  rk4,
  type Simulation,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { realtime } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { freeFall, start } from "../methods/support/pendulum.js";
import { seeded } from "../support/random.js";

const G = 9.81;
const method: Method = {
  formulation: udwadiaKalaba(),
  stabilisation: projection(),
  integrator: rk4(),
};
const swinging = (step: number) => start(method, step);
const falling = (step: number, time = 0) =>
  simulate(freeFall(), {
    method: { formulation: udwadiaKalaba(), integrator: heun() },
    step,
    time,
    q: [0, 0],
    v: [1, 0],
  });

const stepsOf = ({ time, step }: Simulation) => Math.round(time / step);

describe("steps", () => {
  test("fit into frames that are a multiple of them, all the time", () => {
    for (const perFrame of [1, 2, 3, 4, 5, 7]) {
      const loop = realtime(falling(1 / (60 * perFrame)));
      for (let i = 0; i < 1000; i++) expect(loop.advance(1 / 60)).toBe(perFrame);
      expect(loop.droppedTime).toBe(0);
    }
  });

  // A million times at which rounding could make it one more or less.
  test.each([
    [0.03, 1e5],
    [0.0171, 1e5],
    [1 / 60, 1e6],
    [1 / 59.94, 1e5],
  ])("steps of %d s: %d frames of 1/60 s take the due number", (step, frames) => {
    const simulation = falling(step);
    const loop = realtime(simulation);
    let taken = 0;
    for (let i = 0; i < frames; i++) taken += loop.advance(1 / 60);
    expect(Math.abs(taken - frames / 60 / step)).toBeLessThanOrEqual(1);
    expect(taken).toBe(stepsOf(simulation));
    expect(loop.droppedTime).toBe(0);
  });

  test("give the same bits for the same frames", () => {
    const run = () => {
      const loop = realtime(swinging(1 / 240));
      const random = seeded(7);
      const seen: number[] = [];
      for (let i = 0; i < 500; i++) {
        seen.push(
          loop.advance(Math.abs(random()) / 30),
          loop.time,
          ...loop.q,
          ...loop.v,
          loop.droppedTime,
        );
      }
      return seen;
    };
    expect(run()).toEqual(run());
  });

  test("do not depend on the frames: the states are those of the simulation alone", () => {
    const alone = swinging(1 / 240);
    const states = Array.from({ length: 480 }, () => {
      alone.advance();
      return [alone.time, ...alone.q, ...alone.v];
    });
    for (const seed of [1, 2, 3, 4]) {
      const loop = realtime(swinging(1 / 240), { maximumSteps: 100 });
      const random = seeded(seed);
      const seen: number[][] = [];
      let passed = 0;
      while (passed < 2) {
        const frame = Math.min((seed * Math.abs(random())) / 20, 2 - passed);
        passed += frame;
        loop.advance(frame, ({ time, q, v }) => seen.push([time, ...q, ...v]));
      }
      expect(seen).toEqual(states);
    }
  });
});

describe("the drawn state", () => {
  test("the drawn state lies on the chord of a fall, up to a step before the clock", () => {
    const h = 1 / 50;
    const loop = realtime(falling(h));
    const random = seeded(3);
    let [clock, open] = [0, 0];
    for (let i = 0; i < 300; i++) {
      const frame = Math.abs(random()) / 30;
      clock += frame;
      loop.advance(frame);
      expect(loop.time).toBeCloseTo(Math.max(0, clock - h), 12);
      const { time: t, fraction: f } = loop;
      if (t > 0) expect(f).toBeCloseTo((t / h) % 1, 9);
      expect(loop.v[1]).toBeCloseTo(-G * t, 10);
      expect(loop.q[0]).toBeCloseTo(t, 10);
      // A chord lies below y = -g t^2 / 2 by g h^2 f (1 - f) / 2.
      const chord = t > 0 ? (-G * h * h * f * (1 - f)) / 2 : 0;
      expect(loop.q[1] + (G * t * t) / 2).toBeCloseTo(chord, 10);
      open = Math.max(open, -chord);
    }
    expect(open).toBeGreaterThan((0.9 * G * h * h) / 8);
  });

  test("the drawn state is the initial state before the first step", () => {
    const loop = realtime(falling(0.1, 5));
    expect([loop.time, ...loop.q, ...loop.v]).toEqual([5, 0, 0, 1, 0]);
    expect(loop.advance(0.06)).toBe(0);
    expect([loop.time, ...loop.q, ...loop.v]).toEqual([5, 0, 0, 1, 0]);
    expect(loop.advance(0.06)).toBe(1);
    expect(loop.time).toBeCloseTo(5.02, 12);
  });

  test("never goes back, whatever the frames", () => {
    const loop = realtime(falling(0.01), { maximumSteps: 3 });
    const random = seeded(11);
    for (let i = 0; i < 2000; i++) {
      const before = loop.time;
      loop.advance(random() ** 6 * 0.2);
      expect(loop.time).toBeGreaterThanOrEqual(before - 1e-13);
      expect(loop.fraction).toBeGreaterThanOrEqual(0);
      expect(loop.fraction).toBeLessThanOrEqual(1);
    }
    expect(loop.droppedTime).toBeGreaterThan(1);
  });
});

describe("droppedTime", () => {
  test("steps beyond the limit are dropped, and all time is accounted for", () => {
    const h = 0.01;
    const simulation = falling(h);
    const loop = realtime(simulation, { maximumSteps: 5, speed: 2 });
    const random = seeded(5);
    let [clock, droppedTime] = [0, 0];
    for (let i = 0; i < 2000; i++) {
      const frame = random() ** 4 / 10;
      clock += 2 * frame;
      const steps = loop.advance(frame);
      expect(steps).toBeLessThanOrEqual(5);
      if (loop.lastDroppedTime > 0) expect(steps).toBe(5);
      expect(
        Math.abs(loop.lastDroppedTime / h - Math.round(loop.lastDroppedTime / h)),
      ).toBeLessThan(1e-9);
      droppedTime += loop.lastDroppedTime;
      expect(loop.droppedTime).toBeCloseTo(droppedTime, 9);
      expect(simulation.time + loop.fraction * h + loop.droppedTime).toBeCloseTo(clock, 9);
    }
    expect(droppedTime).toBeGreaterThan(1);
    expect(simulation.time).toBeGreaterThan(1);
  });

  test("time that passed while a page was hidden is dropped: the motion continues from its last state", () => {
    const simulation = swinging(1 / 240);
    const loop = realtime(simulation);
    for (let i = 0; i < 10; i++) loop.advance(1 / 60);
    const steps = loop.advance(3600);
    // A tenth of a second is made up for.
    expect(steps).toBe(24);
    expect(loop.lastDroppedTime).toBeCloseTo(3600 - 0.1, 6);
    const alone = swinging(1 / 240).advance(40 + 24);
    expect([...simulation.q]).toEqual([...alone.q]);
    expect(loop.advance(1 / 60)).toBe(4);
    expect(loop.lastDroppedTime).toBe(0);
    expect(loop.droppedTime).toBeCloseTo(3600 - 0.1, 6);
  });

  test("frames of the largest finite length leave a state that can be drawn", () => {
    const loop = realtime(falling(1e-3), { maximumSteps: 1 });
    expect(loop.advance(Number.MAX_VALUE)).toBe(1);
    expect(loop.droppedTime).toBe(Number.MAX_VALUE);
    expect(loop.fraction).toBeLessThan(1);
    expect(loop.advance(1e-3)).toBe(1);
    expect(loop.lastDroppedTime).toBe(0);
  });

  test("no time is dropped by default at ordinary rates and steps, nor in fast motion", () => {
    for (const step of [1 / 30, 1 / 60, 1e-3, 1e-4]) {
      for (const speed of [0.1, 1, 10]) {
        const loop = realtime(falling(step), { speed });
        let taken = 0;
        for (let i = 0; i < 30; i++) taken += loop.advance(1 / 30);
        expect(loop.droppedTime).toBe(0);
        expect(Math.abs(taken - speed / step)).toBeLessThanOrEqual(1);
      }
    }
    // Steps longer than the time that is made up for: eight of them.
    expect(realtime(falling(0.2)).advance(100)).toBe(8);
  });
});

describe("speed", () => {
  test("speed can change between frames, and accumulated time stays", () => {
    const simulation = falling(0.01);
    const loop = realtime(simulation);
    loop.advance(0.016);
    loop.speed = 0.5;
    loop.advance(0.016);
    expect(loop.fraction).toBeCloseTo(0.4, 9);
    loop.speed = 0;
    expect(loop.advance(10)).toBe(0);
    expect([loop.speed, loop.droppedTime]).toEqual([0, 0]);
    loop.speed = 3;
    loop.advance(0.012);
    expect(simulation.time).toBeCloseTo(0.06, 12);
    expect(loop.fraction).toBeCloseTo(0, 9);
  });

  test("a pause passes and accumulates no time, and keeps the speed", () => {
    const simulation = falling(0.01);
    const loop = realtime(simulation, { speed: 0.5 });
    loop.advance(0.03);
    const drawn = [loop.time, ...loop.q];
    loop.paused = true;
    for (let i = 0; i < 10; i++) expect(loop.advance(1 / 60)).toBe(0);
    expect([loop.time, ...loop.q]).toEqual(drawn);
    loop.paused = false;
    expect(loop.advance(0.03)).toBe(2);
    expect([loop.speed, loop.droppedTime]).toEqual([0.5, 0]);
  });
});
