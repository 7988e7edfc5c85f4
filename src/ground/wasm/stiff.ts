import { refuseMore } from "../checking/index.js";
import { decoderDigits } from "./generated.js";
import { wasmAlphabet, wasmLength, wasmSignature, wasmText } from "./generated-stiff.js";
import { moduleLoader, type WasmSource } from "./loader.js";
import { decodeText, hexadecimal } from "./text.js";

const loader = moduleLoader({
  signature: wasmSignature,
  bytes: () => decodeText(wasmText(), wasmLength, wasmAlphabet, hexadecimal(decoderDigits)),
});

/**
 * Compiles the kernels of implicit methods, as `init` does for the others. Methods call it themselves:
 * needed only to supply the module, or where a browser must not compile on its main thread.
 *
 * @example
 * await initStiff(import.meta.resolve("nodrift/nodrift-stiff.wasm"));
 */
export function initStiff(
  source?: WasmSource | Promise<WasmSource>,
  ...more: undefined[]
): Promise<WebAssembly.Module> {
  refuseMore("initStiff", "LOAD", more, "it takes one source");
  return loader.init(source);
}

/** {@link initStiff} without waiting. */
export function initStiffSync(source?: WebAssembly.Module | BufferSource): WebAssembly.Module {
  return loader.initSync(source);
}
