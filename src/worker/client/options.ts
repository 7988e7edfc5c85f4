import {
  anything,
  finite,
  flag,
  limit,
  number,
  options,
  positive,
  type Rule,
  recordOf,
  rule,
  type Shape,
  text,
  whole,
} from "../../base/checking/index.js";
import type { NamedState, RecordOptions } from "../../bodies.js";
import type { Snapshot } from "../../index.js";
import type { RunSnapshot } from "../../solve.js";

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
