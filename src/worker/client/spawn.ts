// Conversion of the arguments of `spawn` to messages.

import {
  anything,
  finite,
  flag,
  limit,
  number,
  options,
  optionsOf,
  positive,
  type Rule,
  recordOf,
  rule,
  type Shape,
  show,
  text,
  whole,
} from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { NamedState, RecordOptions } from "../../bodies.js";
import type { Snapshot } from "../../index.js";
import type { RunSnapshot } from "../../solve.js";
import type { FromWorker, ReadyData, RunData, SourceData } from "../messages/messages.js";
import { errorOf } from "../messages/messages.js";
import { LiveModel } from "./live-model.js";
import {
  handleOf,
  type NodeWorker,
  startWorker,
  type WebWorker,
  type WorkerHandle,
} from "./worker-handle.js";

/** Options of {@link spawn}. */
export interface SpawnOptions {
  /** Name of a method: "ros3", "udwadiaKalaba + projection + rk4". Default: chosen as by `realtime`. */
  readonly method?: string;
  /** Length of a step in seconds. Default: 1/240. */
  readonly step?: number;
  /** Tolerance of an adaptive run, instead of a fixed step. */
  readonly tolerance?: number;
  /** Frames per second. Default: 60. */
  readonly rate?: number;
  /** Simulated seconds per real second. Default: 1. */
  readonly speed?: number;
  /** Start paused, until `resume` or `step`. Default: false. */
  readonly paused?: boolean;
  /** Maximum number of steps per frame; the time of further steps is dropped and counted in `droppedTime`. */
  readonly maximumSteps?: number;
  /** Simulated time at which the motion ends. Default: none. */
  readonly until?: number;
  /** Values sent with each frame: formulas as in model files, by names of your choice: { height: "z('crane:hook')" }. */
  readonly values?: Readonly<Record<string, string>>;
  /**
   * Send frames through shared memory instead of transferred buffers. Ignored if shared memory is unavailable. Default:
   * true in cross-origin isolated pages.
   */
  readonly shared?: boolean;
  /** Record commands and snapshots, for `rewind` and `recorded`. Default: false. */
  readonly record?: boolean | RecordOptions;
  /** Snapshot to start from. */
  readonly from?: Snapshot | RunSnapshot;
  /** Initial state, from `namedState` of the same or a modified model. */
  readonly state?: NamedState;
  /** Argument of the function that the module exports: anything that can be cloned. */
  readonly input?: unknown;
  /**
   * Seconds without a response after which the worker is considered dead. One step or one call of a user function must
   * not take longer. Default: 10; Infinity disables the check.
   */
  readonly timeout?: number;
}

const RECORD: Shape<RecordOptions> = { every: whole(1), snapshots: whole(1) };
const recordOptions = options(RECORD);

const record: Rule<boolean | RecordOptions> = {
  wants: "true, false or { every, snapshots }",
  read: (value, place) => (typeof value === "boolean" ? value : recordOptions.read(value, place)),
};

export const SPAWN_SHAPE: Shape<SpawnOptions> = {
  method: text,
  step: positive,
  tolerance: positive,
  rate: number("frames per second, from 0.1 to 1000", (value) => value >= 0.1 && value <= 1000),
  speed: number("0 or more: 1 is real time", (value) => value >= 0),
  paused: flag,
  maximumSteps: whole(1),
  until: finite,
  values: recordOf(text, "formulas by their names"),
  shared: flag,
  record,
  from: rule<Snapshot>("a snapshot, of save", (value) => typeof value === "object"),
  state: rule<NamedState>("a state, of namedState", (value) => typeof value === "object"),
  input: anything,
  timeout: limit,
};

/** Whether a source is a worker, whose program must call `serve` of `nodrift/worker-serve`. */
function isWorker(given: unknown): given is WebWorker | NodeWorker {
  const { postMessage, terminate } = (given ?? {}) as Partial<WebWorker>;
  return typeof postMessage === "function" && typeof terminate === "function";
}

/** Returns the source as data: a file as text or value, or the address of a module. */
function sourceOf(given: unknown): SourceData {
  if (typeof given === "string" && /^\s*\{/.test(given)) return { kind: "text", text: given };
  if (typeof given === "string" || given instanceof URL) {
    return { kind: "module", url: urlOf(given) };
  }
  if (typeof given !== "object" || given === null) {
    throw refused(`not ${show(given)}`);
  }
  const { calls, settings } = given as { calls?: unknown; settings?: unknown };
  if (typeof calls === "function") {
    throw refused(
      "not a model object, which has functions: give writeDocument(model), or the address of a module",
    );
  }
  if (settings !== undefined && "model" in given) {
    throw refused("not the result of readModel: give the text");
  }
  return { kind: "document", document: given };
}

function refused(what: string): NodriftError {
  return new NodriftError(
    "DESCRIPTION",
    `spawn takes a model file (text or value), the address of a module, or a worker, ${what}`,
  );
}

function urlOf(given: string | URL): string {
  try {
    // Pages resolve relative addresses against their own; Node has none.
    return new URL(given, globalThis.document?.baseURI ?? globalThis.location?.href).href;
  } catch {
    throw new NodriftError(
      "LOAD",
      `spawn: ${show(String(given))} is not a valid address: give new URL("./model.js", import.meta.url)`,
    );
  }
}

/** Source of {@link spawn}: a model file as text or value, the address of a module, or a worker. */
export type SpawnSource = string | URL | object | WebWorker | NodeWorker;

const DEFAULT_TIMEOUT_S = 10;
const DEFAULT_RATE = 60;

/**
 * Starts a model in a worker, in browsers and in Node, and returns a live model to draw and to command. The source is a
 * model file, as text or value; or the address of a module whose default export creates a model, a compiled model, a
 * simulation or a run; or a worker whose program calls `serve` of `nodrift/worker-serve`.
 *
 * @example
 * const live = await spawn(await (await fetch("crane.json")).text(), { step: 1 / 240, rate: 60 });
 * live.on("frame", () => draw(live.time, live.q));
 *
 * @example
 * const live = await spawn(new URL("./crane.js", import.meta.url), { input: { length: 12 } });
 */
export async function spawn(
  source: SpawnSource,
  options: SpawnOptions = {},
  ...more: undefined[]
): Promise<LiveModel> {
  const checked = optionsOf("spawn", "STEP", options, SPAWN_SHAPE, more);
  const own = isWorker(source);
  const data = own ? undefined : sourceOf(source);
  const handle = own ? handleOf(source) : await startWorker();
  try {
    return await startSession(handle, data, checked);
  } catch (error) {
    handle.end();
    throw error;
  }
}

function runData(options: SpawnOptions): RunData {
  const {
    rate = DEFAULT_RATE,
    speed = 1,
    paused = false,
    values = {},
    shared = globalThis.crossOriginIsolated === true,
    record,
    timeout: _,
    ...rest
  } = options;
  return {
    ...rest,
    rate,
    speed,
    paused,
    values: Object.values(values),
    shared,
    ...(record !== undefined && record !== false && { record: record === true ? {} : record }),
  } as RunData;
}

/** Sends the model. Resolves with the live model after its first frame; rejects if the worker reports an error before. */
function startSession(
  handle: WorkerHandle,
  source: SourceData | undefined,
  options: SpawnOptions,
): Promise<LiveModel> {
  const { values = {}, timeout = DEFAULT_TIMEOUT_S } = options;
  return new Promise<LiveModel>((resolve, reject) => {
    let live: LiveModel | undefined;
    const createLive = (about: ReadyData) => {
      live = new LiveModel(handle, about, Object.keys(values), timeout);
    };
    const next = (message: FromWorker | ArrayBuffer, target: LiveModel) => {
      target.take(message);
      // Resolve with the first frame, so that there are values to read.
      if (message instanceof ArrayBuffer || message.type === "frame") resolve(target);
    };
    handle.onExit((reason, cause) => {
      if (live) live.handleExit(reason, cause);
      else
        reject(new NodriftError("LOAD", `spawn: the worker did not start: ${reason}`, { cause }));
    });
    handle.listen((message: FromWorker | ArrayBuffer) => {
      if (!(message instanceof ArrayBuffer) && message.type === "failed") {
        reject(errorOf(message.error));
      } else if (live) next(message, live);
      else if (!(message instanceof ArrayBuffer) && message.type === "ready")
        createLive(message.about);
    });
    try {
      handle.send({ type: "begin", source: source as SourceData, run: runData(options) });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : show(cause);
      reject(
        new NodriftError("DESCRIPTION", `spawn: only plain data can be sent: ${reason}`, { cause }),
      );
    }
  });
}
