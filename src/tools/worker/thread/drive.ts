// A model that moves, as the loop of a worker sees it: steps of one length, or a run to a tolerance.

import { NodriftError } from "../../../ground/errors.js";
import type { RigidBodyInfo } from "../../../seam/index.js";
import type { Commands } from "../messages/messages.js";

/** What a motion can be told. */
export type DriveCommands = Omit<Commands, "pause" | "resume" | "speed">;

/** Where values are read: a simulation, or the state of a run. */
export type Readable = object;

export interface Drive extends DriveCommands {
  readonly name: string;
  readonly method: string;
  /** Of the model, for formulas. */
  readonly data: object | undefined;
  readonly bodies: readonly RigidBodyInfo[] | undefined;
  readonly joints: readonly string[];
  /** Joints and forces that the present mode lacks: the same list for as long as it lasts. */
  readonly absent: readonly string[];
  /** What to draw. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  /** Time that has been reached. */
  readonly reached: number;
  readonly stepLength: number;
  readonly lag: number;
  paused: boolean;
  clockSpeed: number;
  /** Why it is over; undefined while it is not. */
  readonly over: string | undefined;
  readonly readable: Readable;
  /** Draws the state that has been reached, and goes on from there. */
  hold(): void;
  /** Lets real seconds pass; gives the number of steps. */
  advance(seconds: number): number;
}

/** For what a kind of motion cannot do. */
export function refusal(what: string, of: string): NodriftError {
  return new NodriftError("STEP", `${what}: ${of}`);
}
