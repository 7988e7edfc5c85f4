// Mechanisms in real time: rotations between two states, and matrices for graphics.

import { type Simulation, simulate } from "nodrift";
import { compile, defaultMethod, model, rod } from "nodrift/bodies";
import { realtime } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import {
  column,
  cross,
  type M3,
  minus,
  norm,
  plus,
  product,
  rotation,
  scaled,
  times,
  type V3,
} from "../mechanisms/support/vectors.js";
import { seeded } from "../support/random.js";

const CENTRE: V3 = [0.1, 0.2, -0.1];
const POSITION: V3 = [1, 2, 3];
const VELOCITY: V3 = [0.3, -0.2, 0.1];
const SPIN = 4;
const AXIS: V3 = [1 / 3, 2 / 3, 2 / 3];

/** Turned by an angle about an axis of length 1. */
const turned = (axis: V3, angle: number): M3 =>
  rotation([Math.cos(angle / 2), ...scaled(Math.sin(angle / 2), axis)]);
const START = turned(AXIS, 0.7);

/** A ball that flies and spins about the vertical through its centre of mass; its frame is elsewhere. */
const flying = () => {
  const m = model({ name: "flying", gravity: [0, 0, 0] });
  m.body({ name: "far", mass: 1, inertia: [1, 1, 1], position: [9, 9, 9] });
  m.body({
    name: "ball",
    mass: 2,
    inertia: [0.3, 0.3, 0.3],
    centre: CENTRE,
    position: POSITION,
    orientation: { axis: AXIS, angle: 0.7 },
    velocity: VELOCITY,
    angularVelocity: [0, 0, SPIN],
  });
  return compile(m);
};

/** Its frame, when it has flown for a time and turned by an angle. */
function frameOf(time: number, angle: number): number[] {
  const arm = times(START, CENTRE);
  const velocity = plus(VELOCITY, cross([0, 0, SPIN], arm));
  const R = product(turned([0, 0, 1], angle), START);
  const centre = plus(plus(POSITION, arm), scaled(time, velocity));
  const origin = minus(centre, times(R, CENTRE));
  return [0, 1, 2].flatMap((j) => [...column(R, j), 0]).concat(origin, 1);
}

/** Angle of (1 - f) + f e for e at half an angle, both ends units, made a unit. */
const between = (f: number, angle: number) =>
  2 * Math.atan2(f * Math.sin(angle / 2), 1 - f + f * Math.cos(angle / 2));

const largest = (a: ArrayLike<number>, b: readonly number[]) =>
  Math.max(...b.map((x, i) => Math.abs(x - a[i])));

describe("the matrix of a body", () => {
  test("matrix returns the frame at the last state, and between it and the next", async () => {
    const h = 0.02;
    const loop = realtime((await flying()).simulate({ step: h }));
    const matrix = new Float64Array(16);
    expect(largest(loop.matrix("ball", matrix), frameOf(0, 0))).toBeLessThan(1e-14);
    expect(matrix.slice(12, 15).every((x, i) => Math.abs(x - POSITION[i]) < 1e-14)).toBe(true);
    const random = seeded(1);
    const turn = SPIN * h;
    for (let i = 0; i < 200; i++) {
      loop.advance(Math.abs(random()) / 30);
      const { time, fraction } = loop;
      const steps = time > 0 ? Math.round(time / h - fraction) : 0;
      const angle = steps * turn + (time > 0 ? between(fraction, turn) : 0);
      // RK4 leaves out (w h / 2)^5 / 5! of the half angle in a step.
      const integration = 1e-12 + ((steps + 1) * (turn / 2) ** 5) / 60;
      expect(largest(loop.matrix(1, matrix), frameOf(time, angle))).toBeLessThan(integration);
      // The angle between is (w h)^3 f (1 - f) (1 - 2 f) / 24 off one that grows with time.
      const even = turn ** 3 / (144 * Math.sqrt(3));
      expect(largest(matrix, frameOf(time, SPIN * time))).toBeLessThan(1.01 * even + integration);
    }
    expect(loop.time).toBeGreaterThan(2);
  });

  test("matrix is a rotation for simulations of the core entry point too, with unit Euler parameters", async () => {
    const system = await flying();
    const { q, v } = system;
    const options = { method: defaultMethod(), step: 0.1 };
    const core = simulate(system, { ...options, q, v });
    const [loop, other] = [realtime(core), realtime(system.simulate(options))];
    for (let i = 0; i < 20; i++) {
      for (const each of [loop, other]) each.advance(0.07);
      const e = [...loop.q.subarray(10, 14)];
      expect(Math.hypot(...e)).toBeCloseTo(1, 14);
      expect(loop.matrix("ball", [...Array(16).keys()])).toEqual(
        other.matrix("ball", new Array(16).fill(7)),
      );
    }
  });

  test("matrix writes into any array, at any offset, and nowhere else", async () => {
    const loop = realtime((await flying()).simulate({ step: 0.1 }));
    loop.advance(0.25);
    const exact = loop.matrix("ball", new Float64Array(16));
    const single = loop.matrix("ball", new Float32Array(16));
    expect(largest(single, [...exact])).toBeLessThan(1e-6);
    const many = loop.matrix("ball", new Float64Array(50).fill(7), 17);
    expect([...many.subarray(17, 33)]).toEqual([...exact]);
    expect([...many.subarray(0, 17), ...many.subarray(33)].every((x) => x === 7)).toBe(true);
  });

  test("matrix rejects unknown bodies and arrays without room", async () => {
    const loop = realtime((await flying()).simulate({ step: 0.1 }));
    const out = new Float32Array(16);
    expect(() => loop.matrix("bal", out)).toThrow('unknown body "bal"; there are: far, ball');
    for (const number of [-1, 2, 0.5, Number.NaN]) {
      expect(() => loop.matrix(number, out)).toThrow(`body index ${number} is out of range`);
    }
    expect(() => loop.matrix("ball", new Float32Array(9))).toThrow("do not fit into an array of 9");
    for (const offset of [1, -1, 0.5]) {
      expect(() => loop.matrix("ball", out, offset)).toThrow(
        `numbers from ${offset} on do not fit`,
      );
    }
    expect([...out].every((x) => x === 0)).toBe(true);
  });
});

describe("between two states", () => {
  test("rotations take the shorter way, whichever sign their Euler parameters have", () => {
    for (const sign of [1, -1]) {
      const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0);
      const turning = {
        q,
        v: new Float64Array(6),
        time: 0,
        step: 1,
        rigidBodies: [{ name: "body", centre: [0, 0, 0] }],
        // A quarter of a turn about z.
        advance: () => {
          q.set(
            [Math.SQRT1_2, 0, 0, Math.SQRT1_2].map((x) => sign * x),
            3,
          );
          turning.time += 1;
        },
      };
      const loop = realtime(turning as unknown as Simulation);
      expect(loop.advance(1.5)).toBe(1);
      const [c, s] = [Math.cos(Math.PI / 4), Math.sin(Math.PI / 4)];
      const wanted = [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
      expect(largest(loop.matrix(0, new Float64Array(16)), wanted)).toBeLessThan(1e-15);
    }
  });

  test("joints open by at most an eighth of the square of the rotation, and not at states", async () => {
    const h = 0.01;
    const m = model({ name: "pendulum", gravity: [0, 0, -9.81] });
    const bar = m.body({
      name: "bar",
      mass: 1,
      shape: rod({ length: 1, axis: [1, 0, 0] }),
      position: [0.5, 0, 0],
    });
    m.revolute({ between: [m.ground, bar], at: [0, 0, 0], axis: [0, 1, 0] });
    const simulation = (await compile(m)).simulate({ step: h });
    const loop = realtime(simulation);
    const matrix = new Float64Array(16);
    const angles = [0, 0];
    let widest = 0;
    for (let i = 0; i < 1000; i++) {
      loop.advance(h / 4, ({ q }) => angles.push(2 * Math.atan2(q[5], q[3])));
      loop.matrix("bar", matrix);
      const end = [0, 1, 2].map((k) => matrix[12 + k] - matrix[k] / 2) as V3;
      const [before, now] = angles.slice(-2);
      const f = loop.fraction;
      // Below an arc of radius 1/2 lies its chord.
      const wanted = (0.5 * (now - before) ** 2 * f * (1 - f)) / 2;
      expect(norm(end)).toBeLessThan(1.001 * wanted + 1e-9);
      widest = Math.max(widest, norm(end));
    }
    // sqrt(3 g) is the speed of turning at the bottom.
    const most = (0.5 * 3 * 9.81 * h * h) / 8;
    expect(widest).toBeGreaterThan(0.9 * most);
    expect(widest).toBeLessThan(1.01 * most);
  });
});
