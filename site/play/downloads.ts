// Files that a visitor takes away: the table of the output, and a report.

import type { BodyState } from "nodrift/bodies";
import type { ModelFile } from "nodrift/files";
import { report } from "nodrift/report";
import type { Solution } from "nodrift/solve";
import type { FileRequest } from "./protocol.js";

interface Finished {
  readonly file: ModelFile;
  readonly solution: Solution<BodyState>;
}

export function fileOf(format: FileRequest["format"], { file, solution }: Finished) {
  const stem = file.name.replaceAll(/[^\p{L}\p{N}]+/gu, "-") || "model";
  if (format === "csv") {
    const { columns } = file;
    const read = Object.fromEntries(columns.map((column) => [column.name, column.read]));
    const table = solution.toCsv(columns.length > 0 ? { columns: read } : {});
    return { name: `${stem}.csv`, text: table };
  }
  const { description, units, view } = file.settings;
  const text = report(solution, {
    title: file.name,
    units,
    ...(description !== undefined && { description }),
    ...(view !== undefined && { view }),
  });
  return { name: `${stem}.html`, text };
}
