// A start by joints in a model file is the option of compile, and is written as it was read.

import { compile } from "nodrift/bodies";
import { readDocument, readModel, writeDocument, writeModel } from "nodrift/files";
import { expect, test } from "vitest";
import { arm } from "./support/models.js";

const joints = { elbow: 7.5, shoulder: { angle: 0.3, angleRate: -2 } };

test("a file starts where the call does", async () => {
  const file = readDocument(writeDocument(arm(), { units: "SI", start: { joints } }));
  const [read, called] = [await file.compile(), await compile(arm(), { joints })];
  expect(read.q).toEqual(called.q);
  expect(read.v).toEqual(called.v);
  expect(read.simulate({ step: 1 }).joint("elbow").angle).toBeCloseTo(7.5, 13);
});

test("is written again as it was", () => {
  const text = writeModel(arm(), { units: "SI", start: { joints } });
  const file = readModel(text);
  expect(file.settings.start).toEqual({ joints });
  expect(writeModel(file.model, file.settings)).toBe(text);
});

test("options of the call replace it", async () => {
  const file = readDocument(writeDocument(arm(), { units: "SI", start: { joints } }));
  const other = await file.compile({ joints: { elbow: 1 } });
  expect(other.q).toEqual((await compile(arm(), { joints: { elbow: 1 } })).q);
  const held = await file.compile({ hold: ["upper"] });
  expect(held.q).toEqual((await compile(arm(), { hold: ["upper"] })).q);
});

test("what is wrong is named with its place", () => {
  const wrong = (start: unknown) => () => readDocument({ ...writeDocument(arm()), start });
  expect(wrong({ joints: { elbw: 1 } })).toThrow(/there is no joint "elbw".*elbow/);
  expect(wrong({ joints: { elbow: "1" } })).toThrow(/must be a number/);
  expect(wrong({ joints: { elbow: { angel: 1 } } })).toThrow(/angel.*angle/);
  expect(wrong({})).toThrow(/"joints" is missing/);
  expect(wrong({ joints: [1] })).toThrow(/joints/);
});
