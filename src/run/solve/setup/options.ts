import type { StopSignal } from "../../../base/run-limits.js";
import type { Integrator } from "../../../interfaces/index.js";
import type { MethodOption } from "../../../methods/names/method-rule.js";
import type { EventOptions } from "./event-options.js";
import type { Source, StateOf } from "./source.js";

/** Which states the solution stores. */
export type OutputOption =
  /** The end of every step, and both sides of events. */
  | "steps"
  /** The start and the end. */
  | "ends"
  /** Given times, in the order of the run. */
  | { readonly times: ArrayLike<number> }
  /** This many states in each unit of time from the start on, and the end. */
  | { readonly rate: number };

/**
 * Allowed error of a coordinate in each step: absolute + relative |coordinate|. The unknowns of plain differential
 * equations count as positions.
 *
 * @example
 * const tolerance = { relative: 1e-8, absolute: { positions: 1e-6, velocities: 1e-5, needle: 1e-12 } };
 */
export interface ToleranceOptions {
  /** Default: 0. */
  readonly relative?: number;
  /** Default, also for kinds an object omits: the value of `relative`. */
  readonly absolute?: number | AbsoluteTolerances;
}

/** Absolute tolerances by kinds of coordinates. Angles are in radians. */
export interface KindTolerances {
  /** Body centres, and Euler parameters unless `angles` is given. */
  readonly positions?: number;
  /** Rotations of bodies, in radians. */
  readonly angles?: number;
  /** Velocities of body centres, and angular velocities unless `angularVelocities` is given. */
  readonly velocities?: number;
  /** Angular velocities of bodies. */
  readonly angularVelocities?: number;
}

/**
 * Absolute tolerances by kind, and by the names of bodies and coordinates. A coordinate's tolerance overrides its
 * body's, which overrides its kind's. One number for a body holds for all its coordinates, one for a coordinate of
 * equations for its position and its velocity; or give some of the kinds. Only bodies have angles.
 */
export interface AbsoluteTolerances extends KindTolerances {
  readonly [name: string]: number | KindTolerances | undefined;
}

/** Options of {@link solve}, {@link solveAsync} and {@link start}. */
export interface SolveOptions<S extends Source = Source> {
  /** Start and end time. Integrates backwards if end < start. */
  readonly span: readonly [number, number];
  /** Positions at the start. Compiled mechanisms have their own. */
  readonly q?: ArrayLike<number>;
  /** Velocities at the start. Default: those of the mechanism, or rest. */
  readonly v?: ArrayLike<number>;
  /** Unknowns of a plain differential equation at the start, instead of q and v. Default: those of its description. */
  readonly y?: ArrayLike<number>;
  /** "assemble" projects the start onto the constraints; "asGiven" uses it unchanged. Default: "assemble". */
  readonly start?: "assemble" | "asGiven";
  /** Coordinates to keep exactly as given, in q and v, while the others are projected. Only for `equations`. */
  readonly hold?: readonly string[];
  /** Default: chosen automatically; see `solution.method` and `solution.methodReason`. */
  readonly method?: MethodOption;
  /** Only the integrator of the chosen method. One that does not estimate its error needs a `step`. */
  readonly integrator?: Integrator | string;
  /** Local error tolerance per step; one number sets both relative and absolute. Default: 1e-6. */
  readonly tolerance?: number | ToleranceOptions;
  /** Fixed step size, without error control. Needed for methods without an error estimate. */
  readonly step?: number;
  /** Length of the first step to try. Default: found from the motion. */
  readonly firstStep?: number;
  /** Longest step. Default: the whole span. */
  readonly maximumStep?: number;
  /** Which states the solution stores. Default: "steps". */
  readonly output?: OutputOption;
  /** Store dense output for {@link Solution.at}. Default: true if output is "steps". */
  readonly dense?: boolean;
  /** Called for each output state. The object is reused: copy what you keep. */
  readonly each?: (state: StateOf<S>) => void;
  /** Store states. False stores only the last one, for use with {@link each}. Default: true. */
  readonly keep?: boolean;
  /** Events to locate. */
  readonly events?: readonly EventOptions<S>[];
  /** Other sets of constraints and forces for the same coordinates, by name, that events can switch to. */
  readonly modes?: Readonly<Record<string, S>>;
  /** Called about ten times a second, and at the end. */
  readonly progress?: (progress: Progress) => void;
  /**
   * Ends the run early; results so far are kept. An AbortSignal can be aborted by callbacks of the run, and during
   * {@link solveAsync} by any code that runs between steps; a {@link StopSignal} that reads shared memory, by other
   * threads at any time.
   */
  readonly signal?: StopSignal;
  /** Maximum number of steps. Default: 10 million. */
  readonly maximumSteps?: number;
  /** Maximum real time in seconds. Default: none. */
  readonly maximumSeconds?: number;
}

/** Progress of a run. */
export interface Progress {
  /** Time the run has reached. */
  readonly time: number;
  /** Fraction of the span that is done, from 0 to 1. */
  readonly fraction: number;
  /** Steps accepted. */
  readonly steps: number;
  /** Length of the last step. */
  readonly step: number;
  /** Real time since the start, in seconds. */
  readonly seconds: number;
}

/** Checked tolerances. */
export interface Tolerance {
  readonly relative: number;
  /** Absolute, unless given by name. */
  readonly positions: number;
  readonly velocities: number;
  /** Tolerances by name and kind, to be resolved by the system. */
  readonly named: ReadonlyMap<string, number | KindTolerances>;
}
