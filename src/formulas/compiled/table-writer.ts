// Compiles tables to WebAssembly: one function for each derivative of a table that formulas look up, with points and coefficients
// in a separate memory. Bitwise identical to Table.derivative.
//
// Rejected: points in the memory of systems. Each module of formulas would have to reserve them before the memory is sealed, and
// each snapshot would contain them. Rejected: points as constants in a tree of comparisons. For ten thousand points engines take
// seconds to compile it.

import { Code, F64, FunctionBody, I32, ModuleWriter } from "../../base/emit/module-writer.js";
import { elementary } from "../../base/wasm/elementary.js";
import type { Table } from "../expressions/table.js";

/** A derivative of a table. */
export interface LookedUp {
  readonly table: Table;
  readonly order: number;
}

/** Size of a memory page in bytes. */
const PAGE = 65536;

/** Name of a function by its index in the list. */
export function tableName(index: number): string {
  return `table${index}`;
}

/** Imports `table0`, `table1`, ... for the modules that use the tables. */
export function tableFunctions(list: readonly LookedUp[]): WebAssembly.ModuleImports {
  if (list.length === 0) return {};
  const { bytes, data } = compileTables(list);
  const memory = new WebAssembly.Memory({ initial: Math.ceil((8 * data.length) / PAGE) });
  new Float64Array(memory.buffer).set(data);
  const functions = elementary() as unknown as WebAssembly.ModuleImports;
  const imports = { env: { memory }, elementary: functions };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
  return instance.exports as unknown as WebAssembly.ModuleImports;
}

/** Compiles the functions and the initial contents of their memory. */
function compileTables(list: readonly LookedUp[]) {
  const writer = new ModuleWriter();
  const places = new Map<Table, number>();
  const parts: Float64Array[] = [];
  let slots = 0;
  for (const { table } of list) {
    if (places.has(table)) continue;
    const { x, coefficients } = table.pieces();
    places.set(table, 8 * slots);
    parts.push(x, coefficients);
    slots += x.length + coefficients.length;
  }
  const modulo = writer.importFunction("elementary", "modulo", [F64, F64], F64);
  list.forEach(({ table, order }, i) => {
    const index = writer.declare([F64], F64);
    writer.export(tableName(i), index);
    writer.define(index, new Lookup(table, places.get(table)!, modulo).written(order));
  });
  const data = new Float64Array(slots);
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  return { bytes: writer.finished(), data };
}

/** Writes one function, whose parameter, local 0, is the argument. */
class Lookup {
  readonly #body = new FunctionBody(1);
  readonly #points: number;
  readonly #coefficients: number;
  readonly #count: number;
  readonly #low = this.#body.local(I32);
  readonly #high = this.#body.local(I32);
  readonly #middle = this.#body.local(I32);
  readonly #u = this.#body.local(F64);

  constructor(table: Table, address: number, modulo: number) {
    const { x, repeats } = table.pieces();
    this.#points = address;
    this.#count = x.length;
    this.#coefficients = address + 8 * x.length;
    if (repeats) this.#wrap(x[0]!, x[x.length - 1]!, modulo);
    this.#find();
  }

  written(order: number): FunctionBody {
    this.#place();
    this.#derivative(order);
    return this.#body;
  }

  /** Wraps an argument outside the first period: first + modulo(x - first, period). */
  #wrap(first: number, last: number, modulo: number): void {
    const body = this.#body;
    body.float(first);
    body.get(0);
    body.code(Code.F64LessOrEqual);
    body.get(0);
    body.float(last);
    body.code(Code.F64Less);
    body.code(Code.I32And);
    body.code(Code.I32EqualsZero);
    body.open(Code.If);
    body.float(first);
    body.get(0);
    body.float(first);
    body.code(Code.F64Subtract);
    body.float(last - first);
    body.call(modulo);
    body.code(Code.F64Add);
    body.set(0);
    body.code(Code.End);
  }

  /** Computes low, the number of points that are not after the argument. */
  #find(): void {
    const body = this.#body;
    body.integer(this.#count);
    body.set(this.#high);
    body.open(Code.Block);
    body.open(Code.Loop);
    body.get(this.#low);
    body.get(this.#high);
    body.code(Code.I32Less);
    body.code(Code.I32EqualsZero);
    body.branch(Code.BranchIf, 1);
    body.get(this.#low);
    body.get(this.#high);
    body.code(Code.I32Add);
    body.integer(1);
    body.code(Code.I32ShiftRight);
    body.tee(this.#middle);
    this.#loadAt(this.#points);
    body.get(0);
    body.code(Code.F64LessOrEqual);
    body.open(Code.If);
    body.get(this.#middle);
    body.integer(1);
    body.code(Code.I32Add);
    body.set(this.#low);
    body.code(Code.Else);
    body.get(this.#middle);
    body.set(this.#high);
    body.code(Code.End);
    body.branch(Code.Branch, 0);
    body.code(Code.End);
    body.code(Code.End);
  }

  /** Pushes the value at an address plus the index on the stack. */
  #loadAt(address: number): void {
    this.#body.integer(8);
    this.#body.code(Code.I32Multiply);
    this.#body.load(address);
  }

  /** Computes u, the distance from the preceding point, or from the first. */
  #place(): void {
    const body = this.#body;
    body.get(0);
    body.get(this.#low);
    body.integer(1);
    body.code(Code.I32Subtract);
    body.integer(0);
    body.get(this.#low);
    body.code(Code.Select);
    this.#loadAt(this.#points);
    body.code(Code.F64Subtract);
    body.set(this.#u);
  }

  #coefficient(power: number): void {
    const body = this.#body;
    body.get(this.#low);
    body.integer(4);
    body.code(Code.I32Multiply);
    this.#loadAt(this.#coefficients + 8 * power);
  }

  /** Pushes a coefficient times a factor, in this order. */
  #scaled(factor: number, power: number): void {
    this.#body.float(factor);
    this.#coefficient(power);
    this.#body.code(Code.F64Multiply);
  }

  /** Multiplies the value on the stack by u and adds the value that `add` pushes. */
  #step(add: () => void): void {
    this.#body.get(this.#u);
    this.#body.code(Code.F64Multiply);
    add();
    this.#body.code(Code.F64Add);
  }

  #derivative(order: number): void {
    switch (order) {
      case 0:
        this.#coefficient(3);
        for (const power of [2, 1, 0]) this.#step(() => this.#coefficient(power));
        return;
      case 1:
        this.#scaled(3, 3);
        this.#step(() => this.#scaled(2, 2));
        this.#step(() => this.#coefficient(1));
        return;
      case 2:
        this.#scaled(6, 3);
        this.#step(() => this.#scaled(2, 2));
        return;
      case 3:
        this.#scaled(6, 3);
        return;
      default:
        this.#body.float(0);
    }
  }
}
