import { NodriftError } from "../errors.js";
import type { Output, SolveOptions, Tolerance, ToleranceOptions } from "./options.js";

/** Tolerances below this cannot be met with numbers of sixteen digits. */
const SMALLEST_TOLERANCE = 1e-15;

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
    throw wrong(`span is ${JSON.stringify(span)}; give two times: span: [0, 10]`);
  }
  return [span[0], span[1]];
}

export function checkedTolerance(given: SolveOptions["tolerance"] = 1e-6): Tolerance {
  const { relative, absolute = relative }: ToleranceOptions =
    typeof given === "number" ? { relative: given } : given;
  const both =
    typeof absolute === "object" ? absolute : { positions: absolute, velocities: absolute };
  const { positions, velocities } = both;
  const values = {
    relative: relative ?? 0,
    positions: positions ?? 0,
    velocities: velocities ?? 0,
  };
  for (const [name, value] of Object.entries(values)) {
    const least = name === "relative" ? 0 : SMALLEST_TOLERANCE;
    if (!(Number.isFinite(value) && value >= least)) {
      throw wrong(
        `tolerance${name === "relative" ? ".relative" : ` (absolute, ${name})`} is ${value}; give a number ` +
          `from ${SMALLEST_TOLERANCE} on: a coordinate may be wrong by absolute + relative |value| in a step`,
      );
    }
  }
  return values;
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
    if (!Number.isFinite(time)) throw wrong(`output.times[${i}] is ${time}`);
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

export function checkOutput(output: Output): void {
  if (output === "steps" || output === "ends") return;
  if (typeof output === "object" && output !== null) {
    if ("times" in output && typeof output.times?.length === "number") return;
    if ("rate" in output) {
      if (Number.isFinite(output.rate)) positive("output.rate", output.rate);
      else throw wrong(`output.rate is ${output.rate}; give a positive number`);
      return;
    }
  }
  throw wrong(
    `output is ${JSON.stringify(output)}; give "steps", "ends", { times: [...] } or { rate: 60 }`,
  );
}
