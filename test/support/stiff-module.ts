// The kernels of the stiff module alone, in a memory of their own: the debug or the release ones.

import { readFileSync } from "node:fs";
import type { StiffKernels } from "../../src/ground/wasm/generated-stiff.js";

const file = `../../build/stiff-${process.env.NODRIFT_WASM}.wasm`;
const wasm = new WebAssembly.Module(readFileSync(new URL(file, import.meta.url)));
const FIRST_BYTE = 65536;

/** The kernels, and functions that reserve numbers: their byteOffset is the address. */
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
  const takeIntegers = (values: ArrayLike<number>): Int32Array => {
    const { byteOffset } = take(new Float64Array(Math.ceil(values.length / 2)));
    const view = new Int32Array(memory.buffer, byteOffset, values.length);
    view.set(values);
    return view;
  };
  return { kernels: exports as unknown as StiffKernels, take, takeIntegers };
}
