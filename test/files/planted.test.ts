// Several mistakes in one file: the first error names all of them.

import { readdirSync, readFileSync } from "node:fs";
import { ModelFileError, readDocument } from "nodrift/files";
import { expect, test } from "vitest";
import { names, withMistakes } from "../support/planted-mistakes.js";
import { seeded } from "../support/random.js";

const examples = readdirSync("examples")
  .filter((file) => /^(?!equations).*\.json$/.test(file))
  .map((file) => JSON.parse(readFileSync(`examples/${file}`, "utf8")) as object);

test.each([2, 3, 4, 5, 6, 7, 8])("%i independent mistakes are all reported", (count) => {
  const random = seeded(count);
  let [made, missed] = [0, 0];
  for (const example of examples) {
    for (let i = 0; i < 3; i++) {
      const { document, planted } = withMistakes(example, count, random);
      const { problems } = errorOf(document);
      made += planted.length;
      missed += planted.filter((one) => !problems.some((each) => names(each, one))).length;
    }
  }
  expect(made).toBeGreaterThan(60);
  expect(missed).toBe(0);
});

test("suggestions include names of invalid entries", () => {
  const pendulum = JSON.parse(readFileSync("examples/pendulum.json", "utf8"));
  pendulum.joints[0].type = "revolut";
  pendulum.output.values[0].value = "angle('hing')";
  const { problems } = errorOf(pendulum);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining("did you mean revolute?"),
    expect.stringContaining("did you mean hinge?"),
  ]);
});

function errorOf(document: object): ModelFileError {
  try {
    readDocument(document);
  } catch (error) {
    if (error instanceof ModelFileError) return error;
    throw error;
  }
  throw new Error("the mistakes were not found");
}
