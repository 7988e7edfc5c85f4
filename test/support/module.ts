// Chooses the kernels a test file runs on: the debug module, with assertions, or the release one.

import { readFileSync } from "node:fs";
import { initSync } from "nodrift/kernels";

const file = `../../build/kernels-${process.env.NODRIFT_WASM}.wasm`;
initSync(readFileSync(new URL(file, import.meta.url)));
