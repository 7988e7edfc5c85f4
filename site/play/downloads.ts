// Downloadable files: the output table and a report.

import { report } from "nodrift/report";
import type { Solution } from "nodrift/solve";
import type { Curve, PlayState, Subject } from "./subject.js";

interface Finished {
  readonly file: Subject["file"];
  readonly solution: Solution<PlayState>;
}

export function fileOf(format: "csv" | "html", { file, solution }: Finished) {
  const stem = file.name.replaceAll(/[^\p{L}\p{N}]+/gu, "-") || "model";
  if (format === "csv") {
    const columns: readonly Curve[] = file.columns;
    const read = Object.fromEntries(
      columns.map((column) => [column.name, (state: PlayState) => column.read(state)]),
    );
    const table = solution.toCsv(columns.length > 0 ? { columns: read } : {});
    return { name: `${stem}.csv`, text: table };
  }
  const { description, units } = file.settings;
  const view = "view" in file.settings ? file.settings.view : undefined;
  const text = report(solution, {
    title: file.name,
    units,
    ...(description !== undefined && { description }),
    ...(view !== undefined && { view }),
  });
  return { name: `${stem}.html`, text };
}
