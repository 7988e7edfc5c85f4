// Limits that are reached in the midst of something: at every place that looks for them, one after the other.

import { box, compile, type Model, model, rod } from "nodrift/bodies";
import { ode, radau5, type Solution, type SolveOptions, solve, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { stopAfter } from "./support/signals.js";
import { circle, onCircle, oscillator } from "./support/systems.js";

/** A slider-crank: joints in space on a planar linkage, which are examined at some poses. */
function sliderCrank(): Model {
  const m = model({ name: "slider-crank" });
  const axis = [0, 1, 0] as const;
  const crank = m.body({
    name: "crank",
    mass: 1,
    shape: rod({ length: 0.1, axis: [0, 0, 1] }),
    position: [0, 0, 0.05],
    angularVelocity: [0, 20, 0],
  });
  const shape = rod({ length: Math.hypot(0.3, 0.1), axis: [3, 0, -1] });
  const coupler = m.body({ name: "coupler", mass: 0.5, position: [0.15, 0, 0.051], shape });
  const cube = box({ x: 0.1, y: 0.1, z: 0.1 });
  const piston = m.body({ name: "piston", mass: 2, shape: cube, position: [0.3, 0, 0] });
  m.revolute({ name: "bearing", between: [m.ground, crank], at: [0, 0, 0], axis });
  m.revolute({ name: "crank pin", between: [crank, coupler], at: [0, 0, 0.1], axis });
  m.revolute({ name: "wrist pin", between: [coupler, piston], at: [0.3, 0, 0], axis });
  m.prismatic({ name: "guide", between: [m.ground, piston], axis: [1, 0, 0] });
  return m;
}

const numbersOf = ({ time, q, v }: { time: number; q: Float64Array; v: Float64Array }) => [
  time,
  ...q,
  ...v,
];

/** Properties of all solutions, whatever their states. */
type Found = Pick<Solution, "status" | "reason" | "cause" | "states" | "end" | "events">;

/** A stopped run is bitwise identical to the beginning of the run that was not stopped. */
function expectBeginning(stopped: Found, whole: Found): void {
  const all = [...whole.states()].map(numbersOf);
  const own = [...stopped.states()].map(numbersOf);
  const last = own.length - 1;
  // The end is kept, too, whenever it comes. It leaves no gap.
  if (last >= 0 && own[last][0] !== all[last][0]) {
    const [time] = own.pop() ?? [];
    expect(time).toBe(stopped.end.time);
    expect(all[last][0]).toBeGreaterThan(time);
  }
  expect(own).toEqual(all.slice(0, own.length));
  expect(stopped.events.map(({ time }) => time)).toEqual(
    whole.events.slice(0, stopped.events.length).map(({ time }) => time),
  );
}

type Case = readonly [name: string, run: (options: Partial<SolveOptions>) => Found];

/** Four masses, each on a strong spring with a strong damper: df/dy is found by differences. */
const springs = ode({
  names: 8,
  rate: (_t, y, out) => {
    for (let i = 0; i < 4; i++) {
      out[i] = y[i + 4];
      out[i + 4] = -1e4 * y[i] - 1e3 * y[i + 4];
    }
  },
  y: [1, 2, 3, 4, 0, 0, 0, 0],
});

const implicit = (options: object) => ({ integrator: radau5(), ...options });

const cases: readonly Case[] = [
  ["explicit", (options) => solve(circle(), { span: [0, 0.5], ...onCircle(3), ...options })],
  [
    "assembled from afar",
    (options) => solve(circle(), { span: [0, 0.2], q: [1.1, 0.2], v: [0, 1], ...options }),
  ],
  [
    "with output between steps",
    (options) => solve(oscillator(1), { span: [0, 1], q: [1], output: { rate: 50 }, ...options }),
  ],
  [
    "with events",
    (options) =>
      solve(oscillator(1), {
        span: [0, 4],
        q: [1],
        events: [{ name: "zero", when: ({ q }) => q[0], action: () => {} }],
        ...options,
      }),
  ],
  [
    "implicit, by differences",
    (options) => solve(springs, { span: [0, 0.1], ...implicit(options) }),
  ],
];

describe("limits inside of long loops", () => {
  test.each(cases)("end a run at once, which is a beginning of the whole: %s", (_name, run) => {
    const whole = run({});
    const counter = stopAfter(Number.POSITIVE_INFINITY);
    expect(run({ signal: counter }).status).toBe("finished");
    expect(counter.seen).toBeGreaterThan(3);
    const stride = Math.max(1, Math.floor(counter.seen / 60));
    for (let looks = 0; looks < counter.seen; looks += stride) {
      const signal = stopAfter(looks);
      const solution = run({ signal });
      expect(solution.status).toBe("aborted");
      expect(solution.reason).toMatch(/^aborted .*: enough$/);
      expect(solution.cause).toBe("enough");
      expect(numbersOf(solution.end).every(Number.isFinite)).toBe(true);
      if (!/before the start/.test(solution.reason)) expectBeginning(solution, whole);
      // Nothing continues in the background, and the next run is not disturbed.
      expect(signal.seen).toBeLessThan(looks + 10);
      expect(numbersOf(run({}).end)).toEqual(numbersOf(whole.end));
    }
  });

  test("limits during the initial projection keep the given state, and say so", () => {
    const q = [1.1, 0.2];
    const solution = solve(circle(), { span: [0, 1], q, signal: stopAfter(0) });
    expect(solution.reason).toMatch(/^aborted before the initial state was projected/);
    expect([...solution.end.q]).toEqual(q);
    expect(solution.length).toBe(0);
  });

  test("hold for mechanisms: the Jacobian of a stiff one", async () => {
    const m = model({ name: "stiff" });
    const frames = [m.ground];
    for (let i = 0; i < 4; i++) {
      const body = m.body({
        name: `b${i}`,
        mass: 1,
        shape: box({ x: 1, y: 1, z: 1 }),
        position: [i + 0.5, 0, 0],
      });
      m.bushing({
        name: `k${i}`,
        between: [frames[i], body],
        at: [i, 0, 0],
        stiffness: { translation: 1e7, rotation: 1e6 },
        damping: { translation: 1e5, rotation: 1e4 },
      });
      frames.push(body);
    }
    const system = await compile(m);
    const method = { formulation: stateSpace(), integrator: radau5() };
    const run = (options: object) => solve(system, { span: [0, 0.01], method, ...options });
    const whole = run({});
    const counter = stopAfter(Number.POSITIVE_INFINITY);
    run({ signal: counter });
    for (let looks = 0; looks < counter.seen; looks += Math.ceil(counter.seen / 20)) {
      const solution = run({ signal: stopAfter(looks) });
      expect(solution.status).toBe("aborted");
      expectBeginning(solution as never, whole as never);
    }
  });

  test("limits on real time apply when all time goes into output", () => {
    let rows = 0;
    const solution = solve(oscillator(1), {
      span: [0, 1],
      q: [1],
      output: { rate: 1e12 },
      keep: false,
      each: () => void rows++,
      maximumSeconds: 0.05,
    });
    expect(solution.status).toBe("maximumSeconds");
    expect(rows).toBeGreaterThan(0);
  });
});

describe("compile", () => {
  test("ends at each check of the limits, or returns the result without limits", async () => {
    const whole = await compile(sliderCrank());
    const counter = stopAfter(Number.POSITIVE_INFINITY);
    await compile(sliderCrank(), { signal: counter });
    expect(counter.seen).toBeGreaterThan(10);
    for (let looks = 0; looks < counter.seen; looks += 3) {
      const stopped = compile(sliderCrank(), { signal: stopAfter(looks) });
      await expect(stopped).rejects.toMatchObject({ code: "STOPPED", message: "aborted: enough" });
    }
    expect([...(await compile(sliderCrank(), { maximumSeconds: 100 })).q]).toEqual([...whole.q]);
  });

  test("rejects invalid limits", async () => {
    await expect(compile(sliderCrank(), { maximumSeconds: 0 })).rejects.toThrow(
      /maximumSeconds is 0/,
    );
    await expect(compile(sliderCrank(), { signal: {} as never })).rejects.toThrow(
      /signal is \{\}; give the signal/,
    );
  });
});

describe("rates of output that cannot be met are rejected", () => {
  const asked =
    (rate: number, options: object = {}) =>
    () =>
      solve(oscillator(1), { span: [0, 1], q: [1], output: { rate }, ...options });

  test.each([1e308, 1e17, 1e9])("%d", (rate) => {
    expect(asked(rate)).toThrow(/output.rate is .*: .* states exceed the limit/);
  });

  test("times that coincide, even if none is stored", () => {
    expect(asked(1e17, { keep: false })).toThrow(
      /output times would coincide at this precision near t = 1; give less than 4.5e\+15/,
    );
  });
});
