// All problems of a file, in the order of its text; each mistake is one of them.

import { NodriftError } from "nodrift";
import { type Json, type ModelFileError, problemText, readDocument } from "nodrift/files";
import { describe, expect, test } from "vitest";
import { type Edits, edited, errorOf, problemsOf, written } from "./support/mistakes.js";

describe("several mistakes", () => {
  const edits: Edits = {
    "/gravity": [0, 0],
    "/view/follow": "nobody",
    "/bodies/1/mass": -2,
    "/joints/0/axis": [0, 0, 0],
    "/solve/method": "dop54",
    "/events/0/when": "z('rocker'",
    "/output/plots/0/titel": "Bend",
    "/functions/0/expression": "exp(",
    "/forces/1/force/2": "1 + * 2",
  };

  test("appear in the order of the lines", () => {
    const { text, lineOf } = written(edited(edits));
    const { problems } = errorOf(text);
    const lines = problems.map(({ line }) => line);
    expect(lines).toEqual([...lines].sort((a, b) => a! - b!));
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      "/gravity",
      "/functions/0",
      "/bodies/1/mass",
      "/joints/0/axis",
      "/forces/1/force/2",
      "/solve/method",
      "/output/plots/0/titel",
      "/events/0/when",
      "/view/follow",
    ]);
    for (const { pointer, line } of problems) expect(line).toBe(lineOf(pointer));
  });

  test("appear as lines of the message", () => {
    const error = errorOf(written(edited(edits)).text);
    const [first, ...lines] = error.message.split("\n");
    expect(first).toBe("the model file has 9 problems:");
    expect(lines.map((line) => line.trim())).toEqual(error.problems.map(problemText));
    expect(lines[0]).toMatch(/^ {2}line \d+:\d+, \/gravity: "gravity" is \[0, 0\]; give/);
    expect(error).toBeInstanceOf(NodriftError);
    expect([error.name, error.code, error.count]).toEqual(["ModelFileError", "DESCRIPTION", 9]);
  });

  test("sort from left to right within a line", () => {
    const text = JSON.stringify(edited(edits));
    const columns = errorOf(text).problems.map(({ line, column }) => {
      expect(line).toBe(1);
      return column!;
    });
    expect(columns).toEqual([...columns].sort((a, b) => a - b));
    expect(text.slice(columns[2] - 1)).toMatch(/^"mass":-2/);
  });

  test("far down a long line keep their order", () => {
    const padding = " ".repeat(1_200_000);
    const text = JSON.stringify(edited({ "/gravity": 1 })).replace(
      '"bodies":',
      `\n${padding}"bodie":1,"bodies":`,
    );
    const places = errorOf(`${text.slice(0, -1)},\n"last": 1}`).problems.map(({ line }) => line);
    expect(places).toEqual([1, 2, 3]);
  });

  test("carry no lines if values were not read from text", () => {
    expect(() => readDocument(edited({ "/gravity": 1, "/bodies/1/mass": 0 }))).toThrow(
      /^the model file has 2 problems:\n {2}\/gravity: .*\n {2}\/bodies\/1\/mass: /,
    );
    try {
      readDocument(edited({ "/gravity": 1 }));
    } catch (error) {
      const [problem] = (error as ModelFileError).problems;
      expect([problem.line, problem.column]).toEqual([undefined, undefined]);
    }
    expect.assertions(2);
  });

  test("carry no pointer if they concern the whole file", () => {
    expect(errorOf("[]").message).toBe(
      "the model file has 1 problem:\n  line 1:1: the file is []; give an object",
    );
    expect(() => readDocument(5)).toThrow("  the file is 5; give an object");
  });
});

/** One mistake, and the parts of the file that depend on it. */
const alone: [string, Edits, string][] = [
  ["a body that is refused", { "/bodies/0/mass": -1 }, "/bodies/0/mass"],
  ["a body of the wrong form", { "/bodies/1/mass": "much" }, "/bodies/1/mass"],
  ["a list of bodies that is none", { "/bodies": 5 }, "/bodies"],
  ["a body that is no object", { "/bodies/0": 1 }, "/bodies/0"],
  ["a body whose name is wrong", { "/bodies/0/name": 7 }, "/bodies/0/name"],
  ["a body with the name of another", { "/bodies/1/name": "crank" }, "/bodies/1/name"],
  [
    "a marker that is refused",
    { "/bodies/0/markers/0/axis": [0, 0, 0] },
    "/bodies/0/markers/0/axis",
  ],
  ["a joint that is refused", { "/joints/0/axis": [0, 0, 0] }, "/joints/0/axis"],
  ["a joint of the wrong form", { "/joints/0/axiss": 1 }, "/joints/0/axiss"],
  ["a joint of an unknown body", { "/joints/0/between/1": "shaft" }, "/joints/0/between/1"],
  ["a joint of an unknown type", { "/joints/1/type": "elbow" }, "/joints/1/type"],
  ["a list of joints that is none", { "/joints": {} }, "/joints"],
  ["a drive that is refused", { "/joints/2/angle": "t +" }, "/joints/2/angle"],
  ["a function that is refused", { "/functions/0/expression": "x +" }, "/functions/0"],
  ["a function of the wrong form", { "/functions/0/of": undefined }, "/functions/0/of"],
  ["functions that are no list", { "/functions": 1 }, "/functions"],
  ["a column that is refused", { "/output/values/1/value": "angle(" }, "/output/values/1/value"],
  ["a column of the wrong form", { "/output/values/1/unitt": "m" }, "/output/values/1/unitt"],
  ["a mode that is refused", { "/modes/0/without/0": "nothing" }, "/modes/0/without/0"],
  ["a mode of the wrong form", { "/modes/0/without": 5 }, "/modes/0/without"],
  ["modes that are no list", { "/modes": {} }, "/modes"],
  ["units that are wrong", { "/units": "miles" }, "/units"],
];

describe("consequences of a mistake are not reported:", () => {
  // Markers and functions that are used in more than one place.
  const uses: Edits = {
    "/output/values/2": "vz('crank:tip') + fx('motor')",
    "/output/values/3": "bump(t)",
    "/functions/2": { name: "twice", of: ["x"], expression: "2*bump(x)" },
    "/forces/2": { type: "torsionSpring", name: "brake", joint: "hinge", torque: "-twice(rate)" },
    "/modes/1": { name: "loose", without: ["rubber", "motor", "brake", "hinge", "elbow"] },
    "/view/draw": [
      {
        body: "rocker",
        lines: [
          [
            [0, 0, 0],
            [1, 0, 0],
          ],
        ],
      },
    ],
  };

  test("all uses are valid without the mistake", () => {
    expect(readDocument(edited(uses)).columns).toHaveLength(4);
  });

  test.each(alone)("%s", (_, edits, pointer) => {
    const kept = Object.entries(uses).filter(
      ([place]) => !Object.keys(edits).some((other) => place.startsWith(`${other}/`)),
    );
    const problems = problemsOf({ ...Object.fromEntries(kept), ...edits });
    expect(problems.map((problem) => problem.pointer)).toEqual([pointer]);
  });

  test("an unnamed body that others refer to by its automatic name", () => {
    const edits: Edits = {
      "/bodies/0/name": undefined,
      "/bodies/0/mass": -1,
      "/bodies/1/name": undefined,
      "/joints": [
        { type: "spherical", between: ["ground", "body 1"], at: [0, 0, 0] },
        { type: "spherical", between: ["body 1", "body 2"], at: [1, 0, 0] },
      ],
      "/forces": [],
      "/output": {},
      "/events": [],
      "/modes": [],
      "/view": {},
    };
    expect(problemsOf(edits).map(({ pointer }) => pointer)).toEqual(["/bodies/0/mass"]);
    expect(
      readDocument(edited({ ...edits, "/bodies/0/mass": 1 })).model.data().joints,
    ).toHaveLength(2);
  });

  test("a joint in the list of forces", () => {
    const { joints } = edited({}) as { joints: Json[] };
    const edits: Edits = { "/joints": joints.slice(1), "/forces/2": joints[0] };
    expect(problemsOf(edits).map(({ pointer }) => pointer)).toEqual(["/forces/2/type"]);
  });
});

describe("very many problems", () => {
  test("show their total number and keep the first thousand", () => {
    const values = Array.from({ length: 3000 }, () => "x");
    const error = errorOf(written(edited({ "/output/at": { times: values } })).text);
    expect(error.count).toBe(3000);
    expect(error.problems).toHaveLength(1000);
    const lines = error.message.split("\n");
    expect(lines).toHaveLength(22);
    expect(lines[0]).toBe("the model file has 3000 problems:");
    expect(lines[21]).toBe("  and 2980 more");
  });

  test("keep marking invalid entries after the first thousand", () => {
    const names = Array.from({ length: 1500 }, (_, i) => `k${i}`);
    const unknown = Object.fromEntries(names.map((name) => [`/view/${name}`, 1]));
    // The drive is invalid, which must suppress this problem.
    const edits = { ...unknown, "/joints/2/angel": 1 };
    expect(errorOf(written(edited(edits)).text).count).toBe(1501);
  });
});

test("control characters in a file cannot overwrite the terminal", () => {
  const edits = { "/\u001b[2J": 1, "/view/from": "\u001b[31mred\r\n\u202eback" };
  const { message, problems } = errorOf(written(edited(edits)).text);
  expect(message).toContain("\\u001b[2J");
  expect(message).toContain("\\u001b[31mred\\u000d\\u000a\\u202eback");
  expect(message.split("\n")).toHaveLength(1 + problems.length);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
});
