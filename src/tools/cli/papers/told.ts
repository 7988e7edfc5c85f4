// What was found, as text for a terminal and as a page.

import { type Block, type Plot, renderPage } from "../../report/index.js";
import type { DrawnFigure, Entry, Verdict } from "../../reproduce/index.js";
import { duration, short } from "../terminal/numbers.js";
import type { Terminal } from "../terminal/terminal.js";
import { pageFooter } from "../text/page-footer.js";
import { printTable } from "../text/text-table.js";
import type { Finding } from "./job.js";

/** Rows of a table that a page shows without being asked. */
const LONG = 30;

/** What each verdict is called where they are counted, and its colour. */
const VERDICTS: Readonly<
  Record<Verdict, { readonly words: string; readonly tone?: "good" | "warn" | "bad" }>
> = {
  reproduced: { words: "printed and reproduced", tone: "good" },
  "in magnitude": { words: "printed and in magnitude", tone: "good" },
  "not reproducible": { words: "printed and not reproducible", tone: "warn" },
  checked: { words: "checked against our own reference or bound", tone: "good" },
  reported: { words: "reported without a verdict" },
  missed: { words: "missed", tone: "bad" },
};

/** Columns, and how each is read from an entry. */
const COLUMNS: readonly {
  readonly name: string;
  readonly align: "left" | "right";
  read(entry: Entry): string;
}[] = [
  { name: "quantity", align: "left", read: ({ quantity }) => quantity },
  { name: "printed", align: "right", read: ({ printed }) => shown(printed) },
  { name: "reference", align: "right", read: ({ reference }) => shown(reference) },
  { name: "nodrift", align: "right", read: ({ value }) => shown(value) },
  { name: "difference", align: "right", read: differenceOf },
  { name: "verdict", align: "left", read: ({ verdict }) => verdict },
  { name: "accepted", align: "left", read: ({ acceptance }) => acceptance || "-" },
];

function shown(value: number | undefined): string {
  return value === undefined ? "-" : short(value, 9);
}

/** Against a bound there is none to speak of. Orders of magnitude have a factor: ours over the print. */
function differenceOf({ printed, reference, value, difference, verdict }: Entry): string {
  if (verdict === "in magnitude") return `x ${short(value / printed!, 2)}`;
  return printed === undefined && reference === undefined ? "-" : short(difference, 2);
}

/** Columns in which some entry has something. */
function columnsOf(entries: readonly Entry[]): typeof COLUMNS {
  return COLUMNS.filter(({ read }) => entries.some((entry) => read(entry) !== "-"));
}

/** The verdict has the colour of its meaning. */
function rowsOf(entries: readonly Entry[]) {
  return entries.map((entry) =>
    columnsOf(entries).map(({ name, read }) => {
      const { tone } = VERDICTS[entry.verdict];
      return name === "verdict" && tone ? { text: read(entry), tone } : read(entry);
    }),
  );
}

/** A table, or a line for drawings. */
export function printFinding(terminal: Terminal, finding: Finding): void {
  const { job, entries, figures, seconds } = finding;
  const { paper, title } = job.of;
  const drawn = figures.length > 0 ? `, ${figures.length} plots on the page` : "";
  terminal.print(terminal.paint("strong", `${paper}. ${title} (${duration(seconds)}${drawn})`));
  if (entries.length > 0) printTable(terminal, columnsOf(entries), rowsOf(entries));
  for (const note of notesOf(finding)) terminal.print(terminal.paint("dim", `  ${note}`));
  terminal.print("");
}

/** Only what was missed. */
export function printMissed(terminal: Terminal, { job, entries }: Finding): void {
  for (const { quantity, value, acceptance, verdict } of entries) {
    if (verdict !== "missed") continue;
    terminal.print(`${job.of.name}: ${quantity} is ${shown(value)}, accepted is: ${acceptance}`);
  }
}

/** Of the table, and of its entries, each once. */
function notesOf({ job, entries }: Finding): readonly string[] {
  const own = entries.flatMap(({ note }) => (note ? [note] : []));
  return [...new Set([...job.of.notes, ...own])];
}

/** Plain data. Figures are on the page only. */
export function dataOf({ job, entries, seconds }: Finding) {
  const { name, paper, title, notes } = job.of;
  return { name, paper, title, notes, seconds, entries };
}

function countsOf(findings: readonly Finding[]): readonly (readonly [Verdict, number])[] {
  const all = findings.flatMap(({ entries }) => entries);
  return (Object.keys(VERDICTS) as Verdict[]).map((verdict) => [
    verdict,
    all.filter((entry) => entry.verdict === verdict).length,
  ]);
}

/** "209 printed and reproduced, 49 printed and not reproducible, ..." */
export function countText(findings: readonly Finding[]): string {
  return countsOf(findings)
    .map(([verdict, n]) => `${n} ${VERDICTS[verdict].words}`)
    .join(", ");
}

/** One page with all of it. */
export function pageOf(findings: readonly Finding[]): string {
  const facts = countsOf(findings).map(([verdict, n]) => {
    const { words, tone } = VERDICTS[verdict];
    return { label: words, value: String(n), ...(n > 0 && tone && { tone }) };
  });
  return renderPage({
    title: "The papers, reproduced",
    subtitle:
      "What is printed, what comes out of nodrift, and whether that is accepted; and the papers' figures, drawn again",
    blocks: [{ kind: "facts", facts }, ...findings.flatMap(blocksOf)],
    footer: pageFooter(),
  });
}

function blocksOf(finding: Finding): readonly Block[] {
  const { job, entries, figures } = finding;
  const { paper, title } = job.of;
  const notes = notesOf(finding);
  return [
    { kind: "heading", text: `${paper}. ${title}` },
    ...figures.map((figure) => ({ kind: "plot" as const, plot: plotOf(figure) })),
    ...(entries.length > 0 ? [tableOf(finding)] : []),
    ...(notes.length > 0 ? [{ kind: "notes" as const, notes }] : []),
  ];
}

function tableOf({ entries, seconds }: Finding): Block {
  const hides = entries.length > LONG && entries.every(({ verdict }) => verdict !== "missed");
  return {
    kind: "table",
    ...(hides && { title: `${entries.length} numbers`, collapsed: true }),
    caption: `measured in ${duration(seconds)}`,
    columns: columnsOf(entries).map(({ name, align }) => ({ name, align })),
    rows: rowsOf(entries),
  };
}

function plotOf({ title, x, y, curves }: DrawnFigure): Plot {
  const series = curves.map(({ isPrinted, ...curve }) => ({
    ...curve,
    ...(isPrinted && { isAside: true }),
  }));
  return { title, x, y, series };
}
