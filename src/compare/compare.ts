// Entry point `nodrift/compare`: compares methods on a system.

import {
  callback,
  listOf,
  needed,
  number,
  optionError,
  optionsOf,
  type Rule,
  type Shape,
} from "../base/checking/index.js";
import { renderPage } from "../report/index.js";
import type { SolveOptions, Source, StopSignal } from "../solve.js";
import {
  blocksOf,
  type ComparedMethod,
  type ComparedRun,
  MethodComparison,
  type ReferenceMotion,
  tableText,
} from "./comparison.js";

export type { ComparedMethod, ComparedRun, Effort, ReferenceMotion } from "./comparison.js";

/** Options of {@link compare}: options of `solve` for all runs, and the methods to compare. */
export type CompareOptions<System extends Source = Source> = Omit<
  SolveOptions<System>,
  "method" | "integrator" | "step" | "tolerance" | "output" | "maximumSeconds" | "each" | "progress"
> & {
  /** Methods by name, as objects, or custom ones. */
  readonly methods: readonly ComparedMethod[];
  /** Step sizes. Without `tolerances` they apply to all methods. */
  readonly steps?: readonly number[];
  /** Tolerances for methods that estimate their error. Default without `steps`: 1e-3 to 1e-8. */
  readonly tolerances?: readonly number[];
  /** Reference motion. Default: `solve` at tolerances down to 1e-12; the result states its accuracy. */
  readonly reference?: ReferenceMotion;
  /** Time limit of each run in seconds. Default: 10. */
  readonly maximumSeconds?: number;
  /** Called after each run, with the number of all runs and the description of the reference. */
  readonly each?: (run: ComparedRun, progress: { total: number; reference: string }) => void;
};

/** Result of {@link compare}. */
export interface Comparison {
  /** Description of the reference and its accuracy. */
  readonly reference: string;
  readonly runs: readonly ComparedRun[];
  /** Formats all runs as text with aligned columns. */
  table(): string;
  /** Renders a self-contained page with work-precision plots and the table. */
  page(title?: string): string;
}

const positives = (wants: string): Rule<readonly number[]> =>
  listOf(
    number("a positive number", (value) => value > 0),
    wants,
  );

const method: Rule<ComparedMethod> = {
  wants: 'a method or its name, as in "welch"',
  read(value, place) {
    if (typeof value === "string" || (typeof value === "object" && value !== null)) {
      return value as ComparedMethod;
    }
    throw optionError(place, 'is not a method: give one, or its name, as in "welch"');
  },
};

type Own = Pick<
  CompareOptions,
  "methods" | "steps" | "tolerances" | "reference" | "maximumSeconds" | "each"
>;

const SHAPE: Shape<Own> = {
  methods: needed(listOf(method, "a list of methods")),
  steps: positives("a list of steps"),
  tolerances: positives("a list of tolerances"),
  reference: callback(),
  maximumSeconds: number("a positive number", (value) => value > 0),
  each: callback(),
};

/**
 * Runs several methods on one system, each with several step sizes or tolerances, and compares them with a reference: error, drift
 * of positions and velocities, energy, evaluations, factorisations and time. The results name the methods that actually ran. A named
 * formulation or stabilisation gets its constraints, unless `compile` fixes the coordinates.
 *
 * @example
 * const { runs, table } = await compare(pendulum, {
 *   span: [0, 10],
 *   methods: ["welch", "baumgarte(10, 10) + rk4", "driftElimination + rk4"],
 *   steps: [1e-2, 1e-3],
 * });
 * console.log(table());
 */
export async function compare<System extends Source>(
  system: System,
  options: CompareOptions<System>,
  ...more: undefined[]
): Promise<Comparison> {
  const { methods, steps, tolerances, reference, maximumSeconds, each, ...rest } = options;
  const given = { methods, steps, tolerances, reference, maximumSeconds, each };
  const own = optionsOf<Own>("compare", "STEP", given, SHAPE, more);
  const contest = new MethodComparison(system, rest as unknown as SolveOptions<System>, {
    methods: own.methods,
    steps: own.steps,
    tolerances: own.tolerances,
    reference: own.reference,
    maximumSeconds: own.maximumSeconds ?? 10,
  });
  const runs: ComparedRun[] = [];
  const { signal = NEVER } = rest as { readonly signal?: StopSignal };
  for await (const run of contest.run(signal)) {
    runs.push(run);
    own.each?.(run, { total: contest.size, reference: contest.referenceText });
  }
  const { referenceText } = contest;
  return {
    reference: referenceText,
    runs,
    table: () => tableText(runs),
    page: (title = "Methods compared") =>
      renderPage({ title, blocks: blocksOf(referenceText, runs), footer: "nodrift" }),
  };
}

const NEVER: StopSignal = { aborted: false };
