import { type Job, type JobResult, jobs } from "../../../papers/jobs/job.js";
import { work } from "../../../papers/jobs/job-pool.js";
import type { DrawnFigure, Entry, Verdict } from "../../../papers/reproduce/index.js";
import { type Block, type Plot, renderPage } from "../../report/index.js";
import { bytes, duration, short } from "../../report/numbers.js";
import { checkWritable, writeAtomically } from "../terminal/atomic-file.js";
import { EXIT, printed, SILENT, type Terminal } from "../terminal/terminal.js";
import { pageFooter, printTable } from "../terminal/text-table.js";
import { command, UsageError } from "./command.js";

// Formats results for the terminal and as a page.

/** Largest number of rows of a table that is shown expanded. */
const MAX_EXPANDED_ROWS = 30;

/** Text of each verdict in the counts, and its colour. */
const VERDICTS: Readonly<
  Record<Verdict, { readonly words: string; readonly tone?: "good" | "warn" | "bad" }>
> = {
  reproduced: { words: "printed and reproduced", tone: "good" },
  "in magnitude": { words: "printed and in magnitude", tone: "good" },
  "not reproducible": { words: "printed and not reproducible", tone: "warn" },
  checked: { words: "checked against a reference or bound of nodrift", tone: "good" },
  reported: { words: "reported without a verdict" },
  missed: { words: "missed", tone: "bad" },
};

/** Columns of a table, each with the function that reads it from an entry. */
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

/** Difference as text; "-" for bounds. Orders of magnitude show the ratio of the computed value to the printed one. */
function differenceOf({ printed, reference, value, difference, verdict }: Entry): string {
  if (verdict === "in magnitude") return `x ${short(value / printed!, 2)}`;
  return printed === undefined && reference === undefined ? "-" : short(difference, 2);
}

/** Columns that are not empty. */
function columnsOf(entries: readonly Entry[]): typeof COLUMNS {
  return COLUMNS.filter(({ read }) => entries.some((entry) => read(entry) !== "-"));
}

/** Cells of a table; the verdict is coloured. */
function rowsOf(entries: readonly Entry[]) {
  return entries.map((entry) =>
    columnsOf(entries).map(({ name, read }) => {
      const { tone } = VERDICTS[entry.verdict];
      return name === "verdict" && tone ? { text: read(entry), tone } : read(entry);
    }),
  );
}

/** Prints a table, or one line for figures. */
function printResult(terminal: Terminal, finding: JobResult): void {
  const { job, entries, figures, seconds } = finding;
  const { paper, title } = job.of;
  const drawn = figures.length > 0 ? `, ${figures.length} plots on the page` : "";
  terminal.print(terminal.paint("strong", `${paper}. ${title} (${duration(seconds)}${drawn})`));
  if (entries.length > 0) printTable(terminal, columnsOf(entries), rowsOf(entries));
  for (const note of notesOf(finding)) terminal.print(terminal.paint("dim", `  ${note}`));
  terminal.print("");
}

/** Prints only the missed entries. */
function printMissed(terminal: Terminal, { job, entries }: JobResult): void {
  for (const { quantity, value, acceptance, verdict } of entries) {
    if (verdict !== "missed") continue;
    terminal.print(`${job.of.name}: ${quantity} is ${shown(value)}; accepted: ${acceptance}`);
  }
}

/** Notes of a table and of its entries, without duplicates. */
function notesOf({ job, entries }: JobResult): readonly string[] {
  const own = entries.flatMap(({ note }) => (note ? [note] : []));
  return [...new Set([...job.of.notes, ...own])];
}

/** A result as plain data, without its figures. */
function dataOf({ job, entries, seconds }: JobResult) {
  const { name, paper, title, notes } = job.of;
  return { name, paper, title, notes, seconds, entries };
}

function countsOf(findings: readonly JobResult[]): readonly (readonly [Verdict, number])[] {
  const all = findings.flatMap(({ entries }) => entries);
  return (Object.keys(VERDICTS) as Verdict[]).map((verdict) => [
    verdict,
    all.filter((entry) => entry.verdict === verdict).length,
  ]);
}

/** "209 printed and reproduced, 49 printed and not reproducible, ..." */
function countText(findings: readonly JobResult[]): string {
  return countsOf(findings)
    .map(([verdict, n]) => `${n} ${VERDICTS[verdict].words}`)
    .join(", ");
}

/** One page with all results. */
function pageOf(findings: readonly JobResult[]): string {
  const facts = countsOf(findings).map(([verdict, n]) => {
    const { words, tone } = VERDICTS[verdict];
    return { label: words, value: String(n), ...(n > 0 && tone && { tone }) };
  });
  return renderPage({
    title: "The papers, reproduced",
    subtitle:
      "Values printed in the papers, values computed by nodrift, and whether they agree; with the papers' figures redrawn",
    blocks: [{ kind: "facts", facts }, ...findings.flatMap(blocksOf)],
    footer: pageFooter(),
  });
}

function blocksOf(finding: JobResult): readonly Block[] {
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

function tableOf({ entries, seconds }: JobResult): Block {
  const hides =
    entries.length > MAX_EXPANDED_ROWS && entries.every(({ verdict }) => verdict !== "missed");
  return {
    kind: "table",
    ...(hides && { title: `${entries.length} values`, collapsed: true }),
    caption: `measured in ${duration(seconds)}`,
    columns: columnsOf(entries).map(({ name, align }) => ({ name, align })),
    rows: rowsOf(entries),
  };
}

function plotOf({ title, x, y, curves }: DrawnFigure): Plot {
  const series = curves.map(({ isPrinted, ...curve }) => ({
    ...curve,
    ...(isPrinted && { isReference: true }),
  }));
  return { title, x, y, series };
}

/** `nodrift reproduce`. */
export default command({
  operands: "[NAME...]",
  count: [0, Number.POSITIVE_INFINITY],
  description: [
    "Recomputes the tables and figures of the papers that nodrift implements, and compares each value",
    "with the printed one. Values that cannot be derived from the text of their paper are listed as",
    "not reproducible; values that no paper prints are checked against references of nodrift or only",
    "reported. Without a name all are run, on several threads, in less than 3 minutes. The results",
    "are also written to a page. Tables and figures:",
    ...jobs.map(({ of: { name, title } }) => `  ${name}: ${title}`),
  ].join("\n"),
  options: {
    out: { value: "FILE", short: "o", help: "output page (default: reproduction.html)" },
    json: { help: "print the entries as JSON" },
    quiet: { short: "q", help: "print only missed entries and the counts" },
  },
  examples: ["nodrift reproduce", "nodrift reproduce welch-table-1 negrut-table-3"],

  async run({ operands, options }, terminal) {
    const chosen = operands.length === 0 ? jobs : operands.map(find);
    const path = options.out ?? "reproduction.html";
    checkWritable(path);
    const bar = options.quiet ? SILENT : terminal.bar();
    const found = new Map<Job, JobResult>();
    const findings = () => chosen.flatMap((job) => found.get(job) ?? []);
    const show = (where: Terminal) => {
      const all = findings();
      const tables = all.filter(({ job }) => job.kind === "table");
      if (options.json) where.print(JSON.stringify(tables.map(dataOf), null, 2));
      else for (const one of all) (options.quiet ? printMissed : printResult)(where, one);
      if (!options.json) where.print(countText(all));
    };
    await work(chosen, terminal.signal, {
      progress: (fraction, text) => bar.update(fraction, text),
      found(finding) {
        found.set(finding.job, finding);
        const files = [{ path, text: pageOf(findings()) }];
        terminal.setFallback({ print: printed(terminal, show), files });
      },
    });
    bar.stop();
    show(terminal);
    const size = writeAtomically(path, pageOf(findings()), terminal);
    if (!options.json) terminal.print(`written: ${path} (${bytes(size)})`);
    if (terminal.signal.aborted) return EXIT.interrupted;
    const all = findings().flatMap(({ entries }) => entries);
    return all.some(({ verdict }) => verdict === "missed") ? EXIT.bad : EXIT.good;
  },
});

function find(name: string): Job {
  const found = jobs.find(({ of }) => of.name === name);
  if (found) return found;
  const names = jobs.map(({ of }) => of.name);
  throw new UsageError(`unknown table "${name}"; available: ${names.join(", ")}`);
}
