// Untrusted files: their sizes and the work to reject them are bounded.

import { defaultReadLimits, ModelFileError, readDocument, readModel } from "nodrift/files";
import { describe, expect, test } from "vitest";
import { workOf } from "../support/work.js";
import { edited, errorOf, written } from "./support/mistakes.js";

const { text: crane } = written(edited({}));

describe("limits", () => {
  test("match the documentation", () => {
    expect(defaultReadLimits).toEqual({ size: 5_000_000, depth: 32, values: 500_000 });
  });

  test("default to the documented values if omitted", () => {
    const deep = "[".repeat(33);
    for (const limits of [{}, { size: 1000 }, { depth: undefined as unknown as number }]) {
      expect(() => readModel(deep, limits)).toThrow("nested more than 32 deep");
    }
  });

  test("bound the size", () => {
    expect(errorOf(" ".repeat(5_000_001)).message).toContain(
      "the file has 5000001 characters, more than the 5000000 allowed",
    );
    expect(readModel(crane, { size: crane.length }).name).toBe("crane");
    expect(() => readModel(crane, { size: crane.length - 1 })).toThrow(ModelFileError);
  });

  test("bound the depth", () => {
    const nested = (levels: number) => `{ "a": ${"[".repeat(levels)}${"]".repeat(levels)} }`;
    expect(errorOf(nested(32)).problems[0]).toMatchObject({
      line: 1,
      column: 39,
      message: "lists and objects are nested more than 32 deep",
    });
    expect(errorOf(nested(31)).message).not.toContain("nested");
    expect(() => readModel(crane, { depth: 3 })).toThrow("nested more than 3 deep");
    expect(errorOf(`{ "a": "${"[".repeat(100)}" }`).message).not.toContain("nested");
  });

  test("bound the number of values", () => {
    const list = (count: number) => `[${Array.from({ length: count }, () => 1).join()}]`;
    expect(errorOf(list(500_000)).message).toContain("more than the 500000 values allowed");
    expect(() => readModel("[[], [], []]", { values: 3 })).toThrow("more than the 3 values");
    expect(() => readModel("[[], [], []]", { values: 4 })).toThrow("give an object");
  });

  test("bound the length of names and texts", () => {
    const long = (edits: Record<string, string>) => errorOf(written(edited(edits)).text).message;
    expect(long({ "/name": "n".repeat(201) })).toContain("is longer than 200 characters");
    expect(long({ "/description": "d".repeat(20_001) })).toContain("is longer than 20000");
    expect(long({ "/joints/2/angle": `t${" + t".repeat(5000)}` })).toContain("longer than 20000");
  });
});

describe("values of a program", () => {
  const plain = () => JSON.parse(crane) as Record<string, unknown>;

  test("copy the data", () => {
    const given = plain();
    const file = readDocument(given);
    (given.output as { values: string[] }).values[0] = "no formula";
    (given.gravity as number[])[2] = 0;
    expect(file.settings.output?.values?.[0]).toBe("x('rocker')");
    expect(file.model.gravity[2]).toBe(-9.81);
  });

  test("accept undefined values", () => {
    expect(readDocument({ ...plain(), description: undefined, view: undefined }).name).toBe(
      "crane",
    );
    const [spring] = plain().forces as object[];
    const { model } = readDocument({ ...plain(), forces: [{ ...spring, force: undefined }] });
    expect(model.data().forces[0].update).toBeUndefined();
  });

  test("reject data that is not plain", () => {
    const odd = [new Date(), new Map(), new Float64Array(3), /x/, new (class Vector {})()];
    for (const gravity of odd) {
      expect(() => readDocument({ ...plain(), gravity })).toThrow("/gravity: only plain objects");
    }
    for (const gravity of [() => 1, Symbol("g"), 5n, Number.NaN]) {
      expect(() => readDocument({ ...plain(), gravity })).toThrow(ModelFileError);
    }
    expect(readDocument(Object.assign(Object.create(null), plain())).name).toBe("crane");
  });

  test("reject keys with a special meaning in JavaScript", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const hostile = JSON.parse('{ "__proto__": { "polluted": true } }');
    expect(() => readDocument({ ...plain(), view: hostile })).toThrow('"__proto__" is not allowed');
    expect(() => readDocument({ ...plain(), constructor: 1 })).toThrow(
      '"constructor" is not allowed',
    );
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  test("reject cyclic data", () => {
    const circular = plain();
    circular.view = circular;
    expect(() => readDocument(circular)).toThrow("nested more than 32 deep");
  });

  test("reject arguments of the wrong type with a message", () => {
    expect(() => readModel(plain() as unknown as string)).toThrow("use readDocument");
  });
});

/**
 * Work that a text may make: in proportion to its length. Work that grows with the square of a file would be hundreds or
 * thousands for each character.
 */
const mostWork = (text: string) => 1e6 + 50 * text.length;

const many = (count: number, entry: (i: number) => string, between = ",") =>
  Array.from({ length: count }, (_, i) => entry(i)).join(between);

/** A file of one body with some text in it. */
const around = (rest: string, bodies = "") =>
  `{"nodrift":1,"name":"x","units":"SI","gravity":[0,0,0],"bodies":[${bodies}` +
  `{"name":"a","mass":1,"inertia":[1,1,1]}]${rest}}`;

const ball = (i: number, name = "s") =>
  `{"type":"spherical","name":"${name}${i}","between":["ground","a"],"at":[0,0,0]}`;
const balls = (count: number) => `,"joints":[${many(count, (i) => ball(i))}]`;
const product = many(200, (i) => `sin(${i + 2}*x)`, "*");
const drive = (i: number) => `{"type":"driveAngle","joint":"h","angle":"f(t)+${i}"}`;

const hostile: Record<string, () => string> = {
  "four million brackets": () => "[".repeat(4e6),
  "a million objects in each other": () => '{"a":'.repeat(8e5),
  "four million blanks": () => " ".repeat(4e6),
  "a long name": () => around("").replace('"x"', `"${"x".repeat(4e6)}"`),
  "a long key": () => around(`,"${"x".repeat(4e6)}":1`),
  "a long type": () => around(`,"joints":[{"type":"${"x".repeat(4e6)}"}]`),
  "a long word": () => around(`,"output":{"at":"${"x".repeat(4e6)}"}`),
  "a long number": () => around(`,"solve":{"span":[0,${"1".repeat(4e6)}]}`),
  "a long method": () => around(`,"solve":{"span":[0,1],"method":"${"x".repeat(19_900)}"}`),
  "a method of many parts": () =>
    around(`,"solve":{"span":[0,1],"method":"${"rk4+".repeat(2000)}rk4"}`),
  "a quote that is open": () => around(`,"description":"${"x".repeat(3e6)}`),
  escapes: () => around(`,"description":"${"\\u0041".repeat(5e5)}"`),
  "30 000 unknown keys": () => around(`,${many(30_000, (i) => `"k${i}":1`)}`),
  "100 000 wrong numbers": () =>
    around(`,"output":{"at":{"times":[${many(100_000, () => '"x"')}]}}`),
  "joints of unknown bodies": () =>
    around(
      `,"joints":[${many(3000, (i) => ball(i).replace('"a"', `"c${i}"`))}]`,
      many(1500, (i) => `{"name":"b${i}","mass":1,"inertia":[1,1,1]},`, ""),
    ),
  "joints of one name": () => around(`,"joints":[${many(4000, () => ball(0))}]`),
  "drives of later joints": () =>
    around(`,"joints":[${many(4000, drive)},${ball(0, "h").replace("0", "")}]`),
  "modes without what is not there": () =>
    around(
      `${balls(1000)},"modes":[${many(50, (i) => `{"name":"m${i}","without":[${many(1000, (k) => `"u${k}"`)}]}`)}]`,
    ),
  "modes without all": () =>
    around(
      `${balls(1000)},"modes":[${many(50, (i) => `{"name":"m${i}","without":[${many(1000, (k) => `"s${k}"`)}]}`)}]`,
    ),
  "many plots": () =>
    around(
      `,"output":{"plots":[${many(200, () => `{"values":[${many(1000, (k) => `"t+${k}"`)}]}`)}]}`,
    ),
  "many quantities": () =>
    around(
      `${balls(2000)},"output":{"values":[${many(20, (i) => `"${many(1000, (k) => `fx('s${k + i}')`, "+")}"`)}]}`,
    ),
  "long subjects": () =>
    around(`,"output":{"values":[${many(100, (i) => `"x('${":".repeat(19_000)}${i}')"`)}]}`),
  "long words that call a broken function": () =>
    around(
      `,"functions":[{"name":"f"}],"output":{"values":[${many(100, (i) => `"${"a".repeat(19_000)}${i}"`)}]}`,
    ),
};

/** Formulas that call one long function. */
const longFormulas = () => {
  const place = '"at":[0,0,0],"axis":[0,0,1]';
  const hinge = `{"type":"revolute","name":"h","between":["ground","a"],${place}}`;
  const long = `{"name":"f","of":["x"],"expression":"${product}"}`;
  return around(`,"functions":[${long}],"joints":[${hinge},${many(500, drive)}]`);
};

describe("hostile texts are rejected without much work:", () => {
  test("the work counter detects quadratic growth", () => {
    const text = " ".repeat(3000);
    const isSame = (a: number, b: number) => text[a] === text[b];
    const { work } = workOf(() => {
      for (let a = 0; a < text.length; a++) for (let b = 0; b < text.length; b++) isSame(a, b);
    });
    expect(work).toBeGreaterThan(text.length ** 2);
    expect(work).toBeGreaterThan(mostWork(text));
  });

  test.each(Object.entries(hostile))("%s", (_, make) => {
    const text = make();
    expect(text.length).toBeLessThan(defaultReadLimits.size);
    let problems = 0;
    let shown = 0;
    const { work } = workOf(() => {
      try {
        readModel(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ModelFileError);
        ({ length: problems } = (error as ModelFileError).problems);
        shown = (error as Error).message.length;
      }
    });
    expect(work).toBeLessThan(mostWork(text));
    expect(problems).toBeLessThanOrEqual(1000);
    expect(shown).toBeLessThan(30_000);
  });

  test("formulas with long functions are reported once", () => {
    const text = longFormulas();
    const { result, work } = workOf(() => errorOf(text));
    const { problems } = result;
    expect(work).toBeLessThan(mostWork(text));
    expect(problems).toHaveLength(1);
    expect(problems[0].pointer).toMatch(/^\/joints\/\d+\/angle$/);
    expect(problems[0].message).toBe(
      "from here on the formulas of the file exceed the limit of their total length",
    );
  });
});
