// Poses of bodies out of the states of a run, however long it is.

import type { ModelData } from "../../describe/model/model-data.js";
import { NodriftError } from "../../ground/errors.js";
import type { Absence, Frames } from "./scene-data.js";

/** What is read of a state. */
export interface ReadableState {
  readonly time: number;
  body(name: string): {
    readonly position: ArrayLike<number>;
    readonly orientation: ArrayLike<number>;
  };
}

export interface FramesOptions {
  readonly events?: readonly { readonly time: number; readonly name: string }[];
  /** Joints and forces that modes lack. */
  readonly absences?: readonly Absence[];
  /** Default: "m". */
  readonly lengthUnit?: string;
  /** Default: "s". */
  readonly timeUnit?: string;
}

/** Numbers that are kept in memory, and bounds for how many states these make. */
const NUMBERS = 1e6;
const FEWEST = 60;
const MOST = 3000;
/** Of a body: three and four. */
const POSE = 7;

/**
 * Reads the states of a run. Of long ones not all are kept: as many as an animation can use, evenly in
 * time, and those at events. States are read when they come, so a generator may forget them.
 *
 * @example
 * const solution = solve(await compile(m), { span: [0, 5], output: { rate: 60 } });
 * const frames = framesOf(solution.states(), m.data(), { events: solution.events });
 */
export function framesOf(
  states: Iterable<ReadableState>,
  data: ModelData,
  options: FramesOptions = {},
): Frames {
  const names = data.bodies.map(({ name }) => name);
  const { lengthUnit = "m", timeUnit = "s", events, absences } = options;
  const kept = new Kept(names, new Set(events?.map(({ time }) => time)));
  for (const state of states) kept.offer(state);
  const rows = kept.finish();
  if (rows.length === 0) {
    throw new NodriftError("STEP", `${data.name}: there is no state to draw`);
  }
  return {
    times: Float64Array.from(rows, ({ time }) => time),
    positions: concatenated(rows, (row) => row.positions),
    orientations: concatenated(rows, (row) => row.orientations),
    ...(events && { events: events.map(({ time, name }) => ({ time, name })) }),
    ...(absences && { absences }),
    total: kept.total,
    lengthUnit,
    timeUnit,
  };
}

interface Row {
  readonly time: number;
  readonly positions: Float64Array;
  readonly orientations: Float64Array;
}

/** States that are far enough from each other in time: how far, grows as there are more of them. */
class Kept {
  total = 0;
  readonly #most: number;
  #rows: Row[] = [];
  #spacing = 0;
  #last: ReadableState | undefined;

  constructor(
    readonly names: readonly string[],
    readonly pinned: ReadonlySet<number>,
  ) {
    const fitting = Math.floor(NUMBERS / (POSE * Math.max(1, names.length)));
    this.#most = Math.min(MOST, Math.max(FEWEST, fitting));
  }

  offer(state: ReadableState): void {
    this.total++;
    this.#last = state;
    if (!this.#isWanted(this.#rows, state.time)) return;
    this.#add(state);
    if (this.#rows.length > this.#most) this.#thin();
  }

  /** All that were kept, the last state among them, as time goes. */
  finish(): readonly Row[] {
    const last = this.#last;
    if (last !== undefined && this.#rows.at(-1)?.time !== last.time) this.#add(last);
    const isBackward = (this.#rows[0]?.time ?? 0) > (this.#rows.at(-1)?.time ?? 0);
    return isBackward ? this.#rows.reverse() : this.#rows;
  }

  #isWanted(rows: readonly Row[], time: number): boolean {
    const before = rows.at(-1);
    if (before === undefined || this.#spacing === 0) return true;
    return this.pinned.has(time) || Math.abs(time - before.time) >= this.#spacing;
  }

  #thin(): void {
    const span = Math.abs(this.#rows.at(-1)!.time - this.#rows[0]!.time);
    this.#spacing = Math.max(2 * this.#spacing, (2 * span) / this.#most);
    const rows: Row[] = [];
    for (const row of this.#rows) if (this.#isWanted(rows, row.time)) rows.push(row);
    // With more events than frames only every second stays.
    const fits = rows.length <= this.#most;
    this.#rows = fits ? rows : rows.filter((_, i) => i % 2 === 0);
  }

  #add(state: ReadableState): void {
    const positions = new Float64Array(3 * this.names.length);
    const orientations = new Float64Array(4 * this.names.length);
    for (const [i, name] of this.names.entries()) {
      const { position, orientation } = state.body(name);
      positions.set(position, 3 * i);
      orientations.set(orientation, 4 * i);
    }
    // A run that failed may end with numbers that cannot be drawn.
    const isDrawable = positions.every(Number.isFinite) && orientations.every(Number.isFinite);
    if (isDrawable) this.#rows.push({ time: state.time, positions, orientations });
  }
}

function concatenated(rows: readonly Row[], part: (row: Row) => Float64Array): Float64Array {
  const width = part(rows[0]!).length;
  const all = new Float64Array(width * rows.length);
  for (const [i, row] of rows.entries()) all.set(part(row), width * i);
  return all;
}
