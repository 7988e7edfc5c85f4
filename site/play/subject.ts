// What a thread runs: a mechanism, or a system by equations. The rest of the thread asks here, and knows neither.

import type { BodyState } from "nodrift/bodies";
import { type EquationsFile, type ModelFile, parseMethod } from "nodrift/files";
import {
  type EquationState,
  type Solution,
  type SolveOptions,
  type Source,
  start,
} from "nodrift/solve";
import type { SceneData } from "../../src/tools/report/page-data.js";
import type { Choice, ModelFacts } from "./protocol.js";

export type PlayState = BodyState | EquationState;

/** A number of a state. The file that it is of has made the states it reads. */
export interface Curve {
  readonly name: string;
  read(state: PlayState): number;
}

export interface UnitCurve extends Curve {
  readonly unit: string | undefined;
}

export interface NamedPlot {
  readonly title: string;
  readonly columns: readonly UnitCurve[];
}

export interface Subject {
  readonly text: string;
  readonly file: ModelFile | EquationsFile;
  readonly facts: Pick<ModelFacts, "counts" | "notes">;
  readonly hasConstraints: boolean;
  /** Starts a run as the file says, but for `others`. */
  start(others: RunOptions): PlayRun;
  /** Reads a formula of the visitor. Throws where it is none. */
  formula(text: string): UnitCurve;
  /** What is plotted where the file names nothing. */
  usual(): NamedPlot;
  /** Undefined where there is nothing to draw. */
  drawn(solution: Solution<PlayState>): SceneData | undefined;
}

/** What is used of a run. */
export interface PlayRun {
  readonly time: number;
  step(): boolean;
  solution(): Solution<PlayState>;
}

/** What is given to any system. */
export interface RunOptions
  extends Partial<Pick<SolveOptions, "method" | "integrator" | "step" | "tolerance" | "output">> {
  readonly span: readonly [number, number];
  readonly maximumSeconds: number;
}

/** Curves of one plot. */
export const CURVES = 8;

/** Runs are invariant in the kind of their states; here states are only read, and by curves of their own file. */
export function begin<S extends Source>(system: S, options: SolveOptions<S>): PlayRun {
  return start(system, options) as unknown as PlayRun;
}

/** A step of the file belongs to its method, and would make others take it too. */
export function ownStep<T extends { readonly step?: number }>(asked: T, others: RunOptions): T {
  const { step: _, ...rest } = asked;
  return others.method === undefined && others.integrator === undefined
    ? asked
    : ({ ...rest, ...(others.step !== undefined && { step: others.step }) } as T);
}

/** What a run is given in place of what the file says. */
export function chosenOptions(
  { file: { settings } }: Subject,
  { method, step, tolerance, until }: Choice,
  patience: number,
): RunOptions {
  const { solve } = settings;
  const span = [solve?.span[0] ?? 0, until ?? solve?.span[1] ?? 10] as const;
  const length = step ?? (method === undefined ? solve?.step : undefined);
  return {
    span,
    ...(method !== undefined && parseMethod(method)),
    ...(step !== undefined && { step }),
    ...(tolerance !== undefined && { tolerance }),
    maximumSeconds: Math.min(patience, solve?.maximumSeconds ?? patience),
    output: { times: timesOf(span, length) },
  };
}

/** States of an animation. */
const FRAMES = 601;

/** Times of frames: where steps end, if they have one length, so that none is shortened for a picture. */
function timesOf([from, to]: readonly [number, number], step: number | undefined): number[] {
  const even = (to - from) / (FRAMES - 1);
  const gap = step === undefined ? even : Math.max(1, Math.round(Math.abs(even) / step)) * step;
  const length = Math.floor(Math.abs((to - from) / gap) + 1e-9) + 1;
  const times = Array.from({ length }, (_, i) => from + Math.sign(to - from) * i * Math.abs(gap));
  if (Math.abs(times.at(-1)! - to) > 1e-9 * Math.abs(gap)) times.push(to);
  else times[times.length - 1] = to;
  return times;
}

export function count(n: number, word: string, many = `${word}s`): string {
  return `${n} ${n === 1 ? word : many}`;
}
