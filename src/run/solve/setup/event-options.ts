import type { State } from "../../../seam/index.js";
import type { Source, StateOf } from "./source.js";

/** Which way the value goes when it counts, as the run meets it. */
export type EventDirection = "rising" | "falling" | "both";

export interface EventOptions<S extends Source = Source> {
  /** For records and messages. Default: "event 0", "event 1", ... */
  readonly name?: string;
  /**
   * Zero where the event is: where its sign changes. It must be a smooth function of the state, and is looked
   * at between steps too; pairs of zeros closer together than a quarter of a step can be missed: see
   * `maximumStep`. A value that is zero at the start is no event, nor is one that touches zero.
   */
  readonly when: (state: StateOf<S>) => number;
  /** Default: "both". */
  readonly direction?: EventDirection;
  /** Ends the run; a number: at its so-many-th time. Default: false. */
  readonly terminal?: boolean | number;
  /**
   * Modes in which it is looked for, "start" among them. Default: all. A contact that has become a constraint is
   * no longer looked for, and a joint that has opened cannot be read.
   */
  readonly modes?: readonly string[];
  /** May change the state, the constraints and forces, or end the run. */
  readonly action?: (happening: EventContext<StateOf<S>>) => void;
}

/** The unknowns of plain differential equations, whose states have them. */
export type UnknownsOf<T> = T extends { readonly y: infer Y } ? Y : undefined;

/** What the action of an event is given. */
export interface EventContext<T extends State = State> {
  /** Names of all events at this time: the actions of simultaneous ones are called one after the other. */
  readonly events: readonly string[];
  readonly time: number;
  /** The state just before. */
  readonly before: T;
  /** Positions and velocities from now on: write into them. They are brought onto the constraints after. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** The unknowns of a plain differential equation from now on: write into them. */
  readonly y: UnknownsOf<T>;
  /**
   * Turns the rate of `when` around, times the coefficient of restitution: an impact against the surface
   * where it is zero, with the impulses of all constraints. Gives the impulse in the direction of its
   * gradient.
   */
  bounce(restitution?: number): number;
  /** Goes on with other constraints and forces: one of the `modes`, or "start". */
  switchTo(mode: string): void;
  /** Ends the run here. */
  stop(reason?: string): void;
}

/** An event that was met. */
export interface EventRecord<T extends State = State> {
  readonly name: string;
  /** Its number in the options. */
  readonly index: number;
  readonly time: number;
  readonly direction: "rising" | "falling";
  readonly before: T;
  /** The same as before, but for what actions changed. */
  readonly after: T;
  /** Impulses of the constraints where velocities jumped, by the names of their rows; empty if none did. */
  readonly impulses: Readonly<Record<string, number>>;
  /** Constraints and forces after it. */
  readonly mode: string;
}
