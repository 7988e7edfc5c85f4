import {
  inside,
  isRecord,
  numbers,
  placeOf,
  positive,
  type Rule,
  readKeys,
  readOptions,
  refusal,
  rule,
  unwanted,
} from "../checking/index.js";
import { NodriftError } from "../errors.js";
import type { Output, SolveOptions, Tolerance } from "./options.js";

/** Tolerances below this cannot be met with numbers of sixteen digits. */
const SMALLEST_TOLERANCE = 1e-15;

export const TOLERANCE = "a number, or { relative: 1e-6, absolute: 1e-9 } or one of them";

export function wrong(what: string): NodriftError {
  return new NodriftError("STEP", `solve: ${what}`);
}

export const span: Rule<readonly [number, number]> = {
  wants: "two times: span: [0, 10]",
  read(value, place) {
    const times = Array.isArray(value) && value.length === 2 ? [value[0], value[1]] : [];
    if (times.length === 2 && times.every(Number.isFinite)) return times as [number, number];
    throw unwanted(place, value, span.wants);
  },
};

export function checkedTolerance(given: SolveOptions["tolerance"] = 1e-6): Tolerance {
  if (typeof given === "number") {
    checkAllowed("tolerance", given, SMALLEST_TOLERANCE);
    return { relative: given, positions: given, velocities: given };
  }
  const place = placeOf("solve", "STEP", "tolerance");
  const read = isRecord(given) ? readKeys(place, given, ["relative", "absolute"]) : {};
  if (Object.values(read).every((value) => value === undefined)) {
    throw unwanted(place, given, TOLERANCE);
  }
  const { relative = 0, absolute = relative } = read;
  checkAllowed("tolerance.relative", relative, 0);
  const each = typeof absolute !== "number";
  const { positions, velocities } = each
    ? readKeys(inside(place, "absolute"), absolute, ["positions", "velocities"])
    : { positions: absolute, velocities: absolute };
  const part = each ? (name: string) => `tolerance.absolute.${name}` : () => "tolerance.absolute";
  checkAllowed(part("positions"), positions, SMALLEST_TOLERANCE);
  checkAllowed(part("velocities"), velocities, SMALLEST_TOLERANCE);
  return { relative, positions, velocities };
}

function checkAllowed(what: string, value: unknown, least: number): asserts value is number {
  if (typeof value === "number" && Number.isFinite(value) && value >= least) return;
  throw unwanted(
    placeOf("solve", "STEP", what),
    value,
    `a number from ${least} on: in each step a coordinate may be wrong by absolute + relative |value|`,
  );
}

export const signal = rule<AbortSignal>(
  "the signal of an AbortController, or AbortSignal.timeout(5000)",
  (value) => typeof (value as AbortSignal | null)?.aborted === "boolean",
);

const FORMS = '"steps", "ends", { times: [...] } or { rate: 60 }';

export const output: Rule<Output> = {
  wants: FORMS,
  read(value, place) {
    if (value === "steps" || value === "ends") return value;
    if (!isRecord(value)) throw unwanted(place, value, FORMS);
    const { times, rate } = readOptions<{ times?: Float64Array; rate?: number }>(place, value, {
      times: numbers,
      rate: positive,
    });
    if (times !== undefined && rate !== undefined) {
      throw refusal(place, "has times and a rate; give one");
    }
    if (times !== undefined) return { times };
    if (rate !== undefined) return { rate };
    throw unwanted(place, value, FORMS);
  },
};

/** States that a rate may ask for: more are a mistake in the span or the rate, and would never come to an end. */
const MOST_STATES = 1e9;

/** Refuses a rate that asks for more states than anybody waits for. */
export function checkRate(kept: Output, [start, end]: readonly [number, number]): void {
  if (typeof kept !== "object" || !("rate" in kept)) return;
  const states = kept.rate * Math.abs(end - start);
  if (states <= MOST_STATES) return;
  throw wrong(
    `output.rate is ${kept.rate}: from ${start} to ${end} that asks for ${states} states`,
  );
}

/** Times of the output that are given, or undefined; refuses those outside the span or out of order. */
export function checkedTimes(
  output: Output,
  [start, end]: readonly [number, number],
): Float64Array | undefined {
  if (typeof output !== "object" || !("times" in output)) return undefined;
  const times = output.times as Float64Array;
  const direction = Math.sign(end - start);
  times.forEach((time, i) => {
    if (
      (time - start) * direction < 0 ||
      (time - end) * direction > 0 ||
      (start === end && time !== start)
    ) {
      throw wrong(`output.times[${i}] = ${time} lies outside the span from ${start} to ${end}`);
    }
    if (i > 0 && (time - times[i - 1]!) * direction < 0) {
      throw wrong(`output.times are not in order: ${times[i - 1]} comes before ${time}`);
    }
  });
  return times;
}
