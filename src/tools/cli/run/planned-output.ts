// Which states a run keeps: those of the table that the user asked for, and those that pictures need. A solution
// has them all in one list; the plan knows which are which.

import type { State } from "../../../seam/index.js";
import type { OutputOption, Solution } from "../../../solve.js";

/** States of an animation, and of a table without given times. */
const FRAMES = 601;
const ROWS = 1001;
/** Rows whose times are not listed beforehand. */
const MANY = 1e5;
/** Rows that are enough for the animation and the plots as well. */
const ENOUGH = 300;

export interface PlannedOutput {
  readonly output: OutputOption;
  /** Numbers of the states of the table. */
  rows<S extends State>(solution: Solution<S>): readonly number[];
  /** States of pictures. */
  frames<S extends State>(solution: Solution<S>): readonly S[];
}

type Span = readonly [number, number];

/** Plans the output of a run. */
export function plannedOutput(
  asked: OutputOption | undefined,
  span: Span,
  hasPictures: boolean,
): PlannedOutput {
  if (asked === "steps") {
    return { output: "steps", rows: everyRow, frames: betweenSteps };
  }
  if (asked === "ends" && !hasPictures) {
    return { output: "ends", rows: everyRow, frames: everyState };
  }
  if (isMany(asked, span)) return { output: asked, rows: everyRow, frames: everyState };
  const table = tableTimes(asked, span);
  if (!hasPictures || table.length >= ENOUGH) {
    return { output: { times: table }, rows: everyRow, frames: everyState };
  }
  const direction = Math.sign(span[1] - span[0]);
  const together = new Set([...table, ...even(span, FRAMES)]);
  const times = [...together].sort((a, b) => direction * (a - b));
  const wanted = new Set(table);
  return {
    output: { times },
    rows: ({ time }) => [...time.keys()].filter((index) => wanted.has(time[index]!)),
    frames: everyState,
  };
}

/** A rate that gives more rows than pictures could use: the run finds their times by itself. */
function isMany(
  asked: OutputOption | undefined,
  [from, to]: Span,
): asked is { readonly rate: number } {
  return typeof asked === "object" && "rate" in asked && Math.abs(to - from) * asked.rate > MANY;
}

function everyRow<S extends State>({ length }: Solution<S>): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** At most twice as many as an animation has. */
function everyState<S extends State>(solution: Solution<S>): S[] {
  const stride = Math.max(1, Math.floor(solution.length / FRAMES));
  const states: S[] = [];
  for (let i = 0; i < solution.length; i += stride) states.push(solution.state(i));
  const { end } = solution;
  if (states.at(-1)?.time !== end.time) states.push(end);
  return states;
}

/** From the polynomials of the steps. */
function betweenSteps<S extends State>(solution: Solution<S>): S[] {
  const from = solution.time[0] ?? solution.end.time;
  const to = solution.end.time;
  if (from === to) return [solution.end];
  return even([from, to], FRAMES).map((time) => solution.at(time));
}

/** Times from one end to the other, both exactly. */
function even([from, to]: Span, count: number): number[] {
  const last = count - 1;
  return Array.from({ length: count }, (_, k) =>
    k === last ? to : from + ((to - from) * k) / last,
  );
}

function tableTimes(
  asked: Exclude<OutputOption, "steps"> | undefined,
  span: Span,
): readonly number[] {
  if (asked === undefined) return even(span, ROWS);
  if (asked === "ends") return span;
  if ("times" in asked) return Array.from(asked.times);
  const [from, to] = span;
  const count = Math.floor(Math.abs(to - from) * asked.rate * (1 + Number.EPSILON)) + 1;
  const direction = Math.sign(to - from);
  const times = Array.from({ length: count }, (_, k) => from + (direction * k) / asked.rate);
  return times.at(-1) === to ? times : [...times, to];
}
