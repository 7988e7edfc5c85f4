import { NodriftError } from "../errors.js";
import type {
  AbsoluteTolerances,
  KindTolerances,
  Output,
  SolveOptions,
  Tolerance,
} from "./options.js";

/** Tolerances below this cannot be met with numbers of sixteen digits. */
const SMALLEST_TOLERANCE = 1e-15;

/** States that are kept at most: of more, engines run out of memory without a chance to say so. */
export const MOST_STATES = 2 ** 25;

/** What to do instead of keeping so many states. */
export function tooMany(count: number): string {
  return (
    `${count.toPrecision(3)} states are more than can be kept (${MOST_STATES}): ask for fewer, or take them one by ` +
    "one, by `each` with keep: false"
  );
}

export function wrong(what: string): NodriftError {
  return new NodriftError("STEP", `solve: ${what}`);
}

/** A positive number, or an error that names it; undefined stays. */
export function positive(what: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value > 0) return value;
  throw wrong(`${what} is ${String(value)}; give a positive number`);
}

export function checkedSpan(span: SolveOptions["span"]): readonly [number, number] {
  if (!Array.isArray(span) || span.length !== 2 || !span.every(Number.isFinite)) {
    throw wrong(`span is ${shown(span)}; give two times: span: [0, 10]`);
  }
  return [span[0], span[1]];
}

export function checkedTolerance(given: SolveOptions["tolerance"] = 1e-6): Tolerance {
  if (typeof given === "number") {
    checkAllowed("tolerance", given, SMALLEST_TOLERANCE);
    return { relative: given, positions: given, velocities: given, named: new Map() };
  }
  const keys = typeof given === "object" && given !== null ? Object.keys(given) : [];
  if (keys.length === 0 || keys.some((key) => key !== "relative" && key !== "absolute")) {
    throw wrong(
      `tolerance is ${shown(given)}; give a number, or { relative: 1e-6, absolute: 1e-9 } or one of them`,
    );
  }
  const { relative = 0, absolute = relative } = given;
  checkAllowed("tolerance.relative", relative, 0);
  if (typeof absolute !== "object" || absolute === null) {
    checkAllowed("tolerance.absolute", absolute, SMALLEST_TOLERANCE);
    return { relative, positions: absolute, velocities: absolute, named: new Map() };
  }
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
      for (const [kind, own] of Object.entries(value as KindTolerances)) {
        if (own !== undefined) checkAllowed(`${path}.${kind}`, own, SMALLEST_TOLERANCE);
      }
    } else checkAllowed(path, value, SMALLEST_TOLERANCE);
    named.set(name, value);
  }
  return named;
}

function checkAllowed(what: string, value: unknown, least: number): void {
  if (typeof value === "number" && Number.isFinite(value) && value >= least) return;
  throw wrong(
    `${what} is ${shown(value)}; give a number from ${least} on: in each step a coordinate may be wrong by ` +
      "absolute + relative |value|",
  );
}

/** Functions, switches and the signal of the options are what they should be. */
export function checkKinds(options: SolveOptions): void {
  const { each, progress, keep, dense, signal } = options;
  for (const [name, value] of Object.entries({ each, progress })) {
    if (value === undefined || typeof value === "function") continue;
    throw wrong(`${name} is ${shown(value)}; give a function`);
  }
  for (const [name, value] of Object.entries({ keep, dense })) {
    if (value === undefined || typeof value === "boolean") continue;
    throw wrong(`${name} is ${shown(value)}; give true or false`);
  }
  if (signal !== undefined && typeof signal?.aborted !== "boolean") {
    throw wrong(
      `signal is ${shown(signal)}; give the signal of an AbortController, or AbortSignal.timeout(5000)`,
    );
  }
}

/** Something given, as users would write it: JSON has no NaN. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  if (typeof value === "string") return `"${value}"`;
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value).map(([key, part]) => `${key}: ${shown(part)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Times of the output that are given, or undefined; refuses those outside the span or out of order. */
export function checkedTimes(
  output: Output,
  [start, end]: readonly [number, number],
): Float64Array | undefined {
  if (typeof output !== "object" || output === null || !("times" in output)) return undefined;
  const times = Float64Array.from(output.times);
  const direction = Math.sign(end - start);
  times.forEach((time, i) => {
    if (!Number.isFinite(time)) throw wrong(`output.times[${i}] is ${time}; give numbers`);
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

export function checkOutput(
  output: Output,
  [start, end]: readonly [number, number],
  keeps: boolean,
): void {
  if (output === "steps" || output === "ends") return;
  if (typeof output === "object" && output !== null) {
    if ("times" in output && "rate" in output) throw wrong("output has times and a rate; give one");
    if ("times" in output && typeof output.times?.length === "number") return;
    if ("rate" in output) {
      if (Number.isFinite(output.rate)) positive("output.rate", output.rate);
      else throw wrong(`output.rate is ${output.rate}; give a positive number`);
      const count = Math.abs(end - start) * output.rate;
      if (keeps && count > MOST_STATES)
        throw wrong(`output.rate is ${output.rate}: ${tooMany(count)}`);
      const spacing = Number.EPSILON * Math.max(Math.abs(start), Math.abs(end));
      if (start === end || 1 / output.rate > spacing) return;
      throw wrong(
        `output.rate is ${output.rate}: times that close cannot be told apart near t = ${end}; give less than ` +
          (1 / spacing).toPrecision(2),
      );
    }
  }
  throw wrong(`output is ${shown(output)}; give "steps", "ends", { times: [...] } or { rate: 60 }`);
}
