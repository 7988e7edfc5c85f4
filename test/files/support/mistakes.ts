// Files with mistakes and the expected messages.

import { type Json, ModelFileError, type Problem, readModel } from "nodrift/files";
import { expect } from "vitest";

/** A valid file with a little of everything. */
const crane = `{
  "nodrift": 1,
  "name": "crane",
  "units": "SI",
  "gravity": [0, 0, -9.81],
  "functions": [
    { "name": "bump", "of": ["x"], "expression": "exp(-x^2)" },
    { "name": "pull", "table": { "x": [0, 1, 2], "y": [0, 1, 0] } }
  ],
  "ground": { "markers": [{ "name": "base", "at": [0, 0, 0], "axis": [0, 1, 0] }] },
  "bodies": [
    {
      "name": "crank",
      "mass": 1,
      "shape": { "type": "rod", "length": 1, "axis": [1, 0, 0] },
      "position": [0.5, 0, 0],
      "markers": [{ "name": "tip", "at": [0.5, 0, 0], "axis": [0, 1, 0] }]
    },
    { "name": "rocker", "mass": 2, "inertia": [0.1, 0.2, 0.2], "position": [1.5, 0, 0] }
  ],
  "joints": [
    { "type": "revolute", "name": "hinge", "between": ["ground", "crank"], "at": [0, 0, 0], "axis": [0, 1, 0] },
    { "type": "revolute", "name": "elbow", "between": ["crank", "rocker"], "at": [1, 0, 0], "axis": [0, 1, 0] },
    { "type": "driveAngle", "name": "motor", "joint": "hinge", "angle": "0.3*bump(t)" }
  ],
  "forces": [
    { "type": "spring", "name": "rubber", "between": ["ground", "rocker"], "stiffness": 10, "force": "-0.1*rate" },
    { "type": "pointForce", "name": "wind", "on": { "marker": "tip", "of": "crank" }, "force": ["sin(t)", 0, 0] }
  ],
  "solve": { "span": [0, 2], "tolerance": 1e-8, "method": "dop853" },
  "output": {
    "at": { "rate": 10 },
    "values": ["x('rocker')", { "name": "bend", "value": "angle('elbow')" }],
    "plots": [{ "values": ["bend"] }]
  },
  "events": [
    { "name": "floor", "when": "z('rocker')", "direction": "falling", "action": { "switchTo": "free" } }
  ],
  "modes": [{ "name": "free", "without": ["motor"] }],
  "view": { "from": "front", "follow": "crank", "traces": [{ "body": "crank" }] }
}`;

/** Values by JSON pointers; undefined removes one. Numbers at the end of lists add to them. */
export type Edits = Readonly<Record<string, Json | undefined>>;

type Branch = Record<string, unknown>;

export function edited(edits: Edits): Json {
  const document = JSON.parse(crane) as Branch;
  for (const [pointer, value] of Object.entries(edits)) {
    const keys = pointer.split("/").slice(1);
    const last = keys.pop() as string;
    const parent = keys.reduce((branch, key) => branch[key] as Branch, document);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return document as Json;
}

interface Written {
  readonly text: string;
  /** Lines by pointer; missing entries have the line of their parent. */
  lineOf(pointer: string): number;
}

/** A text with one line for each value, and the lines. */
export function written(value: Json): Written {
  const lines: string[] = [];
  const places = new Map<string, number>();
  const write = (one: unknown, pointer: string, before: string, after: string): void => {
    places.set(pointer, lines.length + 1);
    if (typeof one !== "object" || one === null) {
      lines.push(`${before}${JSON.stringify(one)}${after}`);
      return;
    }
    const entries = Object.entries(one);
    const isList = Array.isArray(one);
    lines.push(`${before}${isList ? "[" : "{"}`);
    for (const [i, [key, inner]] of entries.entries()) {
      const start = isList ? "  " : `  ${JSON.stringify(key)}: `;
      write(inner, `${pointer}/${key}`, start, i < entries.length - 1 ? "," : "");
    }
    lines.push(`${isList ? "]" : "}"}${after}`);
  };
  write(value, "", "", "");
  const lineOf = (pointer: string): number =>
    places.get(pointer) ?? lineOf(pointer.replace(/\/[^/]*$/, ""));
  return { text: lines.join("\n"), lineOf };
}

/** All problems of a text. */
export function errorOf(text: string): ModelFileError {
  try {
    readModel(text);
  } catch (error) {
    if (error instanceof ModelFileError) return error;
    throw error;
  }
  throw new Error("nothing is wrong with this file");
}

export function problemsOf(edits: Edits): readonly Problem[] {
  return errorOf(written(edited(edits)).text).problems;
}

/** A mistake: the change, the pointer of the problem, and its message. */
export type Mistake = readonly [what: string, edits: Edits, pointer: string, words: string];

/** Expects the mistake to be reported once, at its location. */
export function expectMistake([, edits, pointer, words]: Mistake): void {
  const { text, lineOf } = written(edited(edits));
  const { problems, message } = errorOf(text);
  expect(problems.map((problem) => problem.pointer)).toEqual([pointer]);
  expect(problems[0].message).toContain(words);
  expect(problems[0].line).toBe(lineOf(pointer));
  expect(message).toContain(`line ${lineOf(pointer)}:`);
}
