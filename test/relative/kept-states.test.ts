// The end of a step is the beginning of the next, and keeps what is known of it: nothing may tell.

import { compile } from "nodrift/bodies";
import { bennett, nFourBar } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";

const models = { "two four-bars": () => nFourBar(2), Bennett: () => bennett() };

describe.each(Object.entries(models))("%s", (_, make) => {
  const started = async () =>
    (await compile(make(), { coordinates: "relative" })).simulate({ step: 1e-3 });

  test("saved and restored, it goes on with the same bits", async () => {
    const simulation = await started();
    const snapshot = simulation.advance(20).save();
    const first = [...simulation.advance(20).q];
    simulation.restore(snapshot);
    expect([...simulation.advance(20).q]).toEqual(first);
    // At once, with what is known of a later state.
    simulation.restore(snapshot);
    expect([...simulation.advance(10).advance(10).q]).toEqual(first);
  });

  test("questions between steps, and states set anew, do not change the motion", async () => {
    const [plain, asked] = [await started(), await started()];
    for (let i = 0; i < 20; i++) {
      plain.advance();
      asked.advance();
      asked.accelerations();
      asked.energy();
      asked.constraintError();
    }
    expect([...asked.q, ...asked.v]).toEqual([...plain.q, ...plain.v]);
    const [q, v] = [[...plain.q], [...plain.v]];
    const other = await started();
    for (const simulation of [plain, other]) {
      simulation.setState(q, v, { start: "asGiven", time: 0 });
      simulation.advance(5);
    }
    expect([...plain.q, ...plain.v]).toEqual([...other.q, ...other.v]);
  });
});

test("views that were read follow the motion, others are right when they are read", async () => {
  const compiled = await compile(nFourBar(2), { coordinates: "relative" });
  const [held, late] = [0, 1].map(() => compiled.simulate({ step: 1e-3 }));
  const { q } = held;
  held.advance(7);
  late.advance(7);
  expect([...q]).toEqual([...late.q]);
  const snapshot = late.save();
  late.advance(3);
  held.advance(3);
  expect([...q]).toEqual([...late.q]);
  late.restore(snapshot);
  expect([...late.q]).not.toEqual([...q]);
});
