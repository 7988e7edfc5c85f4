import { unitOf } from "../../files/index.js";
import { type Block, renderPage } from "../../report/index.js";
import { SILENT } from "../terminal/bar.js";
import { bytes, count, duration, short } from "../terminal/numbers.js";
import { EXIT, printed, type Terminal } from "../terminal/terminal.js";
import { pageFooter } from "../text/page-footer.js";
import { type Cell, printTable } from "../text/text-table.js";
import { checkWritable, writeWhole } from "../written/atomic-file.js";
import { command, UsageError } from "./command.js";
import {
  type Attempt,
  Comparison,
  type ComparisonOptions,
  type Effort,
  ofBodies,
  ofCoordinates,
} from "./comparison.js";
import { holdsEquations, type LoadedEquations, type LoadedModel, loadSystem } from "./load.js";
import { methodChoice, positiveOf, solveChanges, solveOptionHelp } from "./solve-options.js";

const { until, from } = solveOptionHelp;
const DEFAULT_METHODS =
  "dop853, dp5, radau5, sdirk4, welch, projection + rk4, driftElimination + rk4";
const COLUMNS = [
  { name: "method", align: "left" },
  { name: "with", align: "left" },
  { name: "steps", align: "right" },
  { name: "error", align: "right" },
  { name: "drift", align: "right" },
  { name: "energy", align: "right" },
  { name: "time", align: "right" },
  { name: "ended", align: "left" },
] as const;

/** `nodrift compare`. */
export default command({
  operands: "MODEL",
  count: [1, 1],
  description: [
    "Solves a model by several methods, each with several tolerances or steps, and compares what",
    "comes out with a reference solution. Prints and plots error (largest distance of a body from",
    "where it should be), drift of the constraints, error of the energy and time.",
  ].join("\n"),
  options: {
    methods: { value: "LIST", short: "m", help: `with commas (default:\n${DEFAULT_METHODS})` },
    tolerances: {
      value: "LIST",
      help: "of those that control their error (default: 1e-3 to 1e-8)",
    },
    steps: { value: "LIST", help: "of the others (default: 1/500 to 1/8000 of the span)" },
    "max-seconds": { value: "NUMBER", help: "for each run (default: 10)" },
    until,
    from,
    out: { value: "FILE", short: "o", help: "the page (default: MODEL-comparison.html)" },
    json: { help: "prints the results as JSON" },
    quiet: { short: "q", help: "no progress" },
  },
  examples: [
    "nodrift compare slider-crank",
    "nodrift compare crane.json --methods dop853,radau5 --tolerances 1e-4,1e-6",
    'nodrift compare crane.json --methods "baumgarte(10, 10) + rk4, welch" --steps 1e-2,1e-3',
  ],

  async run({ operands: [given], options }, terminal) {
    const changes = solveChanges(options);
    const contest = {
      methods: splitMethods(options.methods ?? DEFAULT_METHODS),
      tolerances: numbersOf("tolerances", options.tolerances),
      steps: numbersOf("steps", options.steps),
      maximumSeconds: positiveOf("max-seconds", options["max-seconds"]) ?? 10,
    };
    for (const method of contest.methods) methodChoice(method);
    const loaded = await loadSystem(given as string, terminal);
    const { file, stem } = loaded;
    const comparison = comparisonOf(loaded, changes, contest);
    const path = options.out ?? `${stem}-comparison.html`;
    checkWritable(path);
    const bar = options.quiet ? SILENT : terminal.bar();
    const attempts: Attempt[] = [];
    const show = (where: Terminal) => {
      if (options.json)
        where.print(JSON.stringify({ reference: comparison.referenceText, attempts }, null, 2));
      else {
        where.print(`${where.paint("strong", file.name)}: ${comparison.referenceText}`);
        printTable(where, COLUMNS, attempts.map(cellsOf));
      }
    };
    const page = () => renderPage(pageOf(loaded, comparison, attempts));
    for await (const attempt of comparison.run(terminal.signal)) {
      attempts.push(attempt);
      bar.update(attempts.length / comparison.size, attempt.method);
      terminal.keep({ print: printed(terminal, show), files: [{ path, text: page() }] });
    }
    bar.stop();
    show(terminal);
    const size = writeWhole(path, page(), terminal);
    if (!options.json) terminal.print(`written: ${path} (${bytes(size)})`);
    if (terminal.signal.aborted) return EXIT.interrupted;
    return attempts.some(({ status }) => status === "finished") ? EXIT.good : EXIT.bad;
  },
});

/** Commas inside brackets belong to a method: "baumgarte(10, 10) + rk4". */
function splitMethods(text: string): readonly string[] {
  const methods = text.split(/,(?![^(]*\))/).map((word) => word.trim());
  if (methods.every((word) => word !== "")) return methods;
  throw new UsageError(`--methods: a name is missing in "${text}"`);
}

function numbersOf(name: string, text: string | undefined): readonly number[] | undefined {
  return text?.split(",").map((word) => positiveOf(name, word) as number);
}

const effortText = ({ kind, value }: Effort) => `${kind} ${short(value)}`;

function cellsOf(attempt: Attempt): readonly Cell[] {
  const { method, effort, status, reason, steps, error, drift, energy, seconds } = attempt;
  const isDone = status === "finished" || status === "event";
  return [
    method,
    effortText(effort),
    count(steps),
    short(error, 2),
    short(drift, 2),
    short(energy, 2),
    duration(seconds),
    isDone ? status : { text: `${status}: ${reason}`.slice(0, 100), tone: "bad" },
  ];
}

type Contest = Pick<Comparison<never>, "size" | "referenceText" | "run">;

function comparisonOf(
  loaded: LoadedModel | LoadedEquations,
  changes: ReturnType<typeof solveChanges>,
  contest: ComparisonOptions,
): Contest {
  if (holdsEquations(loaded)) {
    const { file } = loaded;
    const asked = file.solveOptions(changes(file.settings.solve) as never);
    return new Comparison(file.system, asked, contest, ofCoordinates);
  }
  const { file, system } = loaded;
  const asked = file.solveOptions(system, changes(file.settings.solve));
  return new Comparison(system, asked, contest, ofBodies);
}

function pageOf(
  { file }: LoadedModel | LoadedEquations,
  comparison: Contest,
  attempts: readonly Attempt[],
) {
  const length = unitOf("length", file.settings.units);
  const energy = unitOf("energy", file.settings.units);
  const blocks: readonly Block[] = [
    { kind: "notes", notes: [comparison.referenceText] },
    plotOf("Error against time", `largest error`, length, attempts, ({ error }) => error),
    plotOf("Drift against time", "largest |Φ|", undefined, attempts, ({ drift }) => drift),
    plotOf("Energy against time", "largest error", energy, attempts, (one) => one.energy),
    {
      kind: "table",
      title: "All runs",
      columns: COLUMNS,
      rows: attempts.map((attempt) =>
        cellsOf(attempt).map((cell) =>
          typeof cell === "string" ? cell : { text: cell.text, tone: "bad" as const },
        ),
      ),
    },
  ];
  return { title: `${file.name}: methods compared`, blocks, footer: pageFooter() };
}

/** Both axes logarithmic, one curve for each method. */
function plotOf(
  title: string,
  label: string,
  unit: string | undefined,
  attempts: readonly Attempt[],
  read: (attempt: Attempt) => number,
): Block {
  const methods = [...new Set(attempts.map(({ method }) => method))];
  const series = methods.map((name) => {
    const own = attempts
      .filter((one) => one.method === name && read(one) > 0 && Number.isFinite(read(one)))
      // From little effort to much, so that a curve never turns back for a time that was measured badly.
      .sort((a, b) => b.effort.value - a.effort.value);
    return { name, x: own.map(({ seconds }) => seconds), y: own.map(read), points: true };
  });
  return {
    kind: "plot",
    plot: {
      title,
      x: { label: "time on this machine", unit: "s", log: true },
      y: { label, ...(unit !== undefined && { unit }), log: true },
      series: series.filter(({ x }) => x.length > 0),
    },
  };
}
