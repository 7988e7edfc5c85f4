import { refuseMore } from "../checking/index.js";
import { decoderDigits } from "./generated.js";
import {
  type ElementaryFunctions,
  wasmAlphabet,
  wasmLength,
  wasmSignature,
  wasmText,
} from "./generated-elementary.js";
import { moduleLoader, type WasmSource } from "./loader.js";
import { decodeText, hexadecimal } from "./text.js";

export type { ElementaryFunctions } from "./generated-elementary.js";

const loader = moduleLoader({
  signature: wasmSignature,
  bytes: () => decodeText(wasmText(), wasmLength, wasmAlphabet, hexadecimal(decoderDigits)),
});

let functions: ElementaryFunctions | undefined;

/**
 * Compiles the elementary functions of formulas, as `init` does for the kernels. Formulas do it
 * themselves: needed only to supply the module, or where a browser must not compile on its main
 * thread.
 *
 * @example
 * await initElementary();
 */
export function initElementary(
  source?: WasmSource | Promise<WasmSource>,
  ...more: undefined[]
): Promise<WebAssembly.Module> {
  refuseMore("initElementary", "LOAD", more, "it takes one source");
  return loader.init(source);
}

/**
 * Sines, exponentials and the like with the same bits on every machine; made when they are first
 * asked for. They keep nothing, so that one instance does for all.
 *
 * @example
 * elementary().sin(0.5);
 */
export function elementary(): ElementaryFunctions {
  functions ??= new WebAssembly.Instance(loader.initSync())
    .exports as unknown as ElementaryFunctions;
  return functions;
}
