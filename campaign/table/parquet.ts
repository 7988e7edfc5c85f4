// Writes tables as Apache Parquet with hyparquet-writer, in groups of several thousand rows.

import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Ledger } from "../journal/ledger.js";
import { importOptional } from "../queue/optional.js";
import { columnParts } from "./table.js";

/** The part of hyparquet-writer that is used. */
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

/** Loads the library. The error for a missing one contains the command that installs it. */
export function parquetLibrary(): Promise<unknown> {
  return importOptional<Library>("hyparquet-writer", "a table as Parquet");
}

/** Writes the table of a campaign to a temporary file and renames it when complete. */
export async function writeParquet(ledger: Ledger, path: string): Promise<void> {
  const { fileWriter, ParquetWriter } = (await parquetLibrary()) as Library;
  const temporaryPath = join(dirname(path), `.${basename(path)}.${process.pid}-0.part`);
  try {
    const writer = fileWriter(temporaryPath);
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
    const file = openSync(temporaryPath, "r+");
    fsyncSync(file);
    closeSync(file);
    renameSync(temporaryPath, path);
  } catch (error) {
    rmSync(temporaryPath, { force: true });
    throw error;
  }
}
