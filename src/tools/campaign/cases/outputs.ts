// Outputs of a case, from its solution.

import type { BodyState } from "../../../bodies.js";
import { NodriftError } from "../../../ground/errors.js";
import type { OutputOption, Solution } from "../../../solve.js";
import type { ModelFile } from "../../files/index.js";
import type { OutputOptions } from "../definition/options.js";
import { type AlongRun, alongRun, type Reading } from "./along-run.js";

const ALONG = [
  "maximum",
  "minimum",
  "timeOfMaximum",
  "timeOfMinimum",
  "integral",
  "mean",
  "rms",
] as const;

/** The formula of an output; undefined for those of events. */
export function formulaOf(output: OutputOptions): string | undefined {
  const found = (["end", "samples", ...ALONG] as const).find((kind) => output[kind] !== undefined);
  return found && output[found];
}

const isAlong = (output: OutputOptions) => ALONG.some((kind) => output[kind] !== undefined);

/** Which states outputs need: all steps where there is an integral, an extremum or a sample. */
export function statesFor(outputs: readonly OutputOptions[]): OutputOption {
  return outputs.some((one) => isAlong(one) || one.samples !== undefined) ? "steps" : "ends";
}

/** All columns in their order. Numbers that do not exist are an error; times of events that did not occur are null. */
export function outputsOf(
  outputs: readonly OutputOptions[],
  file: ModelFile,
  solution: Solution<BodyState>,
): (number | null)[] {
  const formulas = outputs.filter((one) => formulaOf(one) !== undefined);
  const readings = new Map<OutputOptions, Reading>(
    formulas.map((one, i) => [one, file.columns[i]!.read]),
  );
  const along = outputs.filter(isAlong);
  const found =
    along.length === 0
      ? []
      : alongRun(
          solution,
          along.map((one) => ({
            read: readings.get(one)!,
            maximum: (one.maximum ?? one.timeOfMaximum) !== undefined,
            minimum: (one.minimum ?? one.timeOfMinimum) !== undefined,
          })),
        );
  const known = new Map(along.map((one, i) => [one, found[i]!]));
  return outputs.flatMap((one) => {
    const values = valuesOf(one, solution, readings.get(one), known.get(one));
    const bad = values.find((value) => value !== null && !Number.isFinite(value));
    if (bad === undefined) return values.map((value) => (value === 0 ? 0 : value));
    throw new NodriftError("EVALUATION", `output "${one.name}" is ${bad}`);
  });
}

function valuesOf(
  output: OutputOptions,
  solution: Solution<BodyState>,
  read: Reading | undefined,
  along: AlongRun | undefined,
): (number | null)[] {
  const { timeOf, countOf, occurrence = 1, times } = output;
  if (timeOf !== undefined) {
    const all = solution.events.filter(({ name }) => name === timeOf);
    return [all[occurrence - 1]?.time ?? null];
  }
  if (countOf !== undefined) return [solution.events.filter(({ name }) => name === countOf).length];
  if (times) return times.map((time) => sampleAt(solution, time, output.name, read!));
  if (!along) return [read!(solution.end)];
  return [alongValue(output, along, Math.abs(solution.end.time - solution.time[0]!))];
}

function sampleAt(
  solution: Solution<BodyState>,
  time: number,
  name: string,
  read: Reading,
): number {
  const [from, to] = [solution.time[0]!, solution.end.time];
  if ((time - from) * (time - to) <= 0) return read(solution.at(time));
  throw new NodriftError(
    "STEP",
    `output "${name}": time ${time} is outside of the run, which ended at ${to}`,
  );
}

function alongValue(output: OutputOptions, along: AlongRun, span: number): number {
  if (output.maximum !== undefined) return along.maximum.value;
  if (output.minimum !== undefined) return along.minimum.value;
  if (output.timeOfMaximum !== undefined) return along.maximum.time;
  if (output.timeOfMinimum !== undefined) return along.minimum.time;
  if (output.integral !== undefined) return along.integral;
  // Backwards the sum is negative, and so is the time.
  if (output.mean !== undefined) return along.integral / span;
  return Math.sqrt(Math.abs(along.integralOfSquare) / span);
}
