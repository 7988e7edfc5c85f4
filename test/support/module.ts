// Chooses the kernels a test file runs on: the debug module, with assertions, or the release one.

import { readFileSync } from "node:fs";
import { initSync } from "nodrift";

initSync(readFileSync(new URL(`../../build/${process.env.NODRIFT_WASM}.wasm`, import.meta.url)));
