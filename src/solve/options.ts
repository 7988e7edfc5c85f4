import type { Integrator } from "../contracts.js";
import type { MethodOption } from "../methods/index.js";
import type { EventOptions } from "./event-options.js";
import type { Source, StateOf } from "./source.js";

/** Which states are kept. */
export type Output =
  /** The end of every step, and both sides of events. */
  | "steps"
  /** The start and the end. */
  | "ends"
  /** Given times, in the order of the run. */
  | { readonly times: ArrayLike<number> }
  /** So many in each unit of time, from the start on, and the end. */
  | { readonly rate: number };

/**
 * How large errors may be: of a coordinate, in each step, absolute + relative |coordinate|. The unknowns of plain
 * differential equations count as positions.
 */
export interface ToleranceOptions {
  readonly relative?: number;
  readonly absolute?: number | { readonly positions: number; readonly velocities: number };
}

export interface SolveOptions<S extends Source = Source> {
  /** From when to when. Backwards if the second is the smaller one. */
  readonly span: readonly [number, number];
  /** Positions at the start. Compiled mechanisms bring their own. */
  readonly q?: ArrayLike<number>;
  /** Velocities at the start. Default: those of the mechanism, or rest. */
  readonly v?: ArrayLike<number>;
  /** The unknowns at the start, of a plain differential equation: instead of q and v. Default: those of its description. */
  readonly y?: ArrayLike<number>;
  /** "assemble" moves the start onto the constraints, "asGiven" takes it as it is. Default: "assemble". */
  readonly start?: "assemble" | "asGiven";
  /** Made, or named. Default: chosen for the system and the tolerance; the solution tells which, and why. */
  readonly method?: MethodOption;
  /**
   * Only the integrator, or its name, of the method that is chosen. One that does not estimate its error needs a
   * `step`.
   */
  readonly integrator?: Integrator | string;
  /** Error allowed in each step: one number is relative and absolute. Default: 1e-6. */
  readonly tolerance?: number | ToleranceOptions;
  /** Steps of this length, and no control of the error. For methods without an estimate. */
  readonly step?: number;
  /** Length of the first step to try. Default: found from the motion. */
  readonly firstStep?: number;
  /** Longest step. Default: the whole span. */
  readonly maximumStep?: number;
  /** Which states the solution keeps. Default: "steps". */
  readonly output?: Output;
  /** Keeps what {@link Solution.at} needs between the states. Default: true where output is "steps". */
  readonly dense?: boolean;
  /** Called with each state of the output; the object is used again: copy what you keep. */
  readonly each?: (state: StateOf<S>) => void;
  /** False keeps no states but the last: for {@link each}. Default: true. */
  readonly keep?: boolean;
  readonly events?: readonly EventOptions<S>[];
  /** Other sets of constraints and forces for the same coordinates, that events can switch to, by name. */
  readonly modes?: Readonly<Record<string, S>>;
  /** Called now and then, about ten times a second, and at the end. */
  readonly progress?: (progress: Progress) => void;
  /** Ends the run early; what was computed is kept. */
  readonly signal?: AbortSignal;
  /** Ends the run after so many steps. Default: 10 million. */
  readonly maximumSteps?: number;
  /** Ends the run after so many seconds of real time. Default: none. */
  readonly maximumSeconds?: number;
}

export interface Progress {
  readonly time: number;
  /** From 0 to 1. */
  readonly fraction: number;
  readonly steps: number;
  /** Length of the last step. */
  readonly step: number;
  /** Real time since the start, in seconds. */
  readonly seconds: number;
}

/** Checked. */
export interface Tolerance {
  readonly relative: number;
  readonly positions: number;
  readonly velocities: number;
}
