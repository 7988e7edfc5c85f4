import { readdirSync, readFileSync } from "node:fs";
import type { ValidateFunction } from "ajv";
import { describe, expect, test } from "vitest";
import { damagedFiles, judge, publishedSchema } from "../support/hostile-files.js";
import { allCases, documentWith } from "./support/all-types.js";
import { edited } from "./support/mistakes.js";

const texts = [
  ...readdirSync("examples")
    .filter((name) => !name.startsWith("equations-"))
    .map((name) => readFileSync(`examples/${name}`, "utf8")),
  JSON.stringify(documentWith(allCases)),
  JSON.stringify(edited({})),
];
const schema = publishedSchema();

describe("damaged model files", () => {
  test("cause an error with their problems, or run, without crashes or hangs", async () => {
    const kinds = new Set<string>();
    for (const text of damagedFiles(texts, 600, 1)) {
      const { kind, why, seconds } = await judge(text, schema);
      expect(why).toBeUndefined();
      expect(seconds).toBeLessThan(5);
      kinds.add(kind);
    }
    expect([...kinds].sort()).toEqual(["accepted", "refused"]);
  });

  test("judge detects accepted files that the schema rejects, and unexpected errors", async () => {
    const never = Object.assign(() => false, { errors: [] }) as unknown as ValidateFunction;
    expect((await judge(texts[0], never)).kind).toBe("nonsense");
    const broken = (() => {
      throw new TypeError("a mistake");
    }) as unknown as ValidateFunction;
    expect(await judge(texts[0], broken)).toMatchObject({ kind: "crash" });
    expect((await judge(texts[0], schema)).kind).toBe("accepted");
    expect((await judge("{", schema)).kind).toBe("refused");
  });

  test("differ from each other and depend only on the seed", () => {
    const some = damagedFiles(texts, 100, 7);
    expect(new Set(some).size).toBeGreaterThan(90);
    expect(damagedFiles(texts, 100, 7)).toEqual(some);
  });
});
