// Invalid names are rejected with the name of the call, even if their conversion to text fails.

import { compile, model, rod } from "nodrift/bodies";
import { expect, test } from "vitest";

const AWKWARD: Record<string, unknown> = {
  "without a prototype": Object.create(null),
  "that throws as text": {
    toString() {
      throw new TypeError("trap");
    },
  },
  "that throws on all": new Proxy(
    {},
    {
      get() {
        throw new TypeError("trap");
      },
    },
  ),
  "a symbol": Symbol("arm"),
  "a list of what has no text": [Object.create(null)],
};

const m = model();
const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
m.revolute({ name: "hinge", between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
const simulation = (await compile(m)).simulate({ step: 0.01 });

const CALLS: Record<string, (given: never) => unknown> = {
  grab: (given) => simulation.grab(given, [0, 0, 0]),
  body: (given) => simulation.body(given),
  joint: (given) => simulation.joint(given),
  lock: (given) => simulation.lock(given),
  unlock: (given) => simulation.unlock(given),
  read: (given) => simulation.body("arm").read(given, new Float64Array(3)),
};

const cases = Object.keys(CALLS).flatMap((call) =>
  Object.keys(AWKWARD).map((kind) => [call, kind] as const),
);

test.each(cases)("%s rejects as a name an object %s", (call, kind) => {
  expect(() => CALLS[call]!(AWKWARD[kind] as never)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^(STEP|DESCRIPTION)$/) }),
  );
});
