import type { Method, State } from "../contracts.js";
import { NodriftError } from "../errors.js";
import { checkState } from "../run/options.js";
import {
  checkedSpan,
  checkedTimes,
  checkedTolerance,
  checkOutput,
  positive,
  wrong,
} from "./checks.js";
import type { EventOptions } from "./event-options.js";
import type { Output, Progress, SolveOptions, Tolerance } from "./options.js";
import type { Source } from "./source.js";

/** The name of the constraints and forces a run starts with. */
export const START = "start";

/** Options of a run, checked, with all defaults. */
export interface Setup<T extends State> {
  readonly sources: Readonly<Record<string, Source>>;
  readonly span: readonly [number, number];
  readonly direction: number;
  readonly q: ArrayLike<number> | undefined;
  readonly v: ArrayLike<number> | undefined;
  readonly start: "assemble" | "asGiven";
  readonly method: Method | undefined;
  readonly integrator: SolveOptions["integrator"];
  readonly tolerance: Tolerance;
  readonly step: number | undefined;
  readonly firstStep: number | undefined;
  readonly maximumStep: number;
  readonly output: Output;
  readonly times: Float64Array | undefined;
  readonly dense: boolean;
  readonly each: ((state: T) => void) | undefined;
  readonly keep: boolean;
  readonly events: readonly EventOptions<Source>[];
  readonly progress: ((progress: Progress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
  readonly maximumSteps: number;
  readonly maximumSeconds: number;
}

const KNOWN: readonly (keyof SolveOptions)[] = [
  "span",
  "q",
  "v",
  "start",
  "method",
  "integrator",
  "tolerance",
  "step",
  "firstStep",
  "maximumStep",
  "output",
  "dense",
  "each",
  "keep",
  "events",
  "modes",
  "progress",
  "signal",
  "maximumSteps",
  "maximumSeconds",
];

export function setupOf<T extends State>(source: Source, options: SolveOptions): Setup<T> {
  if (typeof source !== "object" || source === null) {
    throw wrong(
      "give a compiled model or equations: solve(await compile(model), { span: [0, 10] })",
    );
  }
  if (typeof options !== "object" || options === null) {
    throw wrong("options are missing: solve(system, { span: [0, 10] })");
  }
  const unknown = Object.keys(options).find((key) => !(KNOWN as readonly string[]).includes(key));
  if (unknown !== undefined) {
    throw wrong(`there is no option "${unknown}"; there are: ${KNOWN.join(", ")}`);
  }
  const { output = "steps", method, integrator, start = "assemble", modes = {} } = options;
  const span = checkedSpan(options.span);
  checkOutput(output);
  if (method !== undefined && integrator !== undefined) {
    throw wrong("give a method or an integrator, not both: a method has its own");
  }
  if (start !== "assemble" && start !== "asGiven") {
    throw wrong(`start is "${String(start)}"; give "assemble" or "asGiven"`);
  }
  if (START in modes) throw wrong(`modes: "${START}" is the name of what the run starts with`);
  return {
    sources: { [START]: source, ...modes },
    span,
    direction: Math.sign(span[1] - span[0]),
    q: options.q,
    v: options.v,
    start,
    method,
    integrator,
    tolerance: checkedTolerance(options.tolerance),
    step: positive("step", options.step),
    firstStep: positive("firstStep", options.firstStep),
    maximumStep: positive("maximumStep", options.maximumStep) ?? Number.POSITIVE_INFINITY,
    output,
    times: checkedTimes(output, span),
    dense: options.dense ?? (output === "steps" && options.keep !== false),
    each: options.each as ((state: State) => void) | undefined,
    keep: options.keep ?? true,
    events: (options.events ?? []) as readonly EventOptions<Source>[],
    progress: options.progress,
    signal: options.signal,
    maximumSteps: positive("maximumSteps", options.maximumSteps) ?? 1e7,
    maximumSeconds: positive("maximumSeconds", options.maximumSeconds) ?? Number.POSITIVE_INFINITY,
  };
}

/** The start that is given, or that of the source. */
export function startOf<T extends State>(
  { q, v, sources }: Setup<T>,
  names: { readonly positions: readonly string[]; readonly velocities: readonly string[] },
): { q: ArrayLike<number>; v: ArrayLike<number>; own: boolean } {
  const source = sources[START] as Source & { q?: ArrayLike<number>; v?: ArrayLike<number> };
  const positions = q ?? source.q;
  if (positions === undefined) {
    throw new NodriftError(
      "STEP",
      `solve: q is missing: give the ${names.positions.length} positions at the start (${names.positions.join(", ")})`,
    );
  }
  const own = q === undefined && v === undefined;
  const velocities = v ?? (q === undefined ? source.v : undefined);
  const given = velocities ?? new Float64Array(names.velocities.length);
  checkState("q", positions, names.positions);
  checkState("v", given, names.velocities);
  return { q: positions, v: given, own };
}
