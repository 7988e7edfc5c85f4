// Kernels of Newton's iterations compared with JavaScript.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seeded } from "../support/random.js";

interface Stages {
  stageResidual(n: number, alpha: number, known: number, f: number, z: number, out: number): void;
  stageUpdate(
    n: number,
    change: number,
    scale: number,
    y: number,
    z: number,
    trial: number,
  ): number;
}

const bytes = readFileSync(`build/stiff-${process.env.NODRIFT_WASM}.wasm`);
const memory = new WebAssembly.Memory({ initial: 16 });
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
const kernels = exports as unknown as Stages;

/** Random vectors of length n, each followed by one value that must not be touched. */
function vectors(n: number, count: number): Float64Array[] {
  const random = seeded(n + 1);
  return Array.from({ length: count }, (_, k) => {
    const view = new Float64Array(memory.buffer, 2 ** 19 + 1024 * k, n + 1);
    for (let i = 0; i <= n; i++) view[i] = random();
    return view;
  });
}

test.each([0, 1, 2, 3, 8, 13])("stageResidual computes the residual of %d unknowns", (n) => {
  const [known, f, z, out] = vectors(n, 4);
  const wanted = out.map((value, i) => (i < n ? known[i] + 0.3 * f[i] - z[i] : value));
  const inputs = [known, f, z].map((view) => view.slice());
  kernels.stageResidual(n, 0.3, known.byteOffset, f.byteOffset, z.byteOffset, out.byteOffset);
  expect(out).toEqual(wanted);
  expect([known, f, z]).toEqual(inputs);
});

test.each([0, 1, 2, 3, 8, 13])(
  "stageUpdate applies a change of %d unknowns and returns its norm",
  (n) => {
    const [change, scale, y, z, trial] = vectors(n, 5);
    const added = z.map((value, i) => (i < n ? value + change[i] : value));
    const moved = trial.map((value, i) => (i < n ? y[i] + added[i] : value));
    const squares = [...change.subarray(0, n)].map((value, i) => (value / scale[i]) ** 2);
    const size = n === 0 ? 0 : Math.sqrt(squares.reduce((sum, x) => sum + x, 0) / n);
    const update = () =>
      kernels.stageUpdate(
        n,
        change.byteOffset,
        scale.byteOffset,
        y.byteOffset,
        z.byteOffset,
        trial.byteOffset,
      );
    expect(Math.abs(update() - size)).toBeLessThanOrEqual(1e-15 * size);
    expect(z).toEqual(added);
    expect(trial).toEqual(moved);
    change[0] = Number.NaN;
    if (n > 0) expect(update()).toBeNaN();
  },
);
