import { refuseMore } from "../checking/index.js";
import { decoderDigits } from "./generated.js";
import { wasmAlphabet, wasmLength, wasmSignature, wasmText } from "./generated-bodies.js";
import { moduleLoader, type WasmSource } from "./loader.js";
import { decodeText, hexadecimal } from "./text.js";

const loader = moduleLoader({
  signature: wasmSignature,
  bytes: () => decodeText(wasmText(), wasmLength, wasmAlphabet, hexadecimal(decoderDigits)),
});

/**
 * Compiles the kernels of mechanisms, as `init` does for the others. `compile` calls it: needed only to
 * supply the module yourself.
 *
 * @example
 * await initBodies(import.meta.resolve("nodrift/nodrift-bodies.wasm"));
 */
export function initBodies(
  source?: WasmSource | Promise<WasmSource>,
  ...more: undefined[]
): Promise<WebAssembly.Module> {
  refuseMore("initBodies", "LOAD", more, "it takes one source");
  return loader.init(source);
}
