// Comparison to the last bit.

import { type CompiledModel, compile, type Model, type ModelData } from "nodrift/bodies";
import { type SolveOptions, solve } from "nodrift/solve";
import { expect } from "vitest";

const bytes = (numbers: ArrayLike<number>) => Buffer.from(Float64Array.from(numbers).buffer);

/** Numbers are the same, with the signs of zeros. */
export function expectSameBits(found: ArrayLike<number>, wanted: ArrayLike<number>): void {
  if (bytes(found).equals(bytes(wanted))) return;
  expect(Array.from(found)).toEqual(Array.from(wanted));
  throw new Error("numbers are equal but for the signs of zeros");
}

/**
 * A description without the numbers of markers, since files have those of the ground first, and without the code of
 * functions.
 */
function described(model: Model): unknown {
  const { markers, ...data } = model.data();
  // What formulas are measured from is numbered by markers too; their texts tell the same.
  const plain = (key: string, value: unknown) =>
    typeof value === "function"
      ? "law"
      : key === "formula"
        ? (value as { text: string }).text
        : value;
  const copy = JSON.parse(JSON.stringify(data, plain)) as Omit<ModelData, "markers">;
  const unnumbered = <Part extends object>(part: Part) => ({ ...part, a: 0, b: 0, markers: [] });
  return {
    ...copy,
    markers: markers.map((marker) => JSON.stringify(marker)).sort(),
    sensors: copy.sensors.map(unnumbered),
    forces: copy.forces.map(unnumbered),
    joints: copy.joints.map(({ blocks, ...joint }) => ({
      ...unnumbered(joint),
      blocks: blocks.map(({ rows, ...block }) => ({ ...block, rows: rows.map(unnumbered) })),
    })),
  };
}

type Options = SolveOptions<CompiledModel>;

const short: Options = { span: [0, 0.05], tolerance: 1e-5 };

/** Two models are the same, begin in the same state, and move with the same bits. */
export async function expectSameMotion(
  found: Model,
  wanted: Model,
  options: Options = short,
): Promise<void> {
  expect(described(found)).toEqual(described(wanted));
  const time = options.span[0];
  const systems = [
    await compile(found, { time, hold: [] }),
    await compile(wanted, { time, hold: [] }),
  ];
  expectSameBits(systems[0].q, systems[1].q);
  expectSameBits(systems[0].v, systems[1].v);
  expectSameRuns(systems[0], systems[1], options);
}

/** Runs of two systems give the same bits in all columns, and move at all. */
export function expectSameRuns(
  found: CompiledModel,
  wanted: CompiledModel,
  options: Options,
  others: Options = options,
): void {
  const [first, second] = [solve(found, options), solve(wanted, others)];
  expect(first.status).toBe("finished");
  expect([first.status, first.method]).toEqual([second.status, second.method]);
  expectSameBits(first.time, second.time);
  expect(first.names).toEqual(second.names);
  for (const name of first.names) expectSameBits(first.column(name), second.column(name));
}
