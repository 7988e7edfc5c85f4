// The page of the papers' numbers, with verdicts that can fail, and the page from the papers' equations to names.

import { missingLines, PAPERS } from "../../docs/make/from-papers.js";
import { looseEntries, measuredTables } from "../../docs/make/paper-counts.js";
import { atMost, type Figure } from "./figure.js";

export async function* paperPageFigures(): AsyncGenerator<Figure> {
  const { tables, seconds } = measuredTables();
  const entries = tables.flatMap((table) => table.entries);
  yield atMost(
    "reproduce: entries that a factor 10 (in magnitude: 4, away from the print) does not break",
    looseEntries(entries).length,
    0,
  );
  yield atMost(
    "equations, tables and examples of the five papers without a line on the page from paper to name",
    PAPERS.flatMap((paper) => missingLines(paper)).length,
    0,
  );
  yield atMost("reproduce: all tables and figures, s", seconds, 180);
}
