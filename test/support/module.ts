// Chooses the kernels a test file runs on: the debug module, with assertions, or the release one.

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { initSync } from "nodrift/kernels";
import { isDebug } from "./debug.js";

const file = `../../build/kernels-${process.env.NODRIFT_WASM}.wasm`;
initSync(readFileSync(new URL(file, import.meta.url)));

if (isDebug) fc.configureGlobal({ numRuns: 20 });
