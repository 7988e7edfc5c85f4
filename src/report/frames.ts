// Frames of body poses from the states of a run of any length.

import { NodriftError } from "../base/errors.js";
import type { ModelData } from "../model/model-data.js";
import type { Absence, Frames } from "./scene-data.js";

/** The members of a state that are read. */
export interface ReadableState {
  readonly time: number;
  body(name: string): {
    readonly position: ArrayLike<number>;
    readonly orientation: ArrayLike<number>;
  };
}

export interface FramesOptions {
  readonly events?: readonly { readonly time: number; readonly name: string }[];
  /** Joints and forces absent in some modes. */
  readonly absences?: readonly Absence[];
  /** Unit of lengths. Default: "m". */
  readonly lengthUnit?: string;
  /** Unit of time. Default: "s". */
  readonly timeUnit?: string;
}

/** Maximum count of stored values, and bounds for the frame count. */
const MAX_NUMBERS = 1e6;
const MIN_FRAMES = 60;
const MAX_FRAMES = 3000;
/** Numbers per pose: three of the position, four of the orientation. */
const POSE = 7;

/**
 * Reads the states of a run. Of long runs only as many are kept as an animation can use, evenly spaced in time, and those
 * at events. Each state is read once in order, so `states` may be a generator.
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
  const kept = new FrameCollector(names, new Set(events?.map(({ time }) => time)));
  for (const state of states) kept.offer(state);
  const rows = kept.finish();
  if (rows.length === 0) {
    throw new NodriftError("STEP", `${data.name}: no states to draw`);
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

interface PoseRow {
  readonly time: number;
  readonly positions: Float64Array;
  readonly orientations: Float64Array;
}

/** Collects states with a minimum spacing in time, which increases with their number. */
class FrameCollector {
  total = 0;
  readonly #most: number;
  #rows: PoseRow[] = [];
  #spacing = 0;
  #last: ReadableState | undefined;

  constructor(
    readonly names: readonly string[],
    readonly pinned: ReadonlySet<number>,
  ) {
    const fitting = Math.floor(MAX_NUMBERS / (POSE * Math.max(1, names.length)));
    this.#most = Math.min(MAX_FRAMES, Math.max(MIN_FRAMES, fitting));
  }

  offer(state: ReadableState): void {
    this.total++;
    this.#last = state;
    if (!this.#isWanted(this.#rows, state.time)) return;
    this.#add(state);
    if (this.#rows.length > this.#most) this.#thin();
  }

  /** Returns the collected states, including the last one, in order of time. */
  finish(): readonly PoseRow[] {
    const last = this.#last;
    if (last !== undefined && this.#rows.at(-1)?.time !== last.time) this.#add(last);
    const isBackward = (this.#rows[0]?.time ?? 0) > (this.#rows.at(-1)?.time ?? 0);
    return isBackward ? this.#rows.reverse() : this.#rows;
  }

  #isWanted(rows: readonly PoseRow[], time: number): boolean {
    const before = rows.at(-1);
    if (before === undefined || this.#spacing === 0) return true;
    return this.pinned.has(time) || Math.abs(time - before.time) >= this.#spacing;
  }

  #thin(): void {
    const span = Math.abs(this.#rows.at(-1)!.time - this.#rows[0]!.time);
    this.#spacing = Math.max(2 * this.#spacing, (2 * span) / this.#most);
    const rows: PoseRow[] = [];
    for (const row of this.#rows) if (this.#isWanted(rows, row.time)) rows.push(row);
    // If there are more events than frames, every second row is dropped.
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
    // A failed run may end with non-finite values.
    const isDrawable = positions.every(Number.isFinite) && orientations.every(Number.isFinite);
    if (isDrawable) this.#rows.push({ time: state.time, positions, orientations });
  }
}

function concatenated(
  rows: readonly PoseRow[],
  part: (row: PoseRow) => Float64Array,
): Float64Array {
  const width = part(rows[0]!).length;
  const all = new Float64Array(width * rows.length);
  for (const [i, row] of rows.entries()) all.set(part(row), width * i);
  return all;
}
