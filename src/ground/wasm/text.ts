import { instantiateSync } from "@assemblyscript/loader";

// The module as text. One printable character for each of the commonest bytes, two for the others: so
// repetitions of bytes stay repetitions of characters, and gzip makes the text as small as the bytes.
// Base64 would be a third larger after gzip, hexadecimal digits a tenth; deflate inside the text would
// need a decoder that takes longer than all else at the start.

/** How a text was made; the build writes it beside the text. */
export interface Alphabet {
  /** The characters. Each of the first `escapes` is followed by a second one. */
  readonly characters: string;
  readonly escapes: number;
  /** All bytes by how often they occur, two hexadecimal digits each. */
  readonly bytes: string;
}

const PAGE_BYTES = 65536;
const CODES = 128;

/** The bytes a text stands for, by the decoding module (assembly/decoder.ts). */
export function decodeText(
  text: string,
  length: number,
  { characters, escapes, bytes }: Alphabet,
  decoder: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const table = 4 * CODES + CODES + 256;
  const pages = Math.ceil((table + text.length + length) / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const buffer = memory.buffer as ArrayBuffer;
  const bytesOrEscapes = new Int32Array(buffer, 0, CODES);
  const ranks = new Uint8Array(buffer, 4 * CODES, CODES);
  const values = hexadecimal(bytes);
  for (let rank = 0; rank < characters.length; rank++) {
    const code = characters.charCodeAt(rank);
    ranks[code] = rank;
    bytesOrEscapes[code] = rank < escapes ? -1 - rank : (values[rank - escapes] as number);
  }
  new Uint8Array(buffer, 4 * CODES + CODES).set(values.subarray(characters.length - escapes));
  new TextEncoder().encodeInto(text, new Uint8Array(buffer, table, text.length));

  const { instance } = instantiateSync(decoder, { env: { memory } });
  const { decode } = instance.exports as unknown as Decoder;
  decode(length, characters.length, table, 0, table + text.length);
  return new Uint8Array(buffer, table + text.length, length).slice();
}

interface Decoder {
  decode(length: number, characters: number, codes: number, table: number, out: number): void;
}

/** Bytes from hexadecimal digits. */
export function hexadecimal(digits: string): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(digits.length / 2);
  for (let i = 0; i < out.length; i++) {
    out[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  }
  return out;
}
