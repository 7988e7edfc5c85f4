// A ball that falls on a table, by a file and by calls.

import { type CompiledModel, compile } from "nodrift/bodies";
import { type FileSettings, type ModelFile, readDocument } from "nodrift/files";
import { type SolveOptions, solve } from "nodrift/solve";
import { expect } from "vitest";
import { expectSameBits } from "./bits.js";

const GRAVITY = 9.81;
const START = 1.1;
export const RADIUS = 0.1;

/** A ball that falls on a table, fixed to a rail so that a mode can let it go. */
export const ball = (settings: Partial<FileSettings>): ModelFile =>
  readDocument({
    nodrift: 1,
    name: "ball",
    units: "SI",
    gravity: [0, 0, -GRAVITY],
    bodies: [
      {
        name: "ball",
        mass: 1,
        shape: { type: "sphere", radius: RADIUS },
        position: [0, 0, START],
        velocity: [0.5, 0, 0],
      },
    ],
    joints: [{ type: "planar", name: "glass", between: ["ground", "ball"], axis: [0, 1, 0] }],
    forces: [{ type: "drag", name: "air", on: "ball", linear: 0.2 }],
    ...settings,
  });

export async function run(settings: Partial<FileSettings>, others = {}) {
  const file = ball({ solve: { span: [0, 2], tolerance: 1e-9 }, ...settings });
  const system = await file.compile();
  return solve(system, file.solveOptions(system, others));
}

/** The same file solved with options of a program. */
export async function runByCalls(
  options: (system: CompiledModel) => Partial<SolveOptions<CompiledModel>>,
) {
  const system = await compile(ball({}).model);
  return solve(system, { span: [0, 2], tolerance: 1e-9, ...options(system) });
}

type Run = Awaited<ReturnType<typeof run>>;

export function expectSameSolution(found: Run, wanted: Run): void {
  expect([found.status, found.reason]).toEqual([wanted.status, wanted.reason]);
  expect(found.events.map(({ name, mode, direction }) => [name, mode, direction])).toEqual(
    wanted.events.map(({ name, mode, direction }) => [name, mode, direction]),
  );
  expectSameBits(
    found.events.map(({ time }) => time),
    wanted.events.map(({ time }) => time),
  );
  expectSameBits(found.time, wanted.time);
  for (const name of wanted.names) expectSameBits(found.column(name), wanted.column(name));
}
