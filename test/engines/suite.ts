// Results that all engines must share: bits of kernels, methods, files, formulas and campaigns, and error messages. Bundled by the
// test without the package, and run with the package as it is installed. Prints one line of JSON.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { equations, NodriftError } from "nodrift";
import { compile, model, rod } from "nodrift/bodies";
import { campaign } from "nodrift/campaign";
import { formulaFunction, readModel, readSystem } from "nodrift/files";
import { solve } from "nodrift/solve";
import { digestAllCases } from "../support/all-cases.js";
import { elementaryBits } from "../support/elementary-bits.js";
import { digestFile } from "../support/file-digest.js";
import { digestMechanisms } from "../support/mechanism-digest.js";
import { digestSolve } from "../support/solve-digest.js";

/** The folder of the package. */
const PACKAGE = process.argv[2] as string;

async function files(): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const name of readdirSync(join(PACKAGE, "examples")).sort()) {
    const text = readFileSync(join(PACKAGE, "examples", name), "utf8");
    digests[name] = await digestFile(readSystem(text));
  }
  return digests;
}

/** Identities hold hashes of parameters, outputs are those of runs. */
async function cases(): Promise<unknown[]> {
  const study = campaign({
    model: join(PACKAGE, "examples", "pendulum.json"),
    parameters: [
      { name: "mass", at: "/bodies/rod/mass", normal: { mean: 1, deviation: 0.1 } },
      { name: "gravity", at: "/gravity/2", uniform: [-10, -9.6] },
    ],
    design: { type: "sobol", cases: 4 },
    outputs: [
      { name: "lowest", minimum: "z('rod')" },
      { name: "height", mean: "z('rod')" },
    ],
    workers: 0,
  });
  const results: unknown[] = [];
  for await (const result of study) results.push(result);
  return results;
}

/** Results of a pendulum, which the test compares with closed forms. */
async function smoke() {
  const point = equations({
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: () => [0, -9.81],
    holonomic: { rows: 1, value: ([x = 0, y = 0]) => [x * x + y * y - 1] },
  });
  const bottom = { when: ({ q: [x = 0] }: { q: ArrayLike<number> & Iterable<number> }) => x };
  const options = { span: [0, 2], q: [1, 0], tolerance: 1e-9 } as const;
  const { end } = solve(point, { ...options, events: [{ ...bottom, terminal: true }] });
  const m = model();
  const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
  m.revolute({ between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  simulation.advance(100);
  const [x = 0, , z = 0] = simulation.body("arm").position;
  return { speed: Math.abs(end.v[0] ?? 0), radius: x * x + z * z, mistake: await mistake() };
}

async function mistake(): Promise<{ code: string; message: string }> {
  try {
    readModel('{ "nodrift": 1, "bodies": [ { "name": "a", "mass": -1 } ] }');
  } catch (error) {
    if (error instanceof NodriftError) return { code: error.code, message: error.message };
  }
  return { code: "none", message: "" };
}

const bits = {
  kernels: digestAllCases(),
  mechanisms: await digestMechanisms(),
  solve: await digestSolve(),
  files: await files(),
  elementary: elementaryBits(formulaFunction),
  campaign: await cases(),
};
console.log(JSON.stringify({ bits, smoke: await smoke() }));
