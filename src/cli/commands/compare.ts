import {
  blocksOf,
  COLUMNS,
  type ComparedRun,
  type ComparisonOptions,
  cellsOf,
  MethodComparison,
} from "../../compare/index.js";
import { unitOf } from "../../files/index.js";
import { renderPage } from "../../report/index.js";
import { bytes } from "../../report/numbers.js";
import { checkWritable, writeAtomically } from "../terminal/atomic-file.js";
import { EXIT, printed, SILENT, type Terminal } from "../terminal/terminal.js";
import { pageFooter, printTable } from "../terminal/text-table.js";
import { command, UsageError } from "./command.js";
import { holdsEquations, type LoadedEquations, type LoadedModel, loadSystem } from "./load.js";
import {
  coordinatesOf,
  methodChoice,
  positiveOf,
  solveChanges,
  solveOptionHelp,
} from "./solve-options.js";

const { until, from, coordinates } = solveOptionHelp;
const DEFAULT_METHODS =
  "dop853, dp5, radau5, sdirk4, welch, projection + rk4, driftElimination + rk4";
/** `nodrift compare`. */
export default command({
  operands: "MODEL",
  count: [1, 1],
  description: [
    "Solves a model with several methods, each at several tolerances or step sizes, and compares the",
    "results with a reference solution. Prints and plots the largest position error of a body,",
    "constraint drift, energy error and run time.",
  ].join("\n"),
  options: {
    methods: { value: "LIST", short: "m", help: `comma-separated (default:\n${DEFAULT_METHODS})` },
    tolerances: {
      value: "LIST",
      help: "for adaptive methods, unless steps are given\n(default: 1e-3 to 1e-8)",
    },
    steps: {
      value: "LIST",
      help: "step sizes; without tolerances, for all methods (default:\nfor fixed-step methods, 1/500 to 1/8000 of the span)",
    },
    "max-seconds": { value: "NUMBER", help: "time limit of each run (default: 10)" },
    until,
    from,
    coordinates,
    out: { value: "FILE", short: "o", help: "output page (default: MODEL-comparison.html)" },
    json: { help: "print the results as JSON" },
    quiet: { short: "q", help: "no progress bar" },
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
    const loaded = await loadSystem(given as string, terminal, coordinatesOf(options.coordinates));
    const { file, stem } = loaded;
    const comparison = comparisonOf(loaded, changes, contest);
    const path = options.out ?? `${stem}-comparison.html`;
    checkWritable(path);
    const bar = options.quiet ? SILENT : terminal.bar();
    const runs: ComparedRun[] = [];
    const show = (where: Terminal) => {
      if (options.json)
        where.print(JSON.stringify({ reference: comparison.referenceText, runs }, null, 2));
      else {
        where.print(`${where.paint("strong", file.name)}: ${comparison.referenceText}`);
        printTable(where, COLUMNS, runs.map(cellsOf));
      }
    };
    const page = () => renderPage(pageOf(loaded, comparison, runs));
    for await (const run of comparison.run(terminal.signal)) {
      runs.push(run);
      bar.update(runs.length / comparison.size, run.method);
      terminal.setFallback({ print: printed(terminal, show), files: [{ path, text: page() }] });
    }
    bar.stop();
    show(terminal);
    const size = writeAtomically(path, page(), terminal);
    if (!options.json) terminal.print(`written: ${path} (${bytes(size)})`);
    if (terminal.signal.aborted) return EXIT.interrupted;
    return runs.some(({ status }) => status === "finished") ? EXIT.good : EXIT.bad;
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

type Contest = Pick<MethodComparison<never>, "size" | "referenceText" | "run">;

function comparisonOf(
  loaded: LoadedModel | LoadedEquations,
  changes: ReturnType<typeof solveChanges>,
  contest: ComparisonOptions,
): Contest {
  if (holdsEquations(loaded)) {
    const { file } = loaded;
    const asked = file.solveOptions(changes(file.settings.solve) as never);
    return new MethodComparison(file.system, asked, contest);
  }
  const { file, system } = loaded;
  const asked = file.solveOptions(system, changes(file.settings.solve));
  return new MethodComparison(system, asked, contest);
}

function pageOf(
  { file }: LoadedModel | LoadedEquations,
  comparison: Contest,
  runs: readonly ComparedRun[],
) {
  const { units } = file.settings;
  const shown = { length: unitOf("length", units), energy: unitOf("energy", units) };
  const blocks = blocksOf(comparison.referenceText, runs, shown);
  return { title: `${file.name}: methods compared`, blocks, footer: pageFooter() };
}
