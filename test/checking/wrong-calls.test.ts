// A sample of the ten thousands of calls in the metrics: wrong, misspelt and mistyped arguments of every export.

import * as core from "nodrift";
import * as analysis from "nodrift/analysis";
import * as batches from "nodrift/batch";
import * as bodies from "nodrift/bodies";
import * as campaigns from "nodrift/campaign";
import * as files from "nodrift/files";
import * as formulas from "nodrift/formulas";
import * as kernels from "nodrift/kernels";
import * as mechanisms from "nodrift/mechanisms";
import * as solving from "nodrift/solve";
import { expect, test } from "vitest";
import { Enough, functionsOf } from "../support/calls/call.js";
import { allCalls, type Trial, wrongCalls } from "../support/calls/index.js";
import { makeWorld } from "../support/calls/world.js";

test("every exported function is called", async () => {
  const entries = {
    "": core,
    analysis,
    batch: batches,
    bodies,
    campaign: campaigns,
    files,
    formulas,
    kernels,
    mechanisms,
    solve: solving,
  };
  const called = new Set(allCalls(await makeWorld()).map(({ name }) => name));
  const missing = Object.entries(entries).flatMap(([entry, exports]) =>
    functionsOf(exports)
      // `nodrift` has the names of two other entries, too.
      .filter(([name]) => entry !== "" || !(name in bodies || name in solving))
      .map(([name]) => `nodrift${entry === "" ? "" : `/${entry}`} ${name}`)
      .filter((name) => !called.has(name)),
  );
  expect(missing).toEqual([]);
});

test("correct calls are not rejected", async () => {
  for (const { name, make, run } of allCalls(await makeWorld())) {
    if (name.startsWith("nodrift/reproduce") || name === "nodrift/mechanisms hmmwv") continue;
    try {
      await run(make());
    } catch (error) {
      if (error instanceof Enough) continue;
      expect.unreachable(`${name}: ${error}`);
    }
  }
});

test("wrong calls are rejected with an error that names the argument, or are valid", async () => {
  const bad: Trial[] = [];
  for await (const trial of wrongCalls(2500, 7)) {
    if (trial.outcome !== "refused" && trial.outcome !== "used") bad.push(trial);
  }
  expect(bad).toEqual([]);
});
