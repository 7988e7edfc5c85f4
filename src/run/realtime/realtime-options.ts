import { number, type Shape } from "../../base/checking/index.js";
import { stepLength } from "../stepping/options.js";

/** Options of {@link realtime}. */
export interface RealtimeOptions {
  /** Maximum steps in one call of `advance`. Default: those due in a tenth of a second of real time, but at least 8. */
  readonly maximumSteps?: number;
  /** Simulated seconds per real second: 0.1 is slow motion. Default: 1. */
  readonly speed?: number;
}

/** Options of {@link realtime} for a compiled model. */
export interface LiveOptions extends RealtimeOptions {
  /** Length of a step in seconds. Default: 1/240. */
  readonly step?: number;
}

/** Rule for the speed of the simulated clock. */
export const clockSpeed = number("0 or more: 1 is real time", (speed) => speed >= 0);

export const REALTIME_SHAPE: Shape<RealtimeOptions> = {
  maximumSteps: number(
    "an integer >= 1 (a limit is needed, or pages freeze)",
    (steps) => Number.isSafeInteger(steps) && steps >= 1,
  ),
  speed: clockSpeed,
};

export const LIVE_SHAPE: Shape<LiveOptions> = { ...REALTIME_SHAPE, step: stepLength };
