// Deflate (RFC 1951) without tables: codes are canonical, so how many there are of each length is all
// that decoding needs. Small rather than fast, since it runs once; checked against zlib by the tests.

/** The numbers of the codes of each length, and the symbols in the order of their codes. */
interface Codes {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

const LONGEST = 15;
const END_OF_BLOCK = 256;

/** Order in which the lengths of the codes for lengths are sent (RFC 1951, section 3.2.7). */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Decodes deflated bytes of which the inflated length is known. */
export function inflate(source: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  let position = 0;
  let written = 0;

  function bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, position++) {
      value |= (((source[position >> 3] as number) >> (position & 7)) & 1) << i;
    }
    return value;
  }

  function symbol({ counts, symbols }: Codes): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let size = 1; size <= LONGEST; size++) {
      code |= ((source[position >> 3] as number) >> (position & 7)) & 1;
      position++;
      const count = counts[size] as number;
      if (code - first < count) return symbols[index + code - first] as number;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Error("the compressed kernels are damaged");
  }

  /** Lengths and distances: groups of codes that share a number of extra bits. */
  function extended(code: number, groups: number, base: number): number {
    if (code < 2 * groups) return base + code;
    const extra = Math.floor(code / groups) - 1;
    return base + ((groups + (code % groups)) << extra) + bits(extra);
  }

  function copyBlock(literals: Codes, distances: Codes): void {
    for (;;) {
      const literal = symbol(literals);
      if (literal === END_OF_BLOCK) return;
      if (literal < END_OF_BLOCK) {
        out[written++] = literal;
        continue;
      }
      const run = literal === 285 ? 258 : extended(literal - 257, 4, 3);
      const distance = extended(symbol(distances), 2, 1);
      for (let i = 0; i < run; i++, written++) out[written] = out[written - distance] as number;
    }
  }

  function dynamicBlock(): void {
    const literalCount = bits(5) + 257;
    const distanceCount = bits(5) + 1;
    const lengths = new Uint8Array(19);
    const sent = bits(4) + 4;
    for (const place of LENGTH_ORDER.slice(0, sent)) lengths[place] = bits(3);
    const lengthCodes = codesOf(lengths);
    const all = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < all.length; ) {
      const code = symbol(lengthCodes);
      if (code < 16) {
        all[i++] = code;
        continue;
      }
      const value = code === 16 ? (all[i - 1] as number) : 0;
      const times = code === 16 ? 3 + bits(2) : code === 17 ? 3 + bits(3) : 11 + bits(7);
      all.fill(value, i, i + times);
      i += times;
    }
    copyBlock(codesOf(all.subarray(0, literalCount)), codesOf(all.subarray(literalCount)));
  }

  for (let last = 0; last === 0; ) {
    last = bits(1);
    // The build sends dynamic codes only; stored and fixed blocks pay for tiny inputs.
    if (bits(2) !== 2) throw new Error("the compressed kernels are damaged");
    dynamicBlock();
  }
  return out;
}

function codesOf(lengths: Uint8Array): Codes {
  const counts = new Uint16Array(LONGEST + 1);
  for (const length of lengths) counts[length] = (counts[length] as number) + 1;
  counts[0] = 0;
  const offsets = new Uint16Array(LONGEST + 2);
  for (let size = 1; size <= LONGEST; size++) {
    offsets[size + 1] = (offsets[size] as number) + (counts[size] as number);
  }
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const offset = offsets[length] as number;
    symbols[offset] = symbol;
    offsets[length] = offset + 1;
  });
  return { counts, symbols };
}
