// FNV-1a of 64 bits (Fowler, Noll and Vo, IETF draft-eastlake-fnv), in two halves of 32: products
// stay below 2^53, so that the arithmetic is exact in every engine and needs no BigInt.

const OFFSET_HIGH = 0xcbf29ce4;
const OFFSET_LOW = 0x84222325;
/** The prime is 2^40 + PRIME_LOW. */
const PRIME_LOW = 0x1b3;
const TWO_32 = 2 ** 32;

/** Hashes bytes one array after the other. */
export class Hash {
  #high = OFFSET_HIGH;
  #low = OFFSET_LOW;

  /** Adds the bytes of an array, including all bits of numbers. */
  add(array: ArrayBufferView): this {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let high = this.#high;
    let low = this.#low;
    for (let i = 0; i < bytes.length; i++) {
      low = (low ^ bytes[i]) >>> 0;
      const product = low * PRIME_LOW;
      // (high 2^32 + low) (2^40 + PRIME_LOW) modulo 2^64.
      high = (Math.imul(high, PRIME_LOW) + (low << 8) + Math.floor(product / TWO_32)) >>> 0;
      low = product >>> 0;
    }
    this.#high = high;
    this.#low = low;
    return this;
  }

  /** Sixteen hexadecimal digits. */
  digest(): string {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }
}
