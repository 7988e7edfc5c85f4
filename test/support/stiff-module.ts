// The kernels of the stiff module alone, in a memory of their own: the debug or the release ones.

import { readFileSync } from "node:fs";

/** What the tests call. */
export interface StiffKernels {
  complexLuFactor(n: number, a: number, pivots: number): number;
  complexLuSolve(n: number, a: number, pivots: number, b: number, x: number, scratch: number): void;
  complexShifted(n: number, real: number, imaginary: number, j: number, out: number): void;
  realShifted(n: number, alpha: number, j: number, out: number): void;
  scaledNorm(n: number, x: number, scale: number): number;
  sparseLuChoose(table: number): number;
  sparseLuFactor(table: number): number;
  sparseLuSign(table: number): number;
  sparseLuWeakest(table: number): number;
  toleranceScale(
    n: number,
    positions: number,
    relative: number,
    inPositions: number,
    inVelocities: number,
    y: number,
    out: number,
  ): void;
}

const file = `../../build/stiff-${process.env.NODRIFT_WASM}.wasm`;
const wasm = new WebAssembly.Module(readFileSync(new URL(file, import.meta.url)));
const FIRST_BYTE = 65536;

/** The kernels, and a function that reserves numbers: their byteOffset is the address. */
export function stiffModule() {
  const memory = new WebAssembly.Memory({ initial: 16 });
  const abort = () => {
    throw new Error("a kernel's assertion failed");
  };
  const { exports } = new WebAssembly.Instance(wasm, { env: { memory, abort } });
  let end = FIRST_BYTE;
  const take = (values: ArrayLike<number>): Float64Array => {
    const view = new Float64Array(memory.buffer, end, values.length);
    view.set(values);
    end += 16 * Math.ceil(values.length / 2);
    return view;
  };
  return { kernels: exports as unknown as StiffKernels, take };
}
