// Message protocol between a page and its worker. Frames are plain buffers unless memory is shared.

import { type ErrorCode, NodriftError } from "../../base/errors.js";
import type { NamedState } from "../../bodies.js";
import { ModelFileError, type Problem } from "../../files/text/problems.js";
import type { Snapshot } from "../../index.js";
import type { RigidBodyInfo } from "../../interfaces/index.js";
import type { RunSnapshot } from "../../solve.js";

// Errors as messages between threads: structured cloning would lose their class, code and fields.

/** An error as plain data. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** Error code, for errors of this package. */
  readonly code?: ErrorCode;
  /** Simulated time of the error, if it has one. */
  readonly time?: number;
  /** Problems of a model file. */
  readonly problems?: readonly Problem[];
  readonly count?: number;
  readonly cause?: ErrorData;
}

/** Depth of nested causes that are sent: causes may form a cycle. */
const MAX_CAUSE_DEPTH = 4;

/** Returns a thrown value as plain data. */
export function errorData(thrown: unknown, depth = 0): ErrorData {
  if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  // Distinguished by shape: the user's model may come from another copy of the package.
  const { code, time, problems, count } = thrown as Partial<NodriftError & ModelFileError> & {
    time?: unknown;
  };
  return {
    name,
    message,
    stack,
    ...(typeof code === "string" && { code }),
    ...(typeof time === "number" && { time }),
    ...(Array.isArray(problems) && { problems, count: count ?? problems.length }),
    ...(cause !== undefined && depth < MAX_CAUSE_DEPTH && { cause: errorData(cause, depth + 1) }),
  };
}

/** Recreates an error; errors of this package keep their class. */
export function errorOf(data: ErrorData): Error {
  const { name, message, stack, code, time, problems, count, cause } = data;
  const options = cause === undefined ? {} : { cause: errorOf(cause) };
  if (problems !== undefined) return new ModelFileError(problems, count);
  const error =
    code === undefined ? new Error(message, options) : new NodriftError(code, message, options);
  for (const [key, value] of Object.entries({ name, time, stack })) {
    if (value !== undefined) define(error, key, value);
  }
  return error;
}

function define(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, { value, configurable: true, writable: true });
}

// A frame: everything a page needs to draw one picture, as one buffer of numbers, sent to the page and returned.
//
// With shared memory (cross-origin isolated pages, Node threads) buffers are not transferred: frames are written to slots
// of one memory, and only slot indices are sent. A slot belongs to the thread that received its index last, so no slot is
// read while it is written, without locks.
//
// Rejected: messages with named fields. Each would be cloned into new objects and arrays sixty times a second; one buffer
// is transferred without a copy, and reused.

/** Fields of the frame header, before q, v and the requested values. */
export enum FrameSlot {
  /** Number of the frame, from 1. */
  NUMBER,
  /** Time of the state that is drawn. */
  TIME,
  /** Time that the simulation has reached: up to a step later. */
  REACHED,
  /** Length of a step in seconds: fixed, or the mean over this frame if steps vary. */
  STEP,
  /** Steps taken in all. */
  STEPS,
  /** Dropped simulated seconds. */
  DROPPED_TIME,
  /** Frames that were due and not sent. */
  SKIPPED,
  /** Computing time per step of this frame, in seconds; NaN if there was no step. */
  COST,
  /** The last command that this frame shows. */
  COMMAND,
  /** 1 while paused. */
  PAUSED,
  LENGTH,
}

/** Sizes of the parts of a frame. */
export interface FrameSizes {
  readonly positions: number;
  readonly velocities: number;
  /** Requested values. */
  readonly values: number;
}

/** Returns the length of a frame. */
export function frameLength({ positions, velocities, values }: FrameSizes): number {
  return FrameSlot.LENGTH + positions + velocities + values;
}

/** Returns views of the frames in a shared memory; `length` values each. */
export function frameViews(memory: SharedArrayBuffer, length: number): Float64Array[] {
  const bytes = Float64Array.BYTES_PER_ELEMENT * length;
  return Array.from(
    { length: memory.byteLength / bytes },
    (_, slot) => new Float64Array(memory, slot * bytes, length),
  );
}

/** Source of a worker's model. */
export type SourceData =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "document"; readonly document: unknown }
  | { readonly kind: "module"; readonly url: string };

/** Checked options of `spawn` that concern the worker. */
export interface RunData {
  readonly input?: unknown;
  readonly method?: string;
  readonly step?: number;
  readonly tolerance?: number;
  readonly until?: number;
  readonly rate: number;
  readonly speed: number;
  readonly paused: boolean;
  readonly maximumSteps?: number;
  /** Formulas of the requested values. */
  readonly values: readonly string[];
  /** Whether to send frames through shared memory, if available. */
  readonly shared: boolean;
  readonly record?: { readonly every?: number; readonly snapshots?: number };
  readonly from?: Snapshot | RunSnapshot;
  readonly state?: NamedState;
}

/** Commands of a worker. The model in the worker checks their arguments. */
export interface Commands {
  set(...given: readonly unknown[]): void;
  push(body: string, options: unknown): void;
  grab(body: string, point: unknown, options: unknown): number;
  moveTo(grip: number, place: unknown): void;
  release(grip: number): void;
  pause(): void;
  resume(): void;
  speed(speed: number): void;
  step(count: number): void;
  setState(q: unknown, v: unknown, options: unknown): void;
  namedState(): NamedState;
  setNamedState(state: unknown): void;
  save(): Snapshot | RunSnapshot;
  restore(snapshot: unknown): void;
  rewind(time: number): void;
  recorded(): unknown;
}

/** Description of a model that is ready. */
export interface ReadyData extends FrameSizes {
  readonly name: string;
  readonly method: string;
  readonly bodies: readonly RigidBodyInfo[] | undefined;
  readonly joints: readonly string[];
  /** Memory of all frames, one after the other, if they are shared. */
  readonly memory?: SharedArrayBuffer;
}

export type ToWorker =
  | { readonly type: "begin"; readonly source: SourceData; readonly run: RunData }
  | {
      readonly type: "command";
      readonly id: number;
      readonly name: keyof Commands;
      readonly given: readonly unknown[];
    }
  /** A frame in shared memory has been read. */
  | { readonly type: "read"; readonly slot: number }
  /** Checks whether the worker responds; answered between steps. */
  | { readonly type: "ping" };

export type FromWorker =
  | { readonly type: "ready"; readonly about: ReadyData }
  /** A frame in shared memory has been written. */
  | { readonly type: "frame"; readonly slot: number }
  /** The model could not be created. */
  | { readonly type: "failed"; readonly error: ErrorData }
  | { readonly type: "done"; readonly id: number; readonly value: unknown }
  | { readonly type: "refused"; readonly id: number; readonly error: ErrorData }
  /** Centres of mass have changed; they apply to all later frames. */
  | { readonly type: "bodies"; readonly bodies: readonly RigidBodyInfo[] }
  /** Joints and forces that the mode of all later frames lacks. */
  | { readonly type: "absent"; readonly names: readonly string[] }
  /** A step failed: the model is paused in the state before it. */
  | { readonly type: "error"; readonly error: ErrorData }
  | { readonly type: "end"; readonly time: number; readonly reason: string }
  | { readonly type: "alive" };

/** One end of a message channel between two threads. */
export interface Channel<Out, In> {
  send(message: Out | ArrayBuffer): void;
  /** Sets the listener. */
  listen(listener: (message: In | ArrayBuffer) => void): void;
}
