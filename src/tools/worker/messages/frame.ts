// A frame: everything a page needs to draw one picture, as numbers in one buffer, which goes to the page and comes back.
//
// Where both threads can have the same memory (pages that are isolated, threads of Node) buffers need not travel: frames are
// written to parts of one, and only the number of the part goes to and fro. A part belongs to whoever was told its number
// last, so nobody reads what is being written, without locks.
//
// Rejected: a message with named fields. Each would be cloned into new objects sixty times a second, with arrays of
// their own; one buffer is handed over as it is, and used again.

/** What stands at the beginning of a frame, before q, v and the chosen values. */
export enum FrameSlot {
  /** Frames up to this one, itself included. */
  NUMBER,
  /** Time of the state that is drawn. */
  TIME,
  /** Time that the simulation has reached: up to a step later. */
  REACHED,
  /** Length of a step: of the coming ones, or the mean of those of this frame where they vary. */
  STEP,
  /** Steps taken in all. */
  STEPS,
  /** Simulated seconds that were dropped. */
  LAG,
  /** Frames that were due and not made. */
  SKIPPED,
  /** Seconds of computing for each step of this frame; NaN if there was none. */
  COST,
  /** The last command that this frame shows. */
  COMMAND,
  /** 1 while no time passes. */
  PAUSED,
  LENGTH,
}

/** How many numbers of each kind a frame has. */
export interface FrameSizes {
  readonly positions: number;
  readonly velocities: number;
  /** Chosen values. */
  readonly values: number;
}

/** Numbers in a frame. */
export function frameLength({ positions, velocities, values }: FrameSizes): number {
  return FrameSlot.LENGTH + positions + velocities + values;
}

/** The frames in a memory, each of so many numbers. */
export function frameViews(memory: SharedArrayBuffer, length: number): Float64Array[] {
  const bytes = Float64Array.BYTES_PER_ELEMENT * length;
  return Array.from(
    { length: memory.byteLength / bytes },
    (_, slot) => new Float64Array(memory, slot * bytes, length),
  );
}
