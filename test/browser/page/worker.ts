// Replies with the digests of all cases, or with the error.

import { init } from "nodrift/kernels";
import { digestAllCases } from "../../support/all-cases.js";

globalThis.onmessage = async ({ data }: MessageEvent<WebAssembly.Module | undefined>) => {
  try {
    await init(data);
    globalThis.postMessage(digestAllCases());
  } catch (error) {
    globalThis.postMessage({ error: String(error) });
  }
};
