import type { Alphabet } from "../src/wasm/text.js";

export declare function encodeText(bytes: Uint8Array): { text: string; alphabet: Alphabet };
