// What pages and their workers say to each other. Frames are bare buffers; everything else is one of these.

import type { NamedState } from "../../../bodies.js";
import type { Snapshot } from "../../../index.js";
import type { RigidBodyInfo } from "../../../seam/index.js";
import type { RunSnapshot } from "../../../solve.js";
import type { ErrorData } from "./errors.js";
import type { FrameSizes } from "./frame.js";

/** What a worker makes its model of. */
export type SourceData =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "document"; readonly document: unknown }
  | { readonly kind: "module"; readonly url: string };

/** How it runs: options of `spawn` that are the worker's business, checked. */
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
  /** Formulas. */
  readonly values: readonly string[];
  /** Frames through memory that both threads have, if there can be any. */
  readonly shared: boolean;
  readonly record?: { readonly every?: number; readonly snapshots?: number };
  readonly from?: Snapshot | RunSnapshot;
  readonly state?: NamedState;
}

/** What can be asked of a worker. Arguments are checked by what they are for, there. */
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

/** What a worker tells about a model that is ready. */
export interface ReadyData extends FrameSizes {
  readonly name: string;
  readonly method: string;
  readonly bodies: readonly RigidBodyInfo[] | undefined;
  readonly joints: readonly string[];
  /** Memory of all frames, one behind the other, if both threads have it. */
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
  /** A frame of the memory has been read. */
  | { readonly type: "read"; readonly slot: number }
  /** Whether it is alive: answered between steps. */
  | { readonly type: "ping" };

export type FromWorker =
  | { readonly type: "ready"; readonly about: ReadyData }
  /** A frame of the memory has been written. */
  | { readonly type: "frame"; readonly slot: number }
  /** There is no model. */
  | { readonly type: "failed"; readonly error: ErrorData }
  | { readonly type: "done"; readonly id: number; readonly value: unknown }
  | { readonly type: "refused"; readonly id: number; readonly error: ErrorData }
  /** Centres of mass that have changed; frames behind this message are drawn with them. */
  | { readonly type: "bodies"; readonly bodies: readonly RigidBodyInfo[] }
  /** Joints and forces that the mode of the frames behind this message lacks. */
  | { readonly type: "absent"; readonly names: readonly string[] }
  /** A step failed: the model waits in the state before it. */
  | { readonly type: "error"; readonly error: ErrorData }
  | { readonly type: "end"; readonly time: number; readonly reason: string }
  | { readonly type: "alive" };

/** One end of the line between two threads. */
export interface Line<Out, In> {
  send(message: Out | ArrayBuffer): void;
  /** The one who listens from now on. */
  listen(listener: (message: In | ArrayBuffer) => void): void;
}
