import type { NamedState, RecordOptions } from "../../../bodies.js";
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
} from "../../../ground/checking/index.js";
import type { Snapshot } from "../../../index.js";
import type { RunSnapshot } from "../../../solve.js";

/** Options of {@link spawn}. */
export interface SpawnOptions {
  /** A method in words: "ros3", "udwadiaKalaba + projection + rk4". Default: chosen, as `realtime` does. */
  readonly method?: string;
  /** Length of a step in seconds. Default: 1/240. */
  readonly step?: number;
  /** Steps as long as this tolerance allows, in place of steps of one length. */
  readonly tolerance?: number;
  /** Frames in a second. Default: 60. */
  readonly rate?: number;
  /** Simulated seconds in a real one. Default: 1. */
  readonly speed?: number;
  /** Waits for `resume` or `step`. Default: false. */
  readonly paused?: boolean;
  /** Steps in one frame at most: what is more is dropped, and counted in `lag`. */
  readonly maximumSteps?: number;
  /** Time at which it ends. Default: never. */
  readonly until?: number;
  /** Numbers that come with each frame: formulas of model files by names of yours, as { height: "z('crane:hook')" }. */
  readonly values?: Readonly<Record<string, string>>;
  /**
   * Frames through memory that both threads have, in place of buffers that are handed over. It is never needed; where there is
   * none, as in pages that are not isolated, buffers go as ever. Default: in pages that are isolated.
   */
  readonly shared?: boolean;
  /** Records what is done, for `rewind` and `recorded`. Default: false. */
  readonly record?: boolean | RecordOptions;
  /** Begins where this was saved. */
  readonly from?: Snapshot | RunSnapshot;
  /** Begins in this state, of `namedState` of the same model or of one that was changed. */
  readonly state?: NamedState;
  /** Given to the function that the module exports: anything that can be cloned. */
  readonly input?: unknown;
  /**
   * Seconds without a sign of life after which the worker counts as dead: one step, or one call of a function of yours, must
   * not take longer. Default: 10; Infinity waits for ever.
   */
  readonly patience?: number;
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
  rate: number("frames in a second, from 0.1 to 1000", (value) => value >= 0.1 && value <= 1000),
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
  patience: limit,
};
