// Files with one mistake each, which is reported once, at its location, with a suggestion.

import { readModel } from "nodrift/files";
import { describe, expect, test } from "vitest";
import { formulas } from "./support/formula-mistakes.js";
import * as mechanism from "./support/mechanism-mistakes.js";
import { edited, expectMistake, written } from "./support/mistakes.js";
import * as settings from "./support/settings-mistakes.js";
import * as structure from "./support/structure-mistakes.js";

test("the original file has no mistakes", () => {
  const { model, columns } = readModel(written(edited({})).text);
  expect(model.data().joints).toHaveLength(3);
  expect(columns).toHaveLength(2);
});

describe.each([
  ["keys of a file", structure.file],
  ["keys that are misspelt", structure.misspelt],
  ["keys of bodies", structure.bodies],
  ["keys of joints, forces and functions", structure.entries],
  ["bodies", mechanism.bodies],
  ["names of others", mechanism.references],
  ["joints", mechanism.joints],
  ["forces", mechanism.forces],
  ["formulas and tables", formulas],
  ["solving", settings.solving],
  ["output", settings.output],
  ["events", settings.events],
  ["modes and views", settings.others],
])("%s", (_, mistakes) => {
  test.each(mistakes)("%s", (...mistake) => {
    expectMistake(mistake);
  });
});
