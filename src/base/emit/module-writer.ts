// Writes WebAssembly modules: functions over an imported memory, nothing else. The format is that of
// the WebAssembly core specification 1.0, chapter 5; a library for it would weigh megabytes.

// Bytes of a WebAssembly module while it is written.

/** A growing list of bytes. */
class ByteBuffer {
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

  /** A signed integer of 32 bits in groups of seven bits: the last group repeats the sign. */
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

  /** A 64-bit floating-point number. */
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

  /** The length of a byte list, then its bytes. */
  sized(other: ByteBuffer): void {
    this.unsigned(other.length);
    this.append(other);
  }

  append(other: ByteBuffer): void {
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

/** Types of values, as the format writes them. */
export const I32 = 0x7f;
export const F64 = 0x7c;
export type ValueType = typeof I32 | typeof F64;

/** Instructions that are used here. */
export enum Code {
  Block = 0x02,
  Loop = 0x03,
  If = 0x04,
  Else = 0x05,
  End = 0x0b,
  Branch = 0x0c,
  BranchIf = 0x0d,
  Return = 0x0f,
  Call = 0x10,
  Drop = 0x1a,
  Select = 0x1b,
  LocalGet = 0x20,
  LocalSet = 0x21,
  LocalTee = 0x22,
  I32Load = 0x28,
  F64Load = 0x2b,
  F64Store = 0x39,
  I32Const = 0x41,
  F64Const = 0x44,
  I32EqualsZero = 0x45,
  I32Less = 0x48,
  F64Equal = 0x61,
  F64NotEqual = 0x62,
  F64Less = 0x63,
  F64Greater = 0x64,
  F64LessOrEqual = 0x65,
  I32Add = 0x6a,
  I32Subtract = 0x6b,
  I32Multiply = 0x6c,
  I32And = 0x71,
  I32Or = 0x72,
  I32ShiftRight = 0x76,
  F64Absolute = 0x99,
  F64Negate = 0x9a,
  F64Ceil = 0x9b,
  F64Floor = 0x9c,
  F64SquareRoot = 0x9f,
  F64Add = 0xa0,
  F64Subtract = 0xa1,
  F64Multiply = 0xa2,
  F64Divide = 0xa3,
  F64Minimum = 0xa4,
  F64Maximum = 0xa5,
  F64FromI32 = 0xb7,
}

const EMPTY_BLOCK = 0x40;
/** Eight-byte values are aligned to eight bytes: two to the third. */
const ALIGNMENT = 3;

/** The body of a function while it is written: parameters are its first locals. */
export class FunctionBody {
  readonly bytes = new ByteBuffer();
  readonly #parameters: number;
  readonly #locals: ValueType[] = [];

  constructor(parameters: number) {
    this.#parameters = parameters;
  }

  /** Adds a local variable and returns its index. */
  local(type: ValueType): number {
    this.#locals.push(type);
    return this.#parameters + this.#locals.length - 1;
  }

  code(code: Code): void {
    this.bytes.byte(code);
  }

  get(local: number): void {
    this.code(Code.LocalGet);
    this.bytes.unsigned(local);
  }

  set(local: number): void {
    this.code(Code.LocalSet);
    this.bytes.unsigned(local);
  }

  tee(local: number): void {
    this.code(Code.LocalTee);
    this.bytes.unsigned(local);
  }

  integer(value: number): void {
    this.code(Code.I32Const);
    this.bytes.signed(value);
  }

  float(value: number): void {
    this.code(Code.F64Const);
    this.bytes.float(value);
  }

  call(index: number): void {
    this.code(Code.Call);
    this.bytes.unsigned(index);
  }

  /** Loads the value at the address on the stack plus an offset. */
  load(offset: number): void {
    this.#access(Code.F64Load, offset);
  }

  /** Stores the value on the stack at the address below it plus an offset. */
  store(offset: number): void {
    this.#access(Code.F64Store, offset);
  }

  /** `block`, `loop` or `if` without a result. */
  open(code: Code.Block | Code.Loop | Code.If): void {
    this.code(code);
    this.bytes.byte(EMPTY_BLOCK);
  }

  branch(code: Code.Branch | Code.BranchIf, depth: number): void {
    this.code(code);
    this.bytes.unsigned(depth);
  }

  #access(code: Code, offset: number): void {
    this.code(code);
    this.bytes.unsigned(ALIGNMENT);
    this.bytes.unsigned(offset);
  }

  /** The encoded body: locals, then code. */
  finished(): ByteBuffer {
    const out = new ByteBuffer();
    const runs: [ValueType, number][] = [];
    for (const type of this.#locals) {
      const last = runs.at(-1);
      if (last && last[0] === type) last[1]++;
      else runs.push([type, 1]);
    }
    out.unsigned(runs.length);
    for (const [type, count] of runs) {
      out.unsigned(count);
      out.byte(type);
    }
    out.append(this.bytes);
    out.byte(Code.End);
    return out;
  }
}

interface FunctionType {
  readonly parameters: readonly ValueType[];
  readonly result: ValueType | undefined;
}

/** A module: functions that are imported come first, then those that are written. */
export class ModuleWriter {
  readonly #types = new Map<string, { index: number; type: FunctionType }>();
  readonly #imports: { module: string; name: string; type: number }[] = [];
  readonly #functions: { type: number; body: FunctionBody | undefined }[] = [];
  readonly #exports: { name: string; index: number }[] = [];

  /** Imports a function of another module. All imports precede the first {@link declare}. */
  importFunction(
    module: string,
    name: string,
    parameters: readonly ValueType[],
    result?: ValueType,
  ): number {
    this.#imports.push({ module, name, type: this.#typeOf(parameters, result) });
    return this.#imports.length - 1;
  }

  /** Declares a function whose body is written later, and returns its index. */
  declare(parameters: readonly ValueType[], result?: ValueType): number {
    this.#functions.push({ type: this.#typeOf(parameters, result), body: undefined });
    return this.#imports.length + this.#functions.length - 1;
  }

  define(index: number, body: FunctionBody): void {
    this.#functions[index - this.#imports.length]!.body = body;
  }

  export(name: string, index: number): void {
    this.#exports.push({ name, index });
  }

  /** The bytes of the module. */
  finished(): Uint8Array<ArrayBuffer> {
    const out = new ByteBuffer();
    for (const byte of [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]) out.byte(byte);
    this.#section(out, 1, [...this.#types.values()], (part, { type }) => {
      part.byte(0x60);
      part.unsigned(type.parameters.length);
      for (const each of type.parameters) part.byte(each);
      part.unsigned(type.result === undefined ? 0 : 1);
      if (type.result !== undefined) part.byte(type.result);
    });
    this.#section(out, 2, ["memory", ...this.#imports] as const, (part, each) => {
      if (each === "memory") {
        part.name("env");
        part.name("memory");
        part.byte(0x02);
        part.byte(0x00);
        part.unsigned(0);
        return;
      }
      part.name(each.module);
      part.name(each.name);
      part.byte(0x00);
      part.unsigned(each.type);
    });
    this.#section(out, 3, this.#functions, (part, { type }) => part.unsigned(type));
    this.#section(out, 7, this.#exports, (part, { name, index }) => {
      part.name(name);
      part.byte(0x00);
      part.unsigned(index);
    });
    this.#section(out, 10, this.#functions, (part, { body }) => part.sized(body!.finished()));
    return out.taken();
  }

  #section<Each>(
    out: ByteBuffer,
    id: number,
    list: readonly Each[],
    write: (part: ByteBuffer, each: Each) => void,
  ): void {
    if (list.length === 0) return;
    const part = new ByteBuffer();
    part.unsigned(list.length);
    for (const each of list) write(part, each);
    out.byte(id);
    out.sized(part);
  }

  #typeOf(parameters: readonly ValueType[], result: ValueType | undefined): number {
    const key = `${parameters.join()}>${result ?? ""}`;
    const known = this.#types.get(key);
    if (known) return known.index;
    const index = this.#types.size;
    this.#types.set(key, { index, type: { parameters, result } });
    return index;
  }
}
