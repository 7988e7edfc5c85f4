import { type Entry, judgedWith } from "nodrift/reproduce";
import { countClasses, papers, reproduceAll, totalOf, wrongFor } from "../support/papers.js";
import { atMost, type Figure, reported } from "./figure.js";

/** The papers' tables and figures as `nodrift reproduce` has them: verdicts that can fail, and what they cost. */
export async function* papersReproduceFigures(): AsyncGenerator<Figure> {
  const { tables, seconds } = reproduceAll();
  const entries = tables.flatMap((table) => table.entries);
  const printed = entries.filter((entry) => entry.class === "printed and reproduced");
  for (const [name, n] of Object.entries(countClasses(entries))) {
    yield reported(`reproduce: entries ${name}`, n);
  }
  const told = totalOf(Object.values(papers));
  const counts = countClasses(entries);
  const differ = Object.entries(counts).filter(
    ([name, n]) => told[name as keyof typeof told] !== n,
  );
  yield atMost("reproduce: classes whose count README.md has wrong", differ.length, 0);
  const missed = entries.filter(({ verdict }) => verdict === "missed");
  yield atMost("reproduce: entries missed", missed.length, 0);
  const without = printed.filter((entry) => entry.printed === undefined);
  yield atMost("reproduce: entries printed and reproduced without a print", without.length, 0);
  yield atMost(
    "reproduce: entries printed and reproduced that pass with ten times the error allowed, or ten times the value",
    printed.filter(isLoose).length,
    0,
  );
  const others = entries.filter((entry) => entry.bounds.length > 0 && !printed.includes(entry));
  yield atMost(
    "reproduce: other entries with a verdict that pass with ten times the error allowed",
    others.filter(passesWrong).length,
    0,
  );
  yield atMost("reproduce: all tables and figures, s", seconds, 180);
}

function passesWrong(entry: Entry): boolean {
  const isMissed = (value: number) => judgedWith(entry, value).verdict === "missed";
  return !entry.bounds.every((bound) => wrongFor(bound, entry).every(isMissed));
}

function isLoose(entry: Entry): boolean {
  const wrong = [10 * entry.value, entry.value / 10];
  const isMissed = (value: number) => judgedWith(entry, value).verdict === "missed";
  return passesWrong(entry) || !wrong.every(isMissed);
}
