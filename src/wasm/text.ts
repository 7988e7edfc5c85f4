// The module as text. One printable character for each of the commonest bytes, two for the others: so
// repetitions of bytes stay repetitions of characters, and gzip makes the text as small as the bytes.
// Base64 would be a third larger after gzip, hexadecimal digits a tenth; deflate inside the text would
// need a decoder that takes longer than all else at the start.

/** How a text was made; the build writes it beside the text. */
export interface Alphabet {
  /** The characters. Each of the first `escapes` announces a second one. */
  readonly characters: string;
  readonly escapes: number;
  /** All bytes by how often they occur, two hexadecimal digits each. */
  readonly bytes: string;
}

/** The bytes a text stands for. */
export function decodeText(
  text: string,
  length: number,
  { characters, escapes, bytes }: Alphabet,
): Uint8Array<ArrayBuffer> {
  const values = new Uint8Array(256);
  for (let i = 0; i < 256; i++) values[i] = Number.parseInt(bytes.slice(2 * i, 2 * i + 2), 16);
  const ranks = new Uint8Array(128);
  const commonest = new Int16Array(128).fill(-1);
  for (let rank = 0; rank < characters.length; rank++) {
    const code = characters.charCodeAt(rank);
    ranks[code] = rank;
    if (rank >= escapes) commonest[code] = values[rank - escapes] as number;
  }
  const others = values.subarray(characters.length - escapes);
  const pairs = (first: number, second: number) =>
    others[(ranks[first] as number) * characters.length + (ranks[second] as number)] as number;
  return translate(new TextEncoder().encode(text), length, commonest, pairs);
}

/** The one loop that takes time, with as little in it as can be: it runs before it is compiled. */
function translate(
  codes: Uint8Array,
  length: number,
  commonest: Int16Array,
  pairs: (first: number, second: number) => number,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  for (let i = 0, written = 0; written < length; i++, written++) {
    const value = commonest[codes[i] as number] as number;
    out[written] = value >= 0 ? value : pairs(codes[i] as number, codes[++i] as number);
  }
  return out;
}
