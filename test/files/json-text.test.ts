// Messages and positions of errors for texts that are not, or almost, JSON.

import { readModel } from "nodrift/files";
import { describe, expect, test } from "vitest";
import { edited, errorOf, written } from "./support/mistakes.js";

/** A text, the position of its error, and the reason. */
const broken: [string, string, string, string][] = [
  ["nothing", "", "1:1", "it is empty"],
  ["blanks", "  \n ", "1:1", "it is empty"],
  [
    "a comma at the end of a list",
    '{\n "a": [1, 2,]\n}',
    "2:13",
    "remove the trailing comma before this",
  ],
  [
    "a comma at the end of an object",
    '{\n "a": 1,\n}',
    "3:1",
    "remove the trailing comma before this",
  ],
  [
    "a comment",
    '{\n // the crane\n "a": 1 }',
    "2:2",
    'comments are not allowed; use "description"',
  ],
  ["a comment before all", "/* crane */ {}", "1:1", "comments are not allowed"],
  ["single quotes", "{ 'a': 1 }", "1:3", "texts and keys need straight double quotes, not '"],
  ["curved quotes", '{ "a": “b” }', "1:8", "texts and keys need straight double quotes, not “"],
  ["a key without quotes", '{ "b": 1, name: 1 }', "1:11", 'keys need double quotes: write "name"'],
  ["no comma", '{\n "a": 1\n "b": 2\n}', "3:2", "a comma is missing before this"],
  [
    "no comma after a text",
    '{ "a": "x" "b": 2 }',
    "1:12",
    "a comma or a colon is missing before this",
  ],
  ["no colon", '{ "a" 1 }', "1:7", "a comma or a colon is missing before this"],
  [
    "NaN",
    '{ "a": NaN }',
    "1:8",
    "unknown word NaN: expected a number, true, false, null or a quoted text",
  ],
  ["Infinity", '{ "a": Infinity }', "1:8", "unknown word Infinity"],
  ["minus Infinity", '{ "a": -Infinity }', "1:8", "unknown word -Infinity"],
  ["undefined", '{ "a": undefined }', "1:8", "unknown word undefined"],
  ["Python's words", '{ "a": True }', "1:8", "unknown word True"],
  [
    "a bracket that is open",
    '{ "a": [1, 2',
    "1:13",
    "unexpected end: a bracket or quote is not closed",
  ],
  [
    "a quote that is open",
    '{ "a": "abc',
    "1:12",
    "unexpected end: a bracket or quote is not closed",
  ],
  ["an object that is open", '{ "a": { "b": 1 }', "1:18", "unexpected end"],
  ["two values", "{}\n{}", "2:1", "unexpected text after the closing bracket"],
  ["a plus sign", '{ "a": +1 }', "1:8", "numbers must not have a plus sign"],
  ["a point without digits before", '{ "a": .5 }', "1:8", "write a digit before the decimal point"],
  ["a zero too many", '{ "a": 012 }', "1:8", "numbers must not start with a zero"],
  ["the wrong bracket", '{ "a": [1} }', "1:10", "unexpected }"],
  ["a blank that is none", '{\u00a0"a": 1 }', "1:2", "unexpected U+00A0"],
  ["a web page", "<!DOCTYPE html>", "1:1", "unexpected <"],
  ["a character of control", '{ "a": \u0000 }', "1:8", "unexpected U+0000"],
];

describe("invalid JSON:", () => {
  test.each(broken)("%s", (_, text, place, reason) => {
    const { problems, message } = errorOf(text);
    expect(problems).toHaveLength(1);
    const [{ line, column, pointer }] = problems;
    expect(problems[0].message).toContain(`invalid JSON: ${reason}`);
    expect([`${line}:${column}`, pointer]).toEqual([place, ""]);
    expect(message).toContain(`line ${place}: invalid JSON`);
  });

  test.each([
    ["a line break", '{ "name": "crane\n of steel" }'],
    ["a tab", '{ "name": "crane\tof steel" }'],
    ["a quote that was not closed", '{ "name": "crane,\n "units": "SI" }'],
  ])("%s in a text", (_, text) => {
    const { problems } = errorOf(text);
    expect(problems[0].message).toContain("close its quote, or write \\n or \\t");
    expect(problems[0].line).toBe(1);
    expect(text[problems[0].column! - 1]).toMatch(/\s/);
  });
});

describe("keys", () => {
  test("must be unique, even if one is written with escapes", () => {
    const places = ['{ "name": "a",\n "name": "b" }', '{ "name": "a",\n "n\\u0061me": "b" }'];
    for (const text of places) {
      const { problems } = errorOf(text);
      expect(problems[0]).toMatchObject({ line: 2, column: 2, message: 'duplicate key "name"' });
    }
    const inner = written(edited({})).text.replace('"mass": 1', '"mass": 1, "mass": 2');
    expect(errorOf(inner).message).toContain('duplicate key "mass"');
  });

  test.each(["__proto__", "constructor", "prototype", "__pr\\u006fto__"])(
    "named %s are rejected and have no effect",
    (key) => {
      const before = Object.getOwnPropertyNames(Object.prototype);
      const texts = [`{ "${key}": { "polluted": 1 } }`, `{ "view": { "${key}": 1 } }`];
      for (const text of texts) {
        const { problems } = errorOf(text);
        expect(problems[0].message).toMatch(/^the key "\w+" is not allowed$/);
      }
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
      expect(({} as { polluted?: number }).polluted).toBeUndefined();
    },
  );

  test("must not exceed 200 characters", () => {
    const { problems } = errorOf(`{ "${"k".repeat(201)}": 1 }`);
    expect(problems[0]).toMatchObject({ line: 1, column: 3, message: /more than 200 char/ });
  });
});

describe("texts", () => {
  const named = (name: string) => written(edited({ "/name": "NAME" })).text.replace("NAME", name);

  test("accept a byte order mark and all kinds of line breaks", () => {
    const { text } = written(edited({}));
    for (const other of [`\uFEFF${text}`, text.replaceAll("\n", "\r\n"), `\n\n${text}\n\n`]) {
      expect(readModel(other).name).toBe("crane");
    }
    expect(errorOf(`\uFEFF\uFEFF${text}`).message).toContain("unexpected U+FEFF");
  });

  test("count lines and columns as editors do", () => {
    const { text, lineOf } = written(edited({ "/name": 5 }));
    const [problem] = errorOf(`\uFEFF${text.replaceAll("\n", "\r\n")}`).problems;
    expect([problem.line, problem.column]).toEqual([lineOf("/name"), 3]);
  });

  test("accept escapes, and any letters in names", () => {
    expect(readModel(named("Кран \\u00e9t\\u00e9 \ud83c\udfd7 \\ud83c\\udfd7")).name).toBe(
      "Кран été \ud83c\udfd7 \ud83c\udfd7",
    );
  });

  test.each([
    ["of control", "a\\u0007b"],
    ["that end lines", "a\\u2028b"],
    ["that turn lines round", "a\\u202eb"],
    ["that are halves", "a\\ud800b"],
  ])("reject names with characters %s", (_, name) => {
    const { problems } = errorOf(named(name));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ pointer: "/name" });
    expect(problems[0].message).toContain("contains control characters or unpaired surrogates");
  });
});

describe("numbers", () => {
  const numberOf = (digits: string) => {
    const { text } = written(edited({ "/bodies/1/velocity": ["NUMBER", 0, 0] }));
    return readModel(text.replace('"NUMBER"', digits)).model.data().bodies[1].velocity![0];
  };

  test.each(["5e-324", "1E5", "0.1", "1e-400", "123456789012345678", "2.5e+3", "-0.0"])(
    "match those of JavaScript: %s",
    (digits) => {
      expect(numberOf(digits)).toBe(Number(digits) + 0);
    },
  );

  test("must not overflow", () => {
    expect(() => numberOf("1e999")).toThrow(
      '/bodies/1/velocity/0: entry 0 of "velocity" is Infinity; give a finite number',
    );
    expect(() => numberOf("-1e999")).toThrow("is -Infinity; give a finite number");
  });
});
