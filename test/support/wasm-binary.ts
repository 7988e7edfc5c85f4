// The part of the WebAssembly binary format (core specification, section 5.5) needed to find
// the end of the static data of a module.

const HEADER_BYTES = 8;
const DATA_SECTION = 11;
const I32_CONST = 0x41;
const END = 0x0b;

/** The address after the last byte of static data; 0 if there is none. */
export function endOfStaticData(module: Uint8Array): number {
  const reader = new Reader(module);
  reader.position = HEADER_BYTES;
  let end = 0;
  while (reader.position < module.length) {
    const section = reader.byte();
    const next = reader.integer() + reader.position;
    if (section === DATA_SECTION) {
      for (let count = reader.integer(); count > 0; count--) {
        end = Math.max(end, endOfSegment(reader));
      }
    }
    reader.position = next;
  }
  return end;
}

function endOfSegment(reader: Reader): number {
  if (reader.integer() !== 0) throw new Error("a data segment that is passive or of a memory 1");
  if (reader.byte() !== I32_CONST) throw new Error("a data segment at no constant address");
  const address = reader.integer();
  if (reader.byte() !== END) throw new Error("a data segment at a computed address");
  const length = reader.integer();
  reader.position += length;
  return address + length;
}

class Reader {
  position = 0;

  constructor(readonly bytes: Uint8Array) {}

  byte(): number {
    if (this.position >= this.bytes.length) throw new Error("the module ends too early");
    return this.bytes[this.position++];
  }

  /** Reads a LEB128 integer. Addresses are signed but below 2^31 here, so both kinds are read alike. */
  integer(): number {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = this.byte();
      value += (byte & 127) * weight;
      if (byte < 128) return value;
    }
  }
}
