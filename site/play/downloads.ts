// Files that a visitor takes away: the table of the output, and a report.

import type { BodyState } from "nodrift/bodies";
import type { ModelFile } from "nodrift/files";
import type { Solution } from "nodrift/solve";
import { framesOf, renderPage, sceneOf } from "../../src/tools/report/index.js";
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
  const data = file.model.data();
  const frames = framesOf(solution.states(), data, { events: solution.events });
  const scene = sceneOf(data, frames, file.settings.view);
  const text = renderPage({ title: file.name, blocks: [{ kind: "animation", scene }] });
  return { name: `${stem}.html`, text };
}
