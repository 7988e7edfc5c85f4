// Chooses the kernels a test file runs on: the debug module, with assertions, or the release one.

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { initSync } from "nodrift/kernels";

const file = `../../build/kernels-${process.env.NODRIFT_WASM}.wasm`;
initSync(readFileSync(new URL(file, import.meta.url)));

// The debug module is there for its assertions, which need each kernel and each kind of input. All the random inputs are
// tried with the release module; the same seeds begin with the same inputs.
if (process.env.NODRIFT_WASM === "debug") fc.configureGlobal({ numRuns: 20 });
