// Answers with the hashes of all cases, or with what went wrong.

import { init } from "nodrift/kernels";
import { digestAllCases } from "../../../bench/support/all-cases.js";

globalThis.onmessage = async ({ data }: MessageEvent<WebAssembly.Module | undefined>) => {
  try {
    await init(data);
    globalThis.postMessage(digestAllCases());
  } catch (error) {
    globalThis.postMessage({ error: String(error) });
  }
};
