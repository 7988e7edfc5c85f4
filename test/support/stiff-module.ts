// The kernels of the stiff module alone, debug or release, in a memory of their own, together with those of
// assembly/internals.ts, which are not shipped.

import { readFileSync } from "node:fs";
import type { StiffKernels } from "../../src/base/wasm/generated-stiff.js";

const modules = ["stiff", "internals"].map((name) => {
  const file = `../../build/${name}-${process.env.NODRIFT_WASM}.wasm`;
  return new WebAssembly.Module(readFileSync(new URL(file, import.meta.url)));
});
const FIRST_BYTE = 65536;

/** Exports of assembly/internals.ts. */
interface Internals {
  sparseLuSolveTransposed(table: number, b: number, x: number): void;
}

/** The kernels, and functions that reserve arrays, whose byteOffset is the address. */
export function stiffModule() {
  const memory = new WebAssembly.Memory({ initial: 16 });
  const abort = () => {
    throw new Error("a kernel's assertion failed");
  };
  const instances = modules.map(
    (wasm) => new WebAssembly.Instance(wasm, { env: { memory, abort } }).exports,
  );
  let end = FIRST_BYTE;
  const take = (values: ArrayLike<number>): Float64Array => {
    const view = new Float64Array(memory.buffer, end, values.length);
    view.set(values);
    end += 16 * Math.ceil(values.length / 2);
    return view;
  };
  const takeIntegers = (values: ArrayLike<number>): Int32Array => {
    const { byteOffset } = take(new Float64Array(Math.ceil(values.length / 2)));
    const view = new Int32Array(memory.buffer, byteOffset, values.length);
    view.set(values);
    return view;
  };
  return {
    kernels: Object.assign({}, ...instances) as StiffKernels & Internals,
    memory,
    take,
    takeIntegers,
  };
}
