import { equations, init } from "nodrift";
import { type BodyReading, BodyState, compile, type JointReading, model } from "nodrift/bodies";
import { type EquationState, type EventContext, type EventRecord, solve } from "nodrift/solve";
import { beforeAll, expect, expectTypeOf, test } from "vitest";

// Compile-time types of events.

beforeAll(() => init());

const point = () =>
  equations({
    coordinates: ["x"],
    mass: [1],
    forces: (_q, _v, out) => {
      out[0] = 0;
    },
  });

test("events of mechanisms see bodies and joints", async () => {
  const m = model({ gravity: [0, 0, 0] });
  m.body({ name: "ball", mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0] });
  const solution = solve(await compile(m), {
    span: [0, 1],
    events: [
      {
        when: (state) => {
          expectTypeOf(state).toEqualTypeOf<BodyState>();
          expectTypeOf(state.joint).returns.toEqualTypeOf<JointReading>();
          return state.body("ball").position[0] - 0.5;
        },
        action: (happening) => {
          expectTypeOf(happening).toEqualTypeOf<EventContext<BodyState>>();
          expectTypeOf(happening.before.body).returns.toEqualTypeOf<BodyReading>();
          expectTypeOf(happening.bounce).returns.toEqualTypeOf<number>();
          expect(happening.before.body("ball").velocity[0]).toBe(1);
        },
      },
    ],
  });
  expectTypeOf(solution.events).toEqualTypeOf<readonly EventRecord<BodyState>[]>();
  expect(solution.events[0]?.after).toBeInstanceOf(BodyState);
});

test("events of equations see coordinates, and no bodies", () => {
  const solution = solve(point(), {
    span: [0, 1],
    q: [0],
    v: [1],
    events: [
      {
        when: (state) => {
          expectTypeOf(state).toEqualTypeOf<EquationState>();
          // @ts-expect-error: equations have no bodies
          expect(state.body).toBeUndefined();
          return state.q[0]! - 0.5;
        },
        action: (happening) => {
          expectTypeOf(happening).toEqualTypeOf<EventContext<EquationState>>();
          expect(() => {
            // @ts-expect-error: times are not to be changed
            happening.time = 1;
          }).toThrow("read only");
        },
      },
    ],
  });
  expectTypeOf(solution.events).toEqualTypeOf<readonly EventRecord<EquationState>[]>();
  expect(solution.status).toBe("finished");
});

test("invalid events are rejected by the compiler and at run time", () => {
  const options = { span: [0, 1], q: [0], v: [1] } as const;
  expect(() =>
    // @ts-expect-error: no such direction
    solve(point(), { ...options, events: [{ when: () => 1, direction: "up" }] }),
  ).toThrow("direction");
  expect(() =>
    // @ts-expect-error: `when` is missing
    solve(point(), { ...options, events: [{ action: () => {} }] }),
  ).toThrow("when is missing; give a function");
  expect(() =>
    // @ts-expect-error: not a list
    solve(point(), { ...options, events: { when: () => 1 } }),
  ).toThrow("give a list: events: [{ when: ... }]");
  // @ts-expect-error: a text is no number
  const text = solve(point(), { ...options, events: [{ when: () => "1" }] });
  expect(text.status).toBe("failed");
  const reached = solve(point(), {
    ...options,
    events: [
      {
        when: ({ q }) => q[0]! - 0.5,
        action: (happening) => {
          // @ts-expect-error: write into q, there is no other
          happening.q = new Float64Array(1);
        },
      },
    ],
  });
  expect(reached.reason).toContain("read only");
});
