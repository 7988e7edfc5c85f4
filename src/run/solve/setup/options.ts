import type { StopSignal } from "../../../base/run-limits.js";
import type { Integrator, State, SystemSource } from "../../../interfaces/index.js";
import type { MethodOption } from "../../../methods/names/method-rule.js";
import type { Joint } from "../../../model/handles.js";
import type { ModelData } from "../../../model/model-data.js";
import type { ModelSettings, SetNumbers } from "../../../model/settings.js";
import type { Equations } from "../../../systems/equations/equations.js";
import type { EquationState } from "../../../systems/equations/state.js";

/** Anything that can be solved: a compiled mechanism, equations, an ode, or any object that creates systems. */
export type Source = Equations | SystemSource;

/** A source whose values can be set: a compiled mechanism. */
export interface ChangeableSource extends SystemSource {
  /** Returns the settings after a call of `set` with these arguments, as plain data. Checks the arguments. */
  settingsAfter(where: string, given: readonly unknown[]): object;
  /** Returns a copy with these settings. */
  withSettings(settings: object): { readonly model: ChangeableSource };
  /** Converts a state of the same mechanism with other values to the coordinates of this one. */
  stateFrom(source: object, state: Pick<State, "q" | "v">): Pick<State, "q" | "v">;
}

/** A compiled mechanism, whose joints can be locked. */
export interface HeldSource {
  readonly data: ModelData;
  readonly settings: ModelSettings;
}

export function isChangeable(source: Source): source is ChangeableSource {
  return typeof (source as Partial<ChangeableSource>).settingsAfter === "function";
}

/** State type of a source: with bodies and joints by name for mechanisms, with multipliers for equations. */
export type StateOf<S> = S extends { state(...data: never[]): infer T extends State }
  ? T
  : S extends Equations
    ? EquationState
    : State;

/** Which sign change counts, in the direction of integration. */
export type EventDirection = "rising" | "falling" | "both";

/** An event to locate, and its action. */
export interface EventOptions<S extends Source = Source> {
  /** Name for records and messages. Default: "event 0", "event 1", ... */
  readonly name?: string;
  /**
   * The event function: an event is a sign change. Must be smooth; it is sampled inside steps too, but two zeros closer
   * than a quarter step can be missed (see `maximumStep`). A zero at the start, or a touch without sign change, is no
   * event.
   */
  readonly when: (state: StateOf<S>) => number;
  /** Which sign change counts. Default: "both". */
  readonly direction?: EventDirection;
  /** Ends the run at the first occurrence, or at the n-th if a number. Default: false. */
  readonly terminal?: boolean | number;
  /**
   * Modes in which the event is active ("start" is the initial mode). Default: all. Leave out a mode in which the
   * contact has become a constraint, or in which a joint that `when` reads has opened.
   */
  readonly modes?: readonly string[];
  /** Called at the event. May change the state, switch the mode or end the run. */
  readonly action?: (context: EventContext<StateOf<S>>) => void;
}

/** Type of the unknowns of ODEs; undefined for other states. */
export type UnknownsOf<T> = T extends { readonly y: infer Y } ? Y : undefined;

/** Passed to an event's `action`. */
export interface EventContext<T extends State = State> {
  /** Names of all events at this time: the actions of simultaneous events are called in order. */
  readonly events: readonly string[];
  /** Time of the event. */
  readonly time: number;
  /** The state just before. */
  readonly before: T;
  /** Positions after the event: modify in place. The state is projected onto the constraints afterwards. */
  readonly q: Float64Array;
  /** Velocities after the event: modify in place. */
  readonly v: Float64Array;
  /** Unknowns of a plain differential equation after the event: modify in place. */
  readonly y: UnknownsOf<T>;
  /**
   * Applies an impact: reverses the rate of `when`, scaled by the coefficient of restitution, including constraint
   * impulses. Returns the impulse along the gradient of `when`.
   */
  bounce(restitution?: number): number;
  /** Switches to another mode: one of the `modes`, or "start". */
  switchTo(mode: string): void;
  /**
   * Changes values of the mechanism from here on: parameters and gravity, or properties of a body, marker, joint or
   * force. As `set` of simulations.
   *
   * @example
   * solve(crane, { span: [0, 5], events: [{ when: ({ time }) => time - 1, action: (event) => event.set("load", { mass: 2 }) }] });
   */
  set: SetNumbers<void>;
  /**
   * Locks a joint at its present position from here on. If it moves, an impulse stops it, which is in the record of
   * the event. The force of the lock is `state.joint("lock of hinge").driveForce`.
   */
  lock(joint: string | Joint): void;
  /** Unlocks a joint that was locked. */
  unlock(joint: string | Joint): void;
  /** Ends the run here. */
  stop(reason?: string): void;
}

/** An event that occurred. */
export interface EventRecord<T extends State = State> {
  /** Its name: "event 0" if none was given. */
  readonly name: string;
  /** Its index in the options. */
  readonly index: number;
  /** When it occurred. */
  readonly time: number;
  /** Direction in which `when` crossed zero. */
  readonly direction: "rising" | "falling";
  /** The state just before. */
  readonly before: T;
  /** The state after the event: as before, except for changes by actions. */
  readonly after: T;
  /** Impulses of the constraints if velocities jumped, by row name; empty otherwise. */
  readonly impulses: Readonly<Record<string, number>>;
  /** The mode after the event. */
  readonly mode: string;
}

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
