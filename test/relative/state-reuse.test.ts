// The end of a step is the beginning of the next, and its quantities are reused. Results must not show it.

import { compile } from "nodrift/bodies";
import { bennett, nFourBar } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";

const models = { "two four-bars": () => nFourBar(2), Bennett: () => bennett() };

describe.each(Object.entries(models))("reuse of quantities: %s", (_, make) => {
  const started = async () =>
    (await compile(make(), { coordinates: "relative" })).simulate({ step: 1e-3 });

  test("continues with the same bits after a restored snapshot", async () => {
    const simulation = await started();
    const snapshot = simulation.advance(20).save();
    const first = [...simulation.advance(20).q];
    simulation.restore(snapshot);
    expect([...simulation.advance(20).q]).toEqual(first);
    // Immediately, while quantities of a later state are stored.
    simulation.restore(snapshot);
    expect([...simulation.advance(10).advance(10).q]).toEqual(first);
  });

  test("queries between steps and setState do not change the motion", async () => {
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

test("q and v follow the motion whether they were read before or not", async () => {
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
