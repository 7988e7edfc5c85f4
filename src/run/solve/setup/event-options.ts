import type { State } from "../../../interfaces/index.js";
import type { Joint } from "../../../model/handles.js";
import type { SetNumbers } from "../../../model/settings.js";
import type { Source, StateOf } from "./source.js";

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
   * the event. The withLocks force is `state.joint("lock of hinge").driveForce`.
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
