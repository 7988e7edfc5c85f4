// Keys that are missing, misspelt or of the wrong type. Each is told once, where it is.

import { readModel } from "nodrift/files";
import { describe, expect, test } from "vitest";
import { edited, expectMistake, written } from "./support/mistakes.js";
import { bodies, entries, file, misspelt } from "./support/structure-mistakes.js";

test("the file that mistakes are made in has none", () => {
  const { model, columns } = readModel(written(edited({})).text);
  expect(model.data().joints).toHaveLength(3);
  expect(columns).toHaveLength(2);
});

describe.each([
  ["a file", file],
  ["misspelt keys", misspelt],
  ["bodies", bodies],
  ["joints, forces and functions", entries],
])("%s", (_, mistakes) => {
  test.each(mistakes)("%s", (...mistake) => {
    expectMistake(mistake);
  });
});
