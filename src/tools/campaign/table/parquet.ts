// Tables as Apache Parquet, by hyparquet-writer, in groups of some thousand rows.

import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Ledger } from "../journal/ledger.js";
import { optional } from "../queue/optional.js";
import { columnParts } from "./table.js";

/** What is used of hyparquet-writer. */
interface Writer {
  finish(): void;
}
interface Library {
  fileWriter(path: string): Writer;
  readonly ParquetWriter: new (
    options: object,
  ) => {
    write(options: object): void;
    finish(): void;
  };
}

const ELEMENTS = {
  number: { type: "DOUBLE", repetition_type: "OPTIONAL" },
  integer: { type: "INT32", repetition_type: "REQUIRED" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
} as const;

/** Loads the library, or says how to install it. */
export function parquetLibrary(): Promise<unknown> {
  return optional<Library>("hyparquet-writer", "a table as Parquet");
}

/** Writes the table of a campaign: aside, and put in its place when it is whole. */
export async function writeParquet(ledger: Ledger, path: string): Promise<void> {
  const { fileWriter, ParquetWriter } = (await parquetLibrary()) as Library;
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}-0.part`);
  try {
    const writer = fileWriter(aside);
    let table: InstanceType<Library["ParquetWriter"]> | undefined;
    for (const columns of columnParts(ledger)) {
      const fields = columns.map(({ name, kind }) => ({ name, ...ELEMENTS[kind] }));
      const schema = [{ name: "root", num_children: fields.length }, ...fields];
      table ??= new ParquetWriter({ writer, schema, createdBy: "nodrift" });
      table.write({
        columnData: columns.map(({ name, data }) => ({ name, data })),
        rowGroupSize: 1e9,
      });
    }
    table?.finish();
    const file = openSync(aside, "r+");
    fsyncSync(file);
    closeSync(file);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}
