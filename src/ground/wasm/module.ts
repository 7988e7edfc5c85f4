import { refuseMore } from "../checking/index.js";
import { decoderDigits, wasmAlphabet, wasmLength, wasmSignature, wasmText } from "./generated.js";
import { moduleLoader, type WasmSource } from "./loader.js";
import { decodeText, hexadecimal } from "./text.js";

export type { WasmSource } from "./loader.js";

const loader = moduleLoader({
  signature: wasmSignature,
  bytes: () => decodeText(wasmText(), wasmLength, wasmAlphabet, hexadecimal(decoderDigits)),
});

/**
 * Compiles the kernels, once for the whole program. Needs no argument: the bytes are part of the
 * package. Call it where a browser must not compile on its main thread, or to supply the module
 * yourself (shared with workers, or fetched so that it is cached). When it fails, the kernels
 * loaded before stay in use.
 *
 * @example
 * await init();                                            // the bytes of the package
 * await init(import.meta.resolve("nodrift/nodrift.wasm")); // its file, read or fetched
 * await init(moduleFromMainThread);                        // in a worker: nothing to compile
 */
export function init(
  source?: WasmSource | Promise<WasmSource>,
  ...more: undefined[]
): Promise<WebAssembly.Module> {
  refuseMore("init", "LOAD", more, "it takes one source");
  return loader.init(source);
}

/**
 * Synchronous {@link init}, where the host allows it: Node, workers, and the main thread of current browsers. Systems
 * call it themselves, so most programs never do.
 *
 * @example
 * initSync(readFileSync("nodrift.wasm"));
 */
export function initSync(
  source?: WebAssembly.Module | BufferSource,
  ...more: undefined[]
): WebAssembly.Module {
  refuseMore("initSync", "LOAD", more, "it takes one source");
  return loader.initSync(source);
}
