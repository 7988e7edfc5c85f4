// Initial joint coordinates in a model file act like the option of compile, and are written unchanged.

import { type Body, compile, model } from "nodrift/bodies";
import { readDocument, readModel, writeDocument, writeModel } from "nodrift/files";
import { expect, test } from "vitest";
import { arm } from "./support/models.js";

const joints = { elbow: 7.5, shoulder: { angle: 0.3, angleRate: -2 } };

test("a file with initial joint coordinates compiles like the call", async () => {
  const file = readDocument(writeDocument(arm(), { units: "SI", start: { joints } }));
  const [read, called] = [await file.compile(), await compile(arm(), { joints })];
  expect(read.q).toEqual(called.q);
  expect(read.v).toEqual(called.v);
  expect(read.simulate({ step: 1 }).joint("elbow").angle).toBeCloseTo(7.5, 13);
});

test("initial joint coordinates are written again unchanged", () => {
  const text = writeModel(arm(), { units: "SI", start: { joints } });
  const file = readModel(text);
  expect(file.settings.start).toEqual({ joints });
  expect(writeModel(file.model, file.settings)).toBe(text);
});

test("options of the call replace those of the file", async () => {
  const file = readDocument(writeDocument(arm(), { units: "SI", start: { joints } }));
  const other = await file.compile({ joints: { elbow: 1 } });
  expect(other.q).toEqual((await compile(arm(), { joints: { elbow: 1 } })).q);
  const held = await file.compile({ hold: ["upper"] });
  expect(held.q).toEqual((await compile(arm(), { hold: ["upper"] })).q);
});

test("mistakes are reported with their location in the file", () => {
  const wrong = (start: unknown) => () => readDocument({ ...writeDocument(arm()), start });
  expect(wrong({ joints: { elbw: 1 } })).toThrow(/there is no joint "elbw".*elbow/);
  expect(wrong({ joints: { elbow: "1" } })).toThrow(/is "1"; give a finite number/);
  expect(wrong({ joints: { elbow: { angel: 1 } } })).toThrow(/angel.*angle/);
  expect(wrong({})).toThrow(/"joints" is missing/);
  expect(wrong({ joints: [1] })).toThrow(/joints/);
  expect(wrong({ hold: ["uper"] })).toThrow(/start\/hold\/0: there is no body "uper".*upper/);
  expect(wrong({ hold: ["ground"] })).toThrow(/the ground is fixed/);
  expect(wrong({ hold: "upper" })).toThrow(/hold/);
  expect(wrong({ hold: [], joints })).toThrow(/has "joints" and "hold": use only one of them/);
});

test("held bodies of a file match those of the call, and are written again", async () => {
  // The velocities do not fit: one of the bodies has to change.
  const moving = () => {
    const m = model({ name: "moving" });
    const [rod, bob] = [1, 2].map((x) =>
      m.body({
        name: `body ${x}`,
        mass: 1,
        inertia: [1, 1, 1],
        position: [x, 0, 0],
        angularVelocity: [0, x, 0],
      }),
    ) as [Body, Body];
    const at = [0, 0, 0] as const;
    m.revolute({ name: "hinge", between: [m.ground, rod], at, axis: [0, 1, 0] });
    m.fixed({ name: "weld", between: [rod, bob], at: [1.5, 0, 0] });
    return m;
  };
  for (const hold of [["body 1"], ["body 2"], []]) {
    const file = readDocument(writeDocument(moving(), { units: "SI", start: { hold } }));
    const [read, called] = [await file.compile(), await compile(moving(), { hold })];
    expect(read.q).toEqual(called.q);
    expect(read.v).toEqual(called.v);
    expect(file.settings.start).toEqual({ hold });
    const text = writeModel(file.model, file.settings);
    expect(writeModel(readModel(text).model, readModel(text).settings)).toBe(text);
    const other = await file.compile({ hold: ["body 1"] });
    expect(other.v).toEqual((await compile(moving(), { hold: ["body 1"] })).v);
  }
  const plain = readDocument(writeDocument(moving(), { units: "SI" }));
  await expect(plain.compile()).rejects.toThrow("inconsistent");
});
