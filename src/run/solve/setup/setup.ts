import {
  callback,
  flag,
  limit,
  needed,
  optionsOf,
  positive,
  type Rule,
  recordOf,
  rule,
  type Shape,
} from "../../../base/checking/index.js";
import { type StopSignal, stopSignal } from "../../../base/run-limits.js";
import type { Integrator, Method, State, System, SystemSource } from "../../../interfaces/index.js";
import { type MethodChoice, methodRule, partRule } from "../../../methods/names/method-rule.js";
import { publicCoordinates } from "../../public/public-view.js";
import { checkState, heldNames, startKind, stateNumbers } from "../../stepping/options.js";
import { checkHold, checkSource } from "../../stepping/source.js";
import {
  checkCounts,
  checkedTimes,
  checkedTolerance,
  output,
  span,
  TOLERANCE,
  wrong,
} from "./option-checks.js";
import type {
  EventOptions,
  OutputOption,
  Progress,
  SolveOptions,
  Source,
  Tolerance,
} from "./options.js";

/** Name of the initial mode. */
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
  readonly integrator: Integrator | undefined;
  readonly tolerance: Tolerance;
  readonly step: number | undefined;
  readonly firstStep: number | undefined;
  readonly maximumStep: number;
  readonly output: OutputOption;
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

/** The options of a run with methods created. */
type ReadOptions = Omit<SolveOptions, "method" | "integrator"> & {
  readonly method?: MethodChoice;
  readonly integrator?: Integrator;
};

/** A rule for a value that is checked when it is used. */
const later = (wants: string): Rule<never> => rule(wants, (value) => value !== null);

export const SOLVE_SHAPE: Shape<ReadOptions> = {
  span: needed(span),
  q: stateNumbers,
  v: stateNumbers,
  y: stateNumbers,
  start: startKind,
  hold: heldNames,
  method: methodRule,
  integrator: partRule("integrator"),
  tolerance: later(TOLERANCE),
  step: positive,
  firstStep: positive,
  maximumStep: limit,
  output,
  dense: flag,
  each: callback(),
  keep: flag,
  events: later("a list: events: [{ when: ... }]"),
  modes: recordOf(later("a system"), 'systems by name, as in { open: gate.without("latch") }'),
  progress: callback(),
  signal: stopSignal,
  maximumSteps: limit,
  maximumSeconds: limit,
};

export function setupOf<T extends State>(
  source: Source,
  given: SolveOptions,
  more: readonly unknown[] = [],
): Setup<T> {
  checkSource("solve", source, "solve(await compile(model), { span: [0, 10] })");
  if (given === undefined) throw wrong("options are missing: solve(system, { span: [0, 10] })");
  const options = optionsOf("solve", "STEP", given, SOLVE_SHAPE, more);
  const { output: kept = "steps", start = "assemble", modes = {} } = options;
  checkCounts(kept, options.span, options);
  checkHold(options.hold, start);
  if (options.method !== undefined && options.integrator !== undefined) {
    throw wrong("give either method or integrator: a method includes an integrator");
  }
  const { method, integrator } = { integrator: options.integrator, ...options.method } as {
    method?: Method;
    integrator?: Integrator;
  };
  if (Object.hasOwn(modes, START)) {
    throw wrong(`modes: "${START}" is reserved for the initial mode`);
  }
  for (const [name, mode] of Object.entries(modes)) {
    checkSource(`solve: mode "${name}"`, mode, 'modes: { open: gate.without("latch") }');
  }
  const tolerance = checkedTolerance(options.tolerance);
  return {
    sources: { [START]: source, ...modes },
    span: options.span,
    direction: Math.sign(options.span[1] - options.span[0]),
    q: options.q,
    v: options.v,
    y: options.y,
    start,
    hold: options.hold,
    method,
    integrator,
    tolerance,
    step: options.step,
    firstStep: options.firstStep,
    maximumStep: options.maximumStep ?? Number.POSITIVE_INFINITY,
    output: kept,
    times: checkedTimes(kept, options.span),
    dense: options.dense ?? (kept === "steps" && options.keep !== false),
    each: options.each as ((state: State) => void) | undefined,
    keep: options.keep ?? true,
    events: (options.events ?? []) as readonly EventOptions<Source>[],
    progress: options.progress,
    signal: options.signal,
    maximumSteps: options.maximumSteps ?? 1e7,
    maximumSeconds: options.maximumSeconds ?? Number.POSITIVE_INFINITY,
  };
}

/** Returns the given initial state, or that of the source, which is assembled at its own time. */
export function startOf<T extends State>(setup: Setup<T>, system: System): Start {
  const { y, sources, span } = setup;
  const { ode } = system;
  const { velocityNames, positionNames = velocityNames } = publicCoordinates(system);
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
  const given = velocities ?? new Float64Array(velocityNames.length);
  checkState(ode ? "y" : "q", positions, positionNames);
  checkState("v", given, velocityNames);
  return { q: positions, v: given, assembledAt };
}

/** Initial state of a run. */
export interface Start {
  readonly q: ArrayLike<number>;
  readonly v: ArrayLike<number>;
  readonly assembledAt: number | undefined;
}

/** Throws unless ODEs start from y, and all else from q and v. */
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
