import { countClasses, measuredTables, papers, totalOf } from "../../docs/make/paper-counts.js";
import { atMost, type Figure, reported } from "./figure.js";

/** The papers' tables and figures as reported by `nodrift reproduce`: counts by class. */
export async function* papersReproduceFigures(): AsyncGenerator<Figure> {
  const entries = measuredTables().tables.flatMap((table) => table.entries);
  const printed = entries.filter((entry) => entry.class === "printed and reproduced");
  for (const [name, n] of Object.entries(countClasses(entries))) {
    yield reported(`reproduce: entries ${name}`, n);
  }
  const totals = totalOf(Object.values(papers));
  const counts = countClasses(entries);
  const differ = Object.entries(counts).filter(
    ([name, n]) => totals[name as keyof typeof totals] !== n,
  );
  yield atMost("reproduce: classes whose count README.md has wrong", differ.length, 0);
  const missed = entries.filter(({ verdict }) => verdict === "missed");
  yield atMost("reproduce: entries missed", missed.length, 0);
  const without = printed.filter((entry) => entry.printed === undefined);
  yield atMost("reproduce: entries printed and reproduced without a print", without.length, 0);
}
