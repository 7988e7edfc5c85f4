// Features that runs of plain differential equations share with those of mechanisms, and possible mistakes.

import { equations, lagrange, rk4, simulate, welch } from "nodrift";
import {
  dop853,
  firstOrder,
  type OdeState,
  ode,
  type Run,
  type Solution,
  solve,
  start,
} from "nodrift/solve";
import { describe, expect, expectTypeOf, test } from "vitest";

const oscillator = ode({
  name: "oscillator",
  names: ["x", "v"],
  rate: (_t, [x, v], out) => {
    out[0] = v;
    out[1] = -x;
  },
  y: [1, 0],
});

/** A ball on a floor, which is met again and again. */
const ball = ode({ name: "ball", names: ["h", "s"], rate: (_t, [, s]) => [s, -10], y: [1, 0] });
const floor = {
  name: "floor",
  when: ({ y }: OdeState) => y[0],
  direction: "falling",
  action: ({ y }: { y: Float64Array }) => {
    y[1] *= -0.9;
  },
} as const;

describe("runs", () => {
  test("a saved and restored run ends bitwise identically", () => {
    const options = { span: [0, 3], events: [floor], tolerance: 1e-7 } as const;
    const run = start(ball, options);
    while (run.time < 1) run.step();
    const saved = structuredClone(run.save());
    const { end } = run.finish();
    const other = start(ball, options);
    other.restore(saved);
    expect([...other.finish().end.y]).toEqual([...end.y]);
    expect(() => start(oscillator, { span: [0, 3] }).restore(saved)).toThrow(
      'it belongs to "ball" (2 unknowns;',
    );
  });

  test("the memory of a finished run serves the next one, which is bitwise identical", () => {
    const [one, , two] = [1e-8, 1e-4, 1e-8].map((tolerance) =>
      solve(oscillator, { span: [0, 10], tolerance }),
    );
    expect(two.toCsv()).toBe(one.toCsv());
  });

  test("states are requested at times, by a rate, and one by one", () => {
    const times = [0, 0.1, 0.75, 3];
    const solution = solve(oscillator, { span: [0, 3], output: { times }, tolerance: 1e-10 });
    expect([...solution.time]).toEqual(times);
    solution.column("x").forEach((x, i) => {
      expect(x).toBeCloseTo(Math.cos(times[i]), 8);
    });
    const seen: number[] = [];
    const each = ({ time, y }: OdeState) => {
      seen.push(time);
      expect(y[1]).toBeCloseTo(-Math.sin(time), 4);
    };
    solve(oscillator, { span: [0, 1], output: { rate: 10 }, keep: false, each });
    expect(seen).toHaveLength(11);
  });

  test("tables and JSON have the unknowns by name", () => {
    const solution = solve(oscillator, { span: [0, 1], output: "ends" });
    const [head, first, last] = solution.toCsv().split("\r\n");
    expect(head).toBe("time,x,v");
    expect(first).toBe("0,1,0");
    expect(last.split(",").map(Number)).toEqual([1, ...solution.end.y]);
    const json = JSON.parse(JSON.stringify(solution));
    expect(json.columns).toEqual({ x: [1, solution.end.y[0]], v: [0, solution.end.y[1]] });
    expect(json.statistics.maximumDrift).toEqual({ position: 0, velocity: 0 });
  });

  test("a step without dense output of its own is interpolated by a cubic", () => {
    const solution = solve(oscillator, { span: [0, 1], step: 0.01, integrator: rk4() });
    expect(solution.at(0.505).y[0]).toBeCloseTo(Math.cos(0.505), 9);
    expect(solution.method).toBe("firstOrder + rk4");
    const method = { formulation: firstOrder(), integrator: dop853() };
    const whole = solve(oscillator, { span: [0, 1], method, tolerance: 1e-10 });
    expect(whole.end.y[0]).toBeCloseTo(Math.cos(1), 9);
  });

  test("stiffness is noted, with advice", () => {
    const stiff = ode({ names: ["x"], rate: (t, [x]) => [-1e4 * (x - Math.cos(t))], y: [1] });
    const options = { span: [0, 1], output: "ends" } as const;
    const given = solve(stiff, { ...options, integrator: dop853() });
    expect(given.notes.join()).toContain(
      "An implicit integrator, like radau5(), takes longer ones",
    );
    const left = solve(stiff, options);
    expect(left.notes.join()).toContain("on it is solved by firstOrder + radau5");
    for (const { end } of [given, left]) expect(end.y[0]).toBeCloseTo(Math.cos(1), 3);
  });
});

describe("mistakes", () => {
  const bad = (rate: Parameters<typeof ode>[0]["rate"]) =>
    solve(ode({ name: "bad", names: ["a", "b"], rate, y: [1, 2] }), { span: [0, 1] });

  test("a rate that is NaN, or not written, is named with the time and the state", () => {
    const nan = bad((t, [a, b], out) => {
      out[0] = 1;
      out[1] = t > 0.5 ? Math.log(-b) : a;
    });
    expect(nan.status).toBe("stepUnderflow");
    expect(nan.reason).toMatch(/bad: rate gave NaN for "b" at t = 0\.5\d*, a = 1\.5\d*, b = /);
    expect(nan.end.time).toBeCloseTo(0.5, 9);
    const missing = bad((_t, _y, out) => {
      out[0] = 1;
    });
    expect(missing.status).toBe("failed");
    expect(missing.reason).toContain('rate gave NaN for "b" at t = 0, a = 1, b = 2');
    expect(missing.reason).toContain("whether out[1] is written");
  });

  test("rejects arrays of the wrong length, and values that are no arrays", () => {
    expect(bad(() => [1, 2, 3]).reason).toContain(
      "bad: rate returned 3 numbers at t = 0; return 2 numbers, or write them to `out` and return nothing",
    );
    // @ts-expect-error: an arrow function without braces returns what it assigned
    expect(bad((_t, _y, out) => (out[0] = 7)).reason).toContain("rate returned 7 at t = 0");
    const thrown = bad(() => {
      throw new Error("out of coffee");
    });
    expect(thrown).toMatchObject({ status: "failed", reason: "out of coffee" });
  });

  test("a solution that grows without bounds ends at its singularity", () => {
    const solution = solve(ode({ names: ["x"], rate: (_t, [x]) => [x * x], y: [1] }), {
      span: [0, 2],
    });
    expect(solution.status).toBe("stepUnderflow");
    expect(solution.end.time).toBeCloseTo(1, 4);
    expect(solution.reason).toContain('the unknown with the largest error is "x"');
    const fixed = solve(ode({ names: ["x"], rate: (_t, [x]) => [x * x], y: [1] }), {
      span: [0, 2],
      step: 0.1,
      integrator: rk4(),
    });
    expect(fixed.status).toBe("failed");
    expect(fixed.reason).toMatch(/ode: "x" is \S+ at t = 1\.\d+: the solution diverged/);
  });

  test("requires y for plain differential equations, q and v for all else", () => {
    const free = equations({ name: "free", coordinates: ["x"], mass: [1], forces: () => [0] });
    const other = ode({ name: "other", names: ["a", "b"], rate: () => [0, 0] });
    const span = [0, 1] as const;
    expect(() => solve(other, { span })).toThrow(
      "y is missing: give the 2 unknowns at the start (a, b)",
    );
    expect(() => solve(other, { span, q: [1, 2] })).toThrow("give its start as y, not as q");
    expect(() => solve(other, { span, y: [1, 2], v: [1] })).toThrow(
      "give its start as y, not as v",
    );
    expect(() => solve(other, { span, y: [1] })).toThrow("y has 1 numbers");
    expect(() => solve(other, { span, y: [1, Number.NaN] })).toThrow('y of "b" is NaN');
    expect(() => solve(free, { span, y: [1] })).toThrow(
      "free has positions and velocities: give q and v",
    );
  });

  test("rejects invalid descriptions", () => {
    const rate = () => [0];
    expect(() => ode({ names: [], rate })).toThrow("names is empty");
    expect(() => ode({ names: ["x", "x"], rate })).toThrow('names has the name "x" twice');
    expect(() => ode({ names: -1, rate })).toThrow("names is -1");
    // @ts-expect-error: it is missing
    expect(() => ode({ names: 1 })).toThrow("rate is missing; give a function");
    // @ts-expect-error: a matrix is no function
    expect(() => ode({ names: 1, rate, jacobian: [1] })).toThrow(
      "jacobian is [1]; give a function",
    );
    // @ts-expect-error: misspelt
    expect(() => ode({ names: 1, rate, jacobain: rate })).toThrow(
      "jacobain is not an option: did you mean jacobian?",
    );
    // @ts-expect-error: nothing at all
    expect(() => ode()).toThrow("ode({ names");
  });

  test("methods of mechanics are rejected, and firstOrder for mechanics", () => {
    const refusal = "oscillator is an ODE: use solve()";
    const mechanical = { formulation: lagrange(), integrator: dop853() };
    const plain = { formulation: firstOrder(), integrator: dop853() };
    expect(() => solve(oscillator, { span: [0, 1], method: mechanical })).toThrow(refusal);
    expect(() => solve(oscillator, { span: [0, 1], method: { coupled: welch() } })).toThrow(
      refusal,
    );
    for (const method of [mechanical, plain]) {
      expect(() => simulate(oscillator, { method, step: 0.1, q: [1, 0] })).toThrow(refusal);
    }
    const free = equations({ name: "free", coordinates: ["x"], mass: [1], forces: () => [0] });
    const reason =
      "firstOrder is for plain differential equations, but free is a mechanical system";
    expect(() => solve(free, { span: [0, 1], q: [0], method: plain })).toThrow(reason);
    expect(() => simulate(free, { method: plain, step: 0.1, q: [0] })).toThrow(reason);
    expect(() => solve(oscillator, { span: [0, 1], integrator: rk4() })).toThrow("give a step");
  });
});

test("types: states have y, and no bodies", () => {
  const solution = solve(oscillator, {
    span: [0, 1],
    each: (state) => expectTypeOf(state).toEqualTypeOf<OdeState>(),
    events: [
      {
        when: ({ y }) => y[0] - 0.7,
        action: ({ y, before }) => {
          expectTypeOf(y).toEqualTypeOf<Float64Array>();
          expectTypeOf(before).toEqualTypeOf<OdeState>();
        },
      },
    ],
  });
  expectTypeOf(solution).toEqualTypeOf<Solution<OdeState>>();
  expectTypeOf(start(oscillator, { span: [0, 1] })).toEqualTypeOf<Run<OdeState>>();
  expect(solution.events).toHaveLength(1);
  expect(solution.end.q).toBe(solution.end.y);
  expect(solution.end.v).toHaveLength(0);
  // @ts-expect-error: it has none
  expect(() => solution.body("x").position).toThrow("not a function");
  const free = equations({ coordinates: ["x"], mass: [1], forces: () => [0] });
  const fall = solve(free, {
    span: [0, 1],
    q: [-0.5],
    v: [1],
    events: [
      {
        when: ({ q }) => q[0],
        action: ({ y }) => {
          expectTypeOf(y).toEqualTypeOf<undefined>();
          expect(y).toBeUndefined();
        },
      },
    ],
  });
  expect(fall.events).toHaveLength(1);
});
