import type { Address } from "../memory/arena.js";
import { type StiffMemory, stiffMemory } from "../memory/stiff-memory.js";
import type { Workspace } from "../memory/workspace.js";

/** One entry: the value at an address. */
interface Entry {
  readonly row: number;
  readonly column: number;
  readonly address: Address;
}

/** A sparse matrix that is only multiplied with: its entries, in the arena. Their scales are one. */
export class EntryList {
  readonly #stiff: StiffMemory;
  readonly #addresses: readonly [rows: Address, columns: Address, values: Address];
  #views: readonly Int32Array[] = [];
  #count = new Float64Array(1);

  constructor(workspace: Workspace, name: string, most: number) {
    this.#stiff = stiffMemory(workspace);
    const segments = ["rows", "columns", "addresses"].map((what) =>
      workspace.reserve(`${name}: ${what}`, Math.ceil(most / 2)),
    );
    const count = workspace.reserve(`${name}: count`, 1);
    const [rows, columns, values] = segments.map(({ address }) => address);
    this.#addresses = [rows!, columns!, values!];
    workspace.whenSealed((arena) => {
      this.#views = segments.map((segment) => arena.integers(segment));
      this.#count = arena.floats(count);
    });
  }

  clear(): void {
    this.#count[0] = 0;
  }

  add({ row, column, address }: Entry): void {
    const index = this.#count[0]!;
    const [rows, columns, values] = this.#views;
    rows![index] = row;
    columns![index] = column;
    values![index] = address;
    this.#count[0] = index + 1;
  }

  /** out += factor A X for tables of rows; values are `shift` bytes after their addresses. */
  timesRows(factor: number, shift: number, stride: number, x: Address, out: Address): void {
    const [rows, columns, values] = this.#addresses;
    this.#stiff.kernels.entriesTimesRows(
      this.#count[0]!,
      rows,
      columns,
      values,
      shift,
      stride,
      factor,
      x,
      out,
    );
  }
}
