// Files with systems of equations.

import { readdirSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { NodriftError, rk4, simulate, udwadiaKalaba } from "nodrift";
import { ModelFileError, readModel, readSystem } from "nodrift/files";
import {
  braunBiped1,
  braunFourBars,
  braunPendulum,
  braunSliderCrank,
  welchDoublePendulum,
  welchSliderCrank,
} from "nodrift/mechanisms";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { equationsJsonSchema } from "../../src/files/schema/json-schema.js";
import { damagedFiles } from "../support/hostile-files.js";
import { seeded } from "../support/random.js";

const names = readdirSync("examples").filter((name) => name.startsWith("equations-"));
const textOf = (name: string) => readFileSync(`examples/${name}`, "utf8");

function read(text: string) {
  const file = readSystem(text);
  if (!("system" in file)) throw new Error("a mechanism");
  return file;
}

const byHand: Readonly<Record<string, typeof braunPendulum>> = {
  "equations-pendulum.json": braunPendulum,
  "equations-double-pendulum.json": welchDoublePendulum as never,
  "equations-slider-crank.json": braunSliderCrank as never,
  "equations-folding-slider-crank.json": welchSliderCrank as never,
  "equations-four-bars.json": braunFourBars as never,
  "equations-biped.json": braunBiped1 as never,
};

test("every example is here", () => {
  expect(Object.keys(byHand).sort()).toEqual(names.sort());
});

describe.each(names)("%s", (name) => {
  test("matches the accelerations of the hand-written equations", () => {
    const { system } = read(textOf(name));
    const { equations: known, q, v } = byHand[name]!;
    const random = seeded(7);
    const options = {
      method: { formulation: udwadiaKalaba(), integrator: rk4() },
      step: 1e-3,
      start: "asGiven" as const,
    };
    for (let i = 0; i < 5; i++) {
      const state = {
        q: Array.from(q, (x) => x + 0.1 * (2 * random() - 1)),
        v: Array.from(v, (x) => x + 0.5 * (2 * random() - 1)),
      };
      const [found, wanted] = [system, known].map((source) =>
        simulate(source as typeof system, { ...options, ...state }).accelerations(),
      );
      const size = Math.max(1, ...wanted!.map(Math.abs));
      for (let k = 0; k < q.length; k++) {
        expect(Math.abs(found![k]! - wanted![k]!) / size).toBeLessThan(1e-11);
      }
    }
  });

  test("starts where the hand-written one starts, and runs", () => {
    const file = read(textOf(name));
    expect(Array.from(file.system.q ?? [])).toEqual(Array.from(byHand[name]!.q));
    const [from] = file.settings.solve!.span;
    const options = file.solveOptions({ span: [from, from + 0.02] });
    const solution = solve(file.system, options);
    expect(solution.status, solution.reason).toBe("finished");
    for (const { read: value } of file.columns) {
      expect(Number.isFinite(value(solution.end))).toBe(true);
    }
  });

  test("matches its schema", () => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(
      equationsJsonSchema() as object,
    );
    expect(validate(JSON.parse(textOf(name))), JSON.stringify(validate.errors)).toBe(true);
  });
});

test("a file may have switched rows with one or two formulas", () => {
  const document = {
    nodrift: 1,
    name: "skate",
    units: "SI",
    equations: {
      coordinates: ["x", "y"],
      parameters: { L: 1 },
      mass: [1, 1],
      holonomic: { rope: "x - L" },
      nonholonomic: { edge: "y'" },
      when: { rope: { begin: "x - L", end: "t - 3" }, edge: "(t - 1)*(2 - t)" },
      start: { "x'": 0.4, "y'": 1 },
    },
    solve: { span: [0, 4] },
  };
  const file = read(JSON.stringify(document));
  const { events, end } = solve(file.system, file.solveOptions());
  const times = events.map(({ name, time }) => [name, Math.round(1e6 * time) / 1e6]);
  expect(times).toEqual([
    ["edge", 1],
    ["edge", 2],
    ["rope", 2.5],
    ["rope", 3],
  ]);
  expect([...end.q]).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)]);
  const wrong = { ...document.equations, when: { rope: ["x"], edge: { begin: "x" } } };
  expect(problemsOf(JSON.stringify({ ...document, equations: wrong }))).toMatchObject([
    {
      pointer: "/equations/when/rope",
      message: expect.stringContaining('is ["x"]; give a formula, or { begin, end }'),
    },
    { pointer: "/equations/when/edge/end", message: expect.stringContaining("end") },
  ]);
});

const pendulum = (change: (document: never) => void) => {
  const document = JSON.parse(textOf("equations-pendulum.json"));
  change(document as never);
  return JSON.stringify(document, null, 1);
};

function problemsOf(text: string) {
  try {
    readSystem(text);
  } catch (error) {
    if (error instanceof ModelFileError) return error.problems;
    throw error;
  }
  return [];
}

interface Loose {
  equations: Record<string, unknown> & { holonomic: Record<string, string> };
  output: Record<string, unknown>;
  events: unknown;
  solve: Record<string, unknown>;
}

test.each<[string, (document: Loose) => void, string, string]>([
  [
    "a name that is not there",
    ({ equations }) => {
      equations.holonomic.length = "x^2 + z^2 - L^2";
    },
    "/equations/holonomic",
    'unknown name "z"',
  ],
  [
    "a key that is misspelt",
    ({ equations }) => {
      equations.lagrangean = equations.lagrangian;
    },
    "/equations/lagrangean",
    "did you mean lagrangian?",
  ],
  [
    "a value that is no formula",
    ({ equations }) => {
      equations.lagrangian = [1];
    },
    "/equations/lagrangian",
    "give a formula or a number",
  ],
  [
    "a column that is wrong",
    ({ output }) => {
      output.values = ["x", "sin("];
    },
    "/output/values/1",
    "at character",
  ],
  [
    "an event that bounces",
    (document) => {
      document.events = [{ when: "y", action: { bounce: 1 } }];
    },
    "/events/0/action",
    'give "mark" or "stop"',
  ],
  [
    "a method that nobody knows",
    ({ solve: settings }) => {
      settings.method = "dop8533";
    },
    "/solve/method",
    "dop853",
  ],
])("%s is reported with its location", (_, change, pointer, words) => {
  const problems = problemsOf(pendulum(change as never));
  const found = problems.find((one) => one.pointer === pointer);
  expect(found?.message, JSON.stringify(problems)).toContain(words);
  expect(found?.line).toBeGreaterThan(1);
});

test("readModel accepts mechanisms only", () => {
  expect(() => readModel(textOf("equations-pendulum.json"))).toThrow("use readSystem");
  expect("model" in readSystem(readFileSync("examples/pendulum.json", "utf8"))).toBe(true);
});

test("events stop runs, and solve uses the options of the file", () => {
  const text = pendulum(((document: Loose) => {
    document.events = [{ name: "lowest", when: "x", direction: "falling", action: "stop" }];
  }) as never);
  const file = read(text);
  const { status, end } = solve(file.system, file.solveOptions());
  expect(status).toBe("event");
  // A quarter of a swing from level: 1.8540746773 sqrt(L/g).
  expect(end.time).toBeCloseTo(1.854074677301372 / Math.sqrt(9.81), 7);
  expect(() => read(pendulum((d: Loose) => delete d.solve.span as never)).solveOptions()).toThrow();
});

test("damaged files are rejected with their problems, or run", () => {
  const texts = names.filter((name) => !name.includes("biped")).map(textOf);
  let [accepted, refused] = [0, 0];
  // Most damage makes formulas invalid; changed digits make other systems.
  const random = seeded(5);
  const changed = Array.from({ length: 60 }, (_, i) => {
    const text = texts[i % texts.length]!;
    const digits = [...text.matchAll(/\d/g)].map(({ index }) => index);
    const at = digits[Math.floor(random() * digits.length)]!;
    return text.slice(0, at) + Math.floor(10 * random()) + text.slice(at + 1);
  });
  for (const text of [...damagedFiles(texts, 200, 3), ...changed]) {
    try {
      const file = readSystem(text);
      accepted++;
      if ("system" in file) {
        const [from] = file.settings.solve?.span ?? [0];
        solve(file.system, file.solveOptions({ span: [from, from + 1e-3], maximumSteps: 20 }));
      }
    } catch (error) {
      expect(error, text.slice(0, 300)).toBeInstanceOf(NodriftError);
      refused++;
    }
  }
  expect(accepted).toBeGreaterThan(10);
  expect(refused).toBeGreaterThan(50);
});

test("held coordinates keep their given values", () => {
  const document = {
    nodrift: 1,
    name: "crank",
    units: "SI",
    equations: {
      coordinates: ["theta", "x"],
      mass: [1, 1e6],
      holonomic: { rod: "(x - cos(theta))^2 + sin(theta)^2 - 9" },
      start: { theta: 0.7, x: 3.5, "theta'": -5 },
    },
    start: { hold: ["theta"] },
    solve: { span: [0, 1e-3] },
  };
  const file = read(JSON.stringify(document));
  const first = solve(file.system, file.solveOptions()).at(0);
  expect(first.q[0]).toBe(0.7);
  expect(first.q[1]).toBeCloseTo(Math.cos(0.7) + Math.sqrt(9 - Math.sin(0.7) ** 2), 10);
  const wrong = (start: unknown) => () => readSystem(JSON.stringify({ ...document, start }));
  expect(wrong({ hold: ["y"] })).toThrow(/start\/hold\/0: there is no coordinate "y"/);
  expect(wrong({ joints: {} })).toThrow(/start/);
});
