// Live models with events in a worker match `solve` through all mode changes.

import { readdirSync, readFileSync } from "node:fs";
import { type ModelDocument, readDocument } from "nodrift/files";
import { solve } from "nodrift/solve";
import { spawn } from "nodrift/worker";
import { expect, test } from "vitest";
import { models } from "../../site/models/index.js";
import { ManualClock, WorkerHere } from "./support/session.js";

const examples = readdirSync("examples")
  .filter((name) => !name.startsWith("equations-"))
  .map((name) => JSON.parse(readFileSync(`examples/${name}`, "utf8")) as ModelDocument);
const documents = [...examples, ...Object.values(models).map((make) => make())].filter(
  ({ events = [], modes = [] }) => events.length + modes.length > 0,
);

test("examples include models with modes and with impacts", () => {
  expect(documents.length).toBeGreaterThan(2);
  expect(documents.some(({ modes }) => modes !== undefined)).toBe(true);
});

test.each(documents.map((document) => [document.name, document] as const))(
  "%s in a worker matches solve",
  async (_, document) => {
    const file = readDocument(document);
    const system = await file.compile();
    const solution = solve(system, file.solveOptions(system, { output: "steps" }));
    expect(solution.events.length).toBeGreaterThan(1);
    // Compared up to 1.5 times the time of the second event: later bounces depend on rounding.
    const until = Math.min(1.5 * solution.events[1].time, solution.end.time - 1e-3);
    const bodies = file.model.data().bodies.map(({ name }) => name);
    const values = Object.fromEntries(
      bodies.flatMap((name) =>
        ["x", "y", "z"].map((axis) => [`${name} ${axis}`, `${axis}('${name}')`]),
      ),
    );
    const clock = new ManualClock();
    const worker = new WorkerHere(clock, () => readDocument(document));
    const live = await spawn(worker, { timeout: Number.POSITIVE_INFINITY, values });
    let frames = 0;
    live.on("frame", () => {
      const { reached } = live;
      if (reached > solution.end.time) return;
      frames++;
      const state = solution.at(reached);
      const found = bodies.flatMap((name) =>
        ["x", "y", "z"].map((axis) => live.value(`${name} ${axis}`)),
      );
      const exact = bodies.flatMap((name) => [...state.body(name).position]);
      for (const [i, value] of exact.entries())
        expect(Math.abs(found[i] - value)).toBeLessThan(1e-4);
      const mode = solution.events.filter(({ time }) => time <= reached).at(-1)?.mode;
      const without = document.modes?.find(({ name }) => name === mode)?.without ?? [];
      expect([...live.absent].sort()).toEqual([...without].sort());
    });
    clock.pass(1000 * until);
    expect(frames).toBeGreaterThan(10);
    expect(live.droppedTime).toBe(0);
    live.dispose();
  },
);
