import type { Method, State, System, SystemSource } from "../contracts.js";
import type { Equations } from "../equations/equations.js";
import { checkHold } from "../run/held-start.js";
import { checkState } from "../run/options.js";
import type { StopSignal } from "../watch.js";
import {
  checkedSpan,
  checkedTimes,
  checkedTolerance,
  checkKinds,
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
  readonly y: ArrayLike<number> | undefined;
  readonly start: "assemble" | "asGiven";
  readonly hold: readonly string[] | undefined;
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
  readonly signal: StopSignal | undefined;
  readonly maximumSteps: number;
  readonly maximumSeconds: number;
}

const KNOWN: readonly (keyof SolveOptions)[] = [
  "span",
  "q",
  "v",
  "y",
  "start",
  "hold",
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
  if (!isSource(source)) {
    throw wrong(
      "the first argument is no system: give a compiled model or equations, as in " +
        "solve(await compile(model), { span: [0, 10] })",
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
  checkOutput(output, span, options.keep !== false);
  checkKinds(options);
  if (method !== undefined && integrator !== undefined) {
    throw wrong("give a method or an integrator, not both: a method has its own");
  }
  if (start !== "assemble" && start !== "asGiven") {
    throw wrong(`start is "${String(start)}"; give "assemble" or "asGiven"`);
  }
  checkHold(options.hold, start);
  if (START in modes) throw wrong(`modes: "${START}" is the name of what the run starts with`);
  return {
    sources: { [START]: source, ...modes },
    span,
    direction: Math.sign(span[1] - span[0]),
    q: options.q,
    v: options.v,
    y: options.y,
    start,
    hold: options.hold,
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

/** A model that is not compiled has neither, and a promise is not awaited. */
function isSource(source: unknown): source is Source {
  if (typeof source !== "object" || source === null) return false;
  const { coordinateNames, system } = source as Partial<Equations & SystemSource>;
  return Array.isArray(coordinateNames) || typeof system === "function";
}

/** The start that is given, or that of the source, which is assembled at its time. */
export function startOf<T extends State>(setup: Setup<T>, system: System): Start {
  const { y, sources, span } = setup;
  const { coordinateNames, positionNames = coordinateNames, ode } = system;
  const source = sources[START] as Source & Partial<SystemSource>;
  const { q, v } = ode ? { q: y, v: undefined } : setup;
  checkKindOfStart(setup, system);
  const positions = q ?? source.q;
  if (positions === undefined) {
    const [what, which] = ode ? ["y", "unknowns"] : ["q", "positions"];
    throw wrong(
      `${what} is missing: give the ${positionNames.length} ${which} at the start (${positionNames.join(", ")})`,
    );
  }
  const own = q === undefined && v === undefined;
  const assembledAt = own ? (source.time ?? span[0]) : undefined;
  const velocities = v ?? (q === undefined ? source.v : undefined);
  const given = velocities ?? new Float64Array(coordinateNames.length);
  checkState(ode ? "y" : "q", positions, positionNames);
  checkState("v", given, coordinateNames);
  return { q: positions, v: given, assembledAt };
}

/** Where a run starts. */
export interface Start {
  readonly q: ArrayLike<number>;
  readonly v: ArrayLike<number>;
  readonly assembledAt: number | undefined;
}

/** Plain differential equations start from y, all else from q and v. */
function checkKindOfStart<T extends State>({ q, v, y }: Setup<T>, { name, ode }: System): void {
  if (ode && (q !== undefined || v !== undefined)) {
    throw wrong(
      `${name} is a plain differential equation: give its start as y, not as ${q === undefined ? "v" : "q"}`,
    );
  }
  if (!ode && y !== undefined) {
    throw wrong(
      `y is the start of plain differential equations; ${name} has positions and velocities: give q and v`,
    );
  }
}
