// Frames of body poses from the states of a run of any length.

import {
  add,
  IDENTITY,
  normalised,
  rotationOf,
  times,
  vectorOf,
  ZERO,
} from "../base/algebra/vectors.js";
import { NodriftError } from "../base/errors.js";
import type { BodyState, CompiledModel } from "../bodies.js";
import {
  GROUND,
  type MarkerData,
  type Matrix,
  type ModelData,
  type Vector,
} from "../model/model-data.js";
import type { Run, Solution } from "../solve.js";
import type { Absence, Anchor, Frames } from "./scene-data.js";

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

// Poses of bodies, and their points in the world, at the frames of a run.

export interface Pose {
  readonly position: Vector;
  readonly rotation: Matrix;
}

const GROUND_POSE: Pose = { position: ZERO, rotation: IDENTITY };

/** Body poses, computed on demand. */
export class Poses {
  readonly count: number;

  constructor(
    readonly frames: Frames,
    readonly bodies: number,
  ) {
    this.count = frames.times.length;
  }

  /** Returns the pose of a body at a frame. */
  at(frame: number, body: number): Pose {
    if (body === GROUND) return GROUND_POSE;
    const { positions: p, orientations: e } = this.frames;
    const place = frame * this.bodies + body;
    const [i, j] = [3 * place, 4 * place];
    return {
      position: vectorOf(p[i]!, p[i + 1]!, p[i + 2]!),
      rotation: rotationOf(normalised([e[j]!, e[j + 1]!, e[j + 2]!, e[j + 3]!])),
    };
  }

  point(frame: number, body: number, own: Vector): Vector {
    const { position, rotation } = this.at(frame, body);
    return add(position, times(rotation, own));
  }

  /** Returns at most `most` evenly chosen frame indices. */
  sample(most: number): number[] {
    const step = Math.max(1, (this.count - 1) / (most - 1));
    const number = Math.floor((this.count - 1) / step + 1e-9) + 1;
    return Array.from({ length: number }, (_, i) => Math.round(i * step));
  }
}

/** Returns the point of a marker. */
export function anchorOf({ body, point }: MarkerData): Anchor {
  return [body, ...point];
}

export function pointOf([, x, y, z]: Anchor): Vector {
  return [x, y, z];
}

// Absences: joints and forces that modes of a run lack, and when.

/** End of absences that last to the end of the run, final frame included. Finite, so that JSON can hold it. */
export const END_OF_TIME = Number.MAX_VALUE;

/** Returns for each mode, from its event to the next, the parts of the first system that it lacks. */
export function absencesOf(solution: Solution<BodyState>): readonly Absence[] {
  const { events, modes, source } = solution;
  const allParts = partsOf(source);
  return events.flatMap(({ mode, time }, i) => {
    const system = modes[mode];
    if (system === undefined) return [];
    const to = events[i + 1]?.time ?? END_OF_TIME;
    return missingParts(system, allParts).map((name) => ({ name, from: time, to }));
  });
}

/** Joints and forces that the present mode of a run lacks; the same array until the mode changes. */
export class AbsentParts {
  readonly #run: Pick<Run, "source" | "present">;
  #present: object;
  #names: readonly string[] = [];

  constructor(run: Pick<Run, "source" | "present">) {
    this.#run = run;
    this.#present = run.source;
  }

  get names(): readonly string[] {
    const { present, source } = this.#run;
    if (present !== this.#present) {
      this.#present = present;
      const names = missingParts(present, partsOf(source));
      if (names.join("\n") !== this.#names.join("\n")) this.#names = names;
    }
    return this.#names;
  }
}

function missingParts(system: object, allParts: readonly string[]): readonly string[] {
  const there = new Set(partsOf(system));
  return allParts.filter((name) => !there.has(name));
}

function partsOf(source: object): readonly string[] {
  const { data } = source as Partial<CompiledModel>;
  return [...(data?.joints ?? []), ...(data?.forces ?? [])].map(({ name }) => name);
}
