// Interface of a running model in a worker: with fixed steps, or adaptive.

import { NodriftError } from "../../base/errors.js";
import type { RigidBodyInfo } from "../../interfaces/index.js";
import type { Commands } from "../messages/messages.js";

/** Commands that a runner executes. */
export type RunnerCommands = Omit<Commands, "pause" | "resume" | "speed">;

/** Object that values are read from: a simulation, or the state of a run. */
export type Readable = object;

export interface ModelRunner extends RunnerCommands {
  readonly name: string;
  readonly method: string;
  /** Model data, for formulas. */
  readonly data: object | undefined;
  readonly bodies: readonly RigidBodyInfo[] | undefined;
  readonly joints: readonly string[];
  /** Joints and forces that the present mode lacks; the same array until the mode changes. */
  readonly absent: readonly string[];
  /** Positions to draw. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  /** Time that the simulation has reached. */
  readonly reached: number;
  readonly stepLength: number;
  readonly droppedTime: number;
  paused: boolean;
  clockSpeed: number;
  /** Why the motion has ended; undefined while it runs. */
  readonly over: string | undefined;
  readonly readable: Readable;
  /** Draws the state that has been reached, and continues from there. */
  hold(): void;
  /** Advances by real seconds; returns the number of steps taken. */
  advance(seconds: number): number;
}

/** Returns the error of a command that a kind of runner does not support. */
export function refusal(what: string, of: string): NodriftError {
  return new NodriftError("STEP", `${what}: ${of}`);
}
