import {
  inside,
  isRecord,
  locationOf,
  numbers,
  optionError,
  positive,
  type Rule,
  readKeys,
  readOptions,
  readRecord,
  wrongValueError,
} from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type {
  AbsoluteTolerances,
  KindTolerances,
  OutputOption,
  SolveOptions,
  Tolerance,
  ToleranceOptions,
} from "./options.js";

/** Tolerances below this cannot be met with numbers of sixteen digits. */
const SMALLEST_TOLERANCE = 1e-15;

/** Lengths of spans. */
const SHORTEST = 1e-300;
const LONGEST = 1e300;

/** Most states kept: with more, engines run out of memory without a catchable error. */
export const MOST_STATES = 2 ** 25;

/** Most states that a rate may request: more are a mistake in the span or the rate, and would take for ever. */
const ENDLESS = 1e9;

/** What to do instead of keeping `count` states. */
export function tooMany(count: number): string {
  return (
    `${count.toPrecision(3)} states exceed the limit (${MOST_STATES}): ask for fewer, or process them ` +
    "in `each` with keep: false"
  );
}
export const TOLERANCE = "a number, or { relative: 1e-6, absolute: 1e-9 } or one of them";

export function wrong(what: string): NodriftError {
  return new NodriftError("STEP", `solve: ${what}`);
}

export const span: Rule<readonly [number, number]> = {
  wants: "two times: span: [0, 10]",
  read(value, place) {
    const times = Array.isArray(value) && value.length === 2 ? [value[0], value[1]] : [];
    if (times.length !== 2 || !times.every(Number.isFinite)) {
      throw wrongValueError(place, value, span.wants);
    }
    // Beyond these lengths the parts of a step are zero or infinite.
    const length = Math.abs(times[1] - times[0]);
    if (length !== 0 && !(length >= SHORTEST && length <= LONGEST)) {
      throw optionError(place, `is ${length} long; give from ${SHORTEST} to ${LONGEST}, or zero`);
    }
    return times as [number, number];
  },
};

export function checkedTolerance(given: SolveOptions["tolerance"] = 1e-6): Tolerance {
  if (typeof given === "number") {
    checkAllowed("tolerance", given, SMALLEST_TOLERANCE);
    return { relative: given, positions: given, velocities: given, named: new Map() };
  }
  const place = locationOf("solve", "STEP", "tolerance");
  const read = isRecord(given) ? readKeys(place, given, ["relative", "absolute"]) : {};
  if (Object.values(read).every((value) => value === undefined)) {
    throw wrongValueError(place, given, TOLERANCE);
  }
  const { relative = 0, absolute: asked = relative } = read as ToleranceOptions;
  checkAllowed("tolerance.relative", relative, 0);
  if (typeof asked !== "object" || asked === null) {
    checkAllowed("tolerance.absolute", asked, SMALLEST_TOLERANCE);
    return { relative, positions: asked, velocities: asked, named: new Map() };
  }
  const absolute = readRecord(inside(place, "absolute"), asked) as AbsoluteTolerances;
  const otherwise = relative > 0 ? relative : Number.NaN;
  const { positions = otherwise, velocities = otherwise } = absolute;
  for (const [kind, value] of Object.entries({ positions, velocities })) {
    const given = absolute[kind] === undefined && relative === 0 ? undefined : value;
    checkAllowed(`tolerance.absolute.${kind}`, given, SMALLEST_TOLERANCE);
  }
  return { relative, positions, velocities, named: checkedNames(absolute) };
}

/** Numbers, or numbers by kinds; whether names and kinds are known the system says. */
function checkedNames(absolute: AbsoluteTolerances): Tolerance["named"] {
  const named = new Map<string, number | KindTolerances>();
  for (const [name, value] of Object.entries(absolute)) {
    if (value === undefined) continue;
    const path = `tolerance.absolute.${name}`;
    if (typeof value === "object" && value !== null) {
      for (const [kind, own] of Object.entries(
        readRecord(locationOf("solve", "STEP", path), value),
      )) {
        if (own !== undefined) checkAllowed(`${path}.${kind}`, own, SMALLEST_TOLERANCE);
      }
    } else checkAllowed(path, value, SMALLEST_TOLERANCE);
    named.set(name, value);
  }
  return named;
}

function checkAllowed(what: string, value: unknown, least: number): void {
  if (typeof value === "number" && Number.isFinite(value) && value >= least) return;
  throw wrongValueError(
    locationOf("solve", "STEP", what),
    value,
    `a number from ${least} on: in each step a coordinate may be wrong by absolute + relative |value|`,
  );
}

const FORMS = '"steps", "ends", { times: [...] } or { rate: 60 }';

export const output: Rule<OutputOption> = {
  wants: FORMS,
  read(value, place) {
    if (value === "steps" || value === "ends") return value;
    if (!isRecord(value)) throw wrongValueError(place, value, FORMS);
    const { times, rate } = readOptions<{ times?: Float64Array; rate?: number }>(place, value, {
      times: numbers,
      rate: positive,
    });
    if (times !== undefined && rate !== undefined) {
      throw optionError(place, "has times and a rate; give one");
    }
    if (times !== undefined) return { times };
    if (rate !== undefined) return { rate };
    throw wrongValueError(place, value, FORMS);
  },
};

/** Times of the output that are given, or undefined; refuses those outside the span or out of order. */
export function checkedTimes(
  output: OutputOption,
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

interface Limits {
  readonly keep?: boolean;
  readonly signal?: unknown;
  readonly maximumSeconds?: number;
  readonly maximumSteps?: number;
  readonly step?: number;
  readonly maximumStep?: number;
}

/** Refuses rates and steps that make more states or steps than can be kept or waited for, or that are not distinct in time. */
export function checkCounts(
  output: OutputOption,
  [start, end]: readonly [number, number],
  limits: Limits,
): void {
  const { keep = true, signal, maximumSeconds, maximumSteps, step, maximumStep } = limits;
  const length = Math.abs(end - start);
  const spacing = Number.EPSILON * Math.max(Math.abs(start), Math.abs(end));
  const isLimited =
    signal !== undefined || maximumSeconds !== undefined || maximumSteps !== undefined;
  if (typeof output === "object" && "rate" in output) {
    const count = length * output.rate;
    if (keep && count > MOST_STATES) {
      throw wrong(`output.rate is ${output.rate}: ${tooMany(count)}`);
    }
    if (start !== end && !(1 / output.rate > spacing)) {
      throw wrong(
        `output.rate is ${output.rate}: output times would coincide at this precision near t = ${end}; give less than ` +
          (1 / spacing).toPrecision(2),
      );
    }
    if (count > ENDLESS && !isLimited) {
      throw wrong(
        `output.rate is ${output.rate}: ${count} states from ${start} to ${end} would take too long: ask ` +
          "for fewer, or set maximumSeconds",
      );
    }
  }
  for (const [name, value] of Object.entries({ step, maximumStep })) {
    if (value === undefined || value >= length) continue;
    if (!(value > spacing)) {
      throw wrong(
        `${name} is ${value}: times would coincide at this precision near t = ${end}; give more than ` +
          spacing.toPrecision(2),
      );
    }
    if (length / value > ENDLESS && !isLimited) {
      throw wrong(
        `${name} is ${value}: ${(length / value).toPrecision(3)} steps from ${start} to ${end} would take too long: give a ` +
          "longer one, or set maximumSeconds",
      );
    }
  }
}
