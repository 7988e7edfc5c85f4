// Bytes of a WebAssembly module while it is written.

/** A list of bytes that grows. */
export class Bytes {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = value;
  }

  /** An unsigned integer in groups of seven bits, lowest first (LEB128). */
  unsigned(value: number): void {
    this.#room(5);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** A signed integer of 32 bits likewise: the last group repeats the sign. */
  signed(value: number): void {
    let rest = value;
    for (;;) {
      const group = rest & 0x7f;
      rest >>= 7;
      const isLast = (rest === 0 && (group & 0x40) === 0) || (rest === -1 && (group & 0x40) !== 0);
      this.byte(isLast ? group : group | 0x80);
      if (isLast) return;
    }
  }

  /** A number of 64 bits. */
  float(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** A name: its length, then its bytes. */
  name(text: string): void {
    this.unsigned(text.length);
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i));
  }

  /** Other bytes behind their length. */
  sized(other: Bytes): void {
    this.unsigned(other.length);
    this.append(other);
  }

  append(other: Bytes): void {
    this.#room(other.length);
    this.#bytes.set(other.#bytes.subarray(0, other.length), this.#length);
    this.#length += other.length;
  }

  taken(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * Math.max(this.#bytes.length, this.#length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
