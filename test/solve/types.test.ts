import { equations } from "nodrift";
import { type BodyState, compile, model } from "nodrift/bodies";
import {
  type BodyColumns,
  type EventOptions,
  type Run,
  type Solution,
  solve,
  start,
} from "nodrift/solve";
import { expect, expectTypeOf, test } from "vitest";

// Compile-time checks of solve.

const free = equations({ coordinates: ["x"], mass: [1], forces: () => [0] });
const thrown = { span: [0, 1], q: [0], v: [1] } as const;

function falling() {
  const m = model({ name: "ball" });
  m.body({ name: "ball", mass: 1, inertia: [1, 1, 1] });
  return compile(m);
}

test("a solution of a mechanism has bodies, one of equations has coordinates only", async () => {
  const solution = solve(await falling(), { span: [0, 1] });
  expectTypeOf(solution).toEqualTypeOf<Solution<BodyState>>();
  expectTypeOf(solution.at(0.5)).toEqualTypeOf<BodyState>();
  expectTypeOf(solution.body("ball")).toEqualTypeOf<BodyColumns>();
  expectTypeOf(solution.end.body("ball").position).toExtend<readonly number[]>();
  expect(solution.at(1).body("ball").position[2]).toBeCloseTo(-9.81 / 2, 9);
  const [, , z] = solution.body("ball").position;
  expect(z.at(-1)).toBe(solution.end.body("ball").position[2]);

  const plain = solve(free, thrown);
  expectTypeOf(plain.end.q).toEqualTypeOf<Float64Array>();
  expect(plain.column("x").at(-1)).toBeCloseTo(1, 12);
  // @ts-expect-error: equations have no bodies
  expect(() => plain.at(0.5).body("ball")).toThrow("not a function");
  // @ts-expect-error: nor columns of them
  expect(() => plain.body("ball").position).toThrow("not a function");
});

test("a run has the states of its system", async () => {
  const run = start(await falling(), { span: [0, 1] });
  expectTypeOf(run).toEqualTypeOf<Run<BodyState>>();
  run.step();
  expectTypeOf(run.state.joint).toBeFunction();
  const plain = start(free, thrown);
  plain.step();
  // @ts-expect-error: no joints
  expect(plain.state.joint).toBeUndefined();
});

test("events are given the states of the system", async () => {
  const system = await falling();
  const events: readonly EventOptions<typeof system>[] = [
    {
      when: (state) => state.body("ball").position[2] + 1,
      action: ({ before, v, bounce }) => {
        expectTypeOf(before).toEqualTypeOf<BodyState>();
        expectTypeOf(v).toEqualTypeOf<Float64Array>();
        expectTypeOf(bounce).returns.toBeNumber();
        bounce();
      },
    },
  ];
  expect(solve(system, { span: [0, 0.6], events }).events).toHaveLength(1);
  solve(system, {
    span: [0, 0.1],
    each: (state) => expectTypeOf(state).toEqualTypeOf<BodyState>(),
    events: [{ when: (state) => state.body("ball").velocity[2] - 1 }],
  });
  const solution = solve(free, {
    ...thrown,
    // @ts-expect-error: equations have no bodies
    events: [{ when: (state) => state.body("ball").position[2] }],
  });
  expect(solution).toMatchObject({ status: "failed" });
  expect(() =>
    // @ts-expect-error: a direction is a word
    solve(free, { ...thrown, events: [{ when: ({ q }) => q[0], direction: 1 }] }),
  ).toThrow("direction is 1; give one of");
});

test("options that do not exist, or are none, are rejected", () => {
  // @ts-expect-error: misspelt
  expect(() => solve(free, { ...thrown, tolerence: 1e-6 })).toThrow(
    "tolerence is not an option: did you mean tolerance?",
  );
  // @ts-expect-error: the span is missing
  expect(() => solve(free, { q: [0] })).toThrow("span is missing");
  // @ts-expect-error: two numbers
  expect(() => solve(free, { q: [0], span: [0, 1, 2] })).toThrow("give two times");
  // @ts-expect-error: no such output
  expect(() => solve(free, { ...thrown, output: "all" })).toThrow('output is "all"');
  // @ts-expect-error: start is a word
  expect(() => solve(free, { ...thrown, start: true })).toThrow("start is true; give");
  // @ts-expect-error: nothing to solve
  expect(() => solve(undefined, thrown)).toThrow("give a compiled model or equations");
});
