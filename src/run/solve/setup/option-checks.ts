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
} from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type {
  AbsoluteTolerances,
  KindTolerances,
  OutputOption,
  SolveOptions,
  Tolerance,
  ToleranceOptions,
} from "./options.js";

/** Tolerances below this cannot be met in double precision. */
const MIN_TOLERANCE = 1e-15;

/** Allowed lengths of spans. */
const MIN_SPAN = 1e-300;
const MAX_SPAN = 1e300;

/** Maximum number of stored states: with more, engines run out of memory without a catchable error. */
export const MAX_STATES = 2 ** 25;

/**
 * Maximum number of states or steps of a run without limits: more are a mistake in the span, the rate or the step,
 * and would not finish.
 */
const MAX_COUNT_WITHOUT_LIMITS = 1e9;

/** Advice instead of storing `count` states. */
export function tooMany(count: number): string {
  return (
    `${count.toPrecision(3)} states exceed the limit (${MAX_STATES}): ask for fewer, or process them ` +
    "in `each` with keep: false"
  );
}
export const TOLERANCE = "a number, or { relative: 1e-6, absolute: 1e-9 } or one of them";

export function wrong(what: string): NodriftError {
  return new NodriftError("STEP", `solve: ${what}`);
}

export const span: Rule<readonly [number, number]> = {
  wants: "two times: span: [0, 10]",
  read(value, location) {
    const times = Array.isArray(value) && value.length === 2 ? [value[0], value[1]] : [];
    if (times.length !== 2 || !times.every(Number.isFinite)) {
      throw wrongValueError(location, value, span.wants);
    }
    // Beyond these lengths fractions of a step are zero or infinite.
    const length = Math.abs(times[1] - times[0]);
    if (length !== 0 && !(length >= MIN_SPAN && length <= MAX_SPAN)) {
      throw optionError(
        location,
        `is ${length} long; give from ${MIN_SPAN} to ${MAX_SPAN}, or zero`,
      );
    }
    return times as [number, number];
  },
};

export function checkedTolerance(given: SolveOptions["tolerance"] = 1e-6): Tolerance {
  if (typeof given === "number") {
    checkAllowed("tolerance", given, MIN_TOLERANCE);
    return { relative: given, positions: given, velocities: given, named: new Map() };
  }
  const location = locationOf("solve", "STEP", "tolerance");
  const read = isRecord(given) ? readKeys(location, given, ["relative", "absolute"]) : {};
  if (Object.values(read).every((value) => value === undefined)) {
    throw wrongValueError(location, given, TOLERANCE);
  }
  const { relative = 0, absolute: asked = relative } = read as ToleranceOptions;
  checkAllowed("tolerance.relative", relative, 0);
  if (typeof asked !== "object" || asked === null) {
    checkAllowed("tolerance.absolute", asked, MIN_TOLERANCE);
    return { relative, positions: asked, velocities: asked, named: new Map() };
  }
  const absolute = readRecord(inside(location, "absolute"), asked) as AbsoluteTolerances;
  const fallback = relative > 0 ? relative : Number.NaN;
  const { positions = fallback, velocities = fallback } = absolute;
  for (const [kind, value] of Object.entries({ positions, velocities })) {
    const given = absolute[kind] === undefined && relative === 0 ? undefined : value;
    checkAllowed(`tolerance.absolute.${kind}`, given, MIN_TOLERANCE);
  }
  return { relative, positions, velocities, named: checkedNames(absolute) };
}

/** Checks tolerances, or tolerances by kind. The names and kinds are checked with the system. */
function checkedNames(absolute: AbsoluteTolerances): Tolerance["named"] {
  const named = new Map<string, number | KindTolerances>();
  for (const [name, value] of Object.entries(absolute)) {
    if (value === undefined) continue;
    const path = `tolerance.absolute.${name}`;
    if (typeof value === "object" && value !== null) {
      for (const [kind, own] of Object.entries(
        readRecord(locationOf("solve", "STEP", path), value),
      )) {
        if (own !== undefined) checkAllowed(`${path}.${kind}`, own, MIN_TOLERANCE);
      }
    } else checkAllowed(path, value, MIN_TOLERANCE);
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
  read(value, location) {
    if (value === "steps" || value === "ends") return value;
    if (!isRecord(value)) throw wrongValueError(location, value, FORMS);
    const { times, rate } = readOptions<{ times?: Float64Array; rate?: number }>(location, value, {
      times: numbers,
      rate: positive,
    });
    if (times !== undefined && rate !== undefined) {
      throw optionError(location, "has times and a rate; give one");
    }
    if (times !== undefined) return { times };
    if (rate !== undefined) return { rate };
    throw wrongValueError(location, value, FORMS);
  },
};

/** Returns the given output times, or undefined; throws if some lie outside the span or out of order. */
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

/** Throws if rates or steps would create more states than can be stored, or times that are not distinct. */
export function checkCounts(
  output: OutputOption,
  [start, end]: readonly [number, number],
  limits: Limits,
): void {
  const { keep = true, step, maximumStep } = limits;
  const length = Math.abs(end - start);
  const spacing = Number.EPSILON * Math.max(Math.abs(start), Math.abs(end));
  if (typeof output === "object" && "rate" in output) {
    const count = length * output.rate;
    if (keep && count > MAX_STATES) {
      throw wrong(`output.rate is ${output.rate}: ${tooMany(count)}`);
    }
    if (start !== end && !(1 / output.rate > spacing)) {
      throw wrong(
        `output.rate is ${output.rate}: output times would coincide at this precision near t = ${end}; give less than ` +
          (1 / spacing).toPrecision(2),
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
  }
}

/**
 * Throws if a run to the end of the span would practically never finish. A run that is stepped, by `start`, may have
 * such a span.
 */
export function checkEndless({
  span: [start, end],
  output,
  step,
  maximumStep,
  ...limits
}: SolveOptions): void {
  const { signal, maximumSeconds, maximumSteps } = limits;
  if (signal !== undefined || maximumSeconds !== undefined || maximumSteps !== undefined) return;
  const length = Math.abs(end - start);
  const span = `from ${start} to ${end} would take too long`;
  if (
    typeof output === "object" &&
    "rate" in output &&
    length * output.rate > MAX_COUNT_WITHOUT_LIMITS
  ) {
    const count = length * output.rate;
    throw wrong(
      `output.rate is ${output.rate}: ${count} states ${span}: ask for fewer, or set maximumSeconds`,
    );
  }
  for (const [name, value] of Object.entries({ step, maximumStep })) {
    if (value === undefined || !(length / value > MAX_COUNT_WITHOUT_LIMITS)) continue;
    const count = (length / value).toPrecision(3);
    throw wrong(
      `${name} is ${value}: ${count} steps ${span}: give a longer one, or set maximumSeconds`,
    );
  }
}
