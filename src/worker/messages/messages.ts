// Message protocol between a page and its worker. Frames are plain buffers unless memory is shared.

import type { NamedState } from "../../bodies.js";
import type { Snapshot } from "../../index.js";
import type { RigidBodyInfo } from "../../interfaces/index.js";
import type { RunSnapshot } from "../../solve.js";
import type { ErrorData } from "./errors.js";
import type { FrameSizes } from "./frame.js";

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
