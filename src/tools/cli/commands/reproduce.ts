import type { StopSignal } from "../../../solve.js";
import { type Block, renderPage } from "../../report/index.js";
import {
  type Entry,
  type Reproduction,
  reproductions,
  type Verdict,
} from "../../reproduce/index.js";
import { SILENT } from "../terminal/bar.js";
import { bytes, duration, short } from "../terminal/numbers.js";
import { EXIT, printed, type Terminal } from "../terminal/terminal.js";
import { pageFooter } from "../text/page-footer.js";
import { printTable } from "../text/text-table.js";
import { checkWritable, writeWhole } from "../written/atomic-file.js";
import { command, UsageError } from "./command.js";

interface Finding {
  readonly reproduction: Reproduction;
  readonly entries: readonly Entry[];
  readonly seconds: number;
}

const TONES = { reproduced: "good", "not reproducible": "warn", missed: "bad" } as const;

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
  { name: "accepted", align: "left", read: ({ acceptance }) => acceptance },
  { name: "verdict", align: "left", read: ({ verdict }) => verdict },
];

function shown(value: number | undefined): string {
  return value === undefined ? "-" : short(value, 9);
}

/** Against a bound there is none to speak of. */
function differenceOf({ printed, reference, difference }: Entry): string {
  return printed === undefined && reference === undefined ? "-" : short(difference, 2);
}

/** Columns in which some entry has something. */
function columnsOf(entries: readonly Entry[]): typeof COLUMNS {
  return COLUMNS.filter(({ read }) => entries.some((entry) => read(entry) !== "-"));
}

/** `nodrift reproduce`. */
export default command({
  operands: "[TABLE...]",
  count: [0, Number.POSITIVE_INFINITY],
  description: [
    "Runs the tables of the papers that nodrift implements: what is printed there, what comes out",
    "here, and whether that is within what is accepted. Numbers that do not follow from what their",
    "paper says are listed as such. Without a name all tables are run, in less than 3 minutes, and",
    "a page is written. Tables:",
    ...reproductions.map(({ name, title }) => `  ${name}: ${title}`),
  ].join("\n"),
  options: {
    out: { value: "FILE", short: "o", help: "the page (default: reproduction.html)" },
    json: { help: "prints the entries as JSON" },
    quiet: { short: "q", help: "only what was missed, and the count" },
  },
  examples: ["nodrift reproduce", "nodrift reproduce welch-table-1 negrut-table-3"],

  async run({ operands, options }, terminal) {
    const chosen = operands.length === 0 ? reproductions : operands.map(find);
    const path = options.out ?? "reproduction.html";
    checkWritable(path);
    const bar = options.quiet ? SILENT : terminal.bar();
    const findings: Finding[] = [];
    const show = (where: Terminal) => {
      if (options.json) where.print(JSON.stringify(findings.map(dataOf), null, 2));
      else if (!options.quiet) for (const finding of findings) print(where, finding);
      if (!options.json) where.print(countText(findings));
    };
    const page = () => renderPage(pageOf(findings));
    for (const [i, reproduction] of chosen.entries()) {
      const told = (text: string) => bar.update(i / chosen.length, text);
      const finding = await measure(reproduction, told, terminal.signal);
      if (!finding) break;
      findings.push(finding);
      terminal.keep({ print: printed(terminal, show), files: [{ path, text: page() }] });
    }
    bar.stop();
    show(terminal);
    const size = writeWhole(path, page(), terminal);
    if (!options.json) terminal.print(`written: ${path} (${bytes(size)})`);
    const all = findings.flatMap(({ entries }) => entries);
    if (terminal.signal.aborted) return EXIT.interrupted;
    return all.some(({ verdict }) => verdict === "missed") ? EXIT.bad : EXIT.good;
  },
});

function find(name: string): Reproduction {
  const found = reproductions.find((one) => one.name === name);
  if (found) return found;
  const names = reproductions.map((one) => one.name);
  throw new UsageError(`there is no table "${name}"; there are ${names.join(", ")}`);
}

/** All entries of a table; nothing where Ctrl-C came in between. */
async function measure(
  reproduction: Reproduction,
  tell: (text: string) => void,
  signal: StopSignal,
): Promise<Finding | undefined> {
  const began = performance.now();
  const entries: Entry[] = [];
  for await (const entry of reproduction.run()) {
    entries.push(entry);
    tell(`${reproduction.name}: ${entry.quantity}`);
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return undefined;
  }
  return { reproduction, entries, seconds: (performance.now() - began) / 1000 };
}

/** The verdict has the colour of its meaning. */
function rowsOf(entries: readonly Entry[]) {
  return entries.map((entry) =>
    columnsOf(entries).map(({ name, read }) =>
      name === "verdict" ? { text: read(entry), tone: TONES[entry.verdict] } : read(entry),
    ),
  );
}

function print(terminal: Terminal, { reproduction, entries, seconds }: Finding): void {
  const { paper, title, notes } = reproduction;
  terminal.print(terminal.paint("strong", `${paper}. ${title} (${duration(seconds)})`));
  printTable(terminal, columnsOf(entries), rowsOf(entries));
  for (const note of notesOf(notes, entries)) terminal.print(terminal.paint("dim", `  ${note}`));
  terminal.print("");
}

/** Of the table, and of its entries, each once. */
function notesOf(notes: readonly string[], entries: readonly Entry[]): readonly string[] {
  return [...new Set([...notes, ...entries.flatMap(({ note }) => (note ? [note] : []))])];
}

function dataOf({ reproduction, entries, seconds }: Finding) {
  const { name, paper, title, notes } = reproduction;
  return { name, paper, title, notes, seconds, entries };
}

function countsOf(entries: readonly Entry[]): readonly (readonly [Verdict, number])[] {
  return (Object.keys(TONES) as Verdict[]).map((verdict) => [
    verdict,
    entries.filter((entry) => entry.verdict === verdict).length,
  ]);
}

function countText(findings: readonly Finding[]): string {
  return countsOf(findings.flatMap(({ entries }) => entries))
    .map(([verdict, n]) => `${n} ${verdict}`)
    .join(", ");
}

function pageOf(findings: readonly Finding[]) {
  const all = findings.flatMap(({ entries }) => entries);
  const facts = countsOf(all).map(([verdict, n]) => ({
    label: verdict,
    value: String(n),
    ...(n > 0 && { tone: TONES[verdict] }),
  }));
  return {
    title: "The papers' tables, reproduced",
    subtitle: "What is printed, what comes out of nodrift, and whether that is accepted",
    blocks: [{ kind: "facts" as const, facts }, ...findings.flatMap(blocksOf)],
    footer: pageFooter(),
  };
}

function blocksOf({ reproduction, entries, seconds }: Finding): readonly Block[] {
  const { paper, title, notes } = reproduction;
  const [columns, rows] = [columnsOf(entries), rowsOf(entries)];
  const told = notesOf(notes, entries);
  return [
    { kind: "heading", text: `${paper}. ${title}` },
    {
      kind: "table",
      caption: `measured in ${duration(seconds)}`,
      columns: columns.map(({ name, align }) => ({ name, align })),
      rows,
    },
    ...(told.length > 0 ? [{ kind: "notes" as const, notes: told }] : []),
  ];
}
