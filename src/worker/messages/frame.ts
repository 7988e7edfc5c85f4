// A frame: everything a page needs to draw one picture, as one buffer of numbers, sent to the page and returned.
//
// With shared memory (cross-origin isolated pages, Node threads) buffers are not transferred: frames are written to slots
// of one memory, and only slot indices are sent. A slot belongs to the thread that received its index last, so no slot is
// read while it is written, without locks.
//
// Rejected: messages with named fields. Each would be cloned into new objects and arrays sixty times a second; one buffer
// is transferred without a copy, and reused.

/** Fields of the frame header, before q, v and the requested values. */
export enum FrameSlot {
  /** Number of the frame, from 1. */
  NUMBER,
  /** Time of the state that is drawn. */
  TIME,
  /** Time that the simulation has reached: up to a step later. */
  REACHED,
  /** Length of a step in seconds: fixed, or the mean over this frame if steps vary. */
  STEP,
  /** Steps taken in all. */
  STEPS,
  /** Dropped simulated seconds. */
  DROPPED_TIME,
  /** Frames that were due and not sent. */
  SKIPPED,
  /** Computing time per step of this frame, in seconds; NaN if there was no step. */
  COST,
  /** The last command that this frame shows. */
  COMMAND,
  /** 1 while paused. */
  PAUSED,
  LENGTH,
}

/** Sizes of the parts of a frame. */
export interface FrameSizes {
  readonly positions: number;
  readonly velocities: number;
  /** Requested values. */
  readonly values: number;
}

/** Returns the length of a frame. */
export function frameLength({ positions, velocities, values }: FrameSizes): number {
  return FrameSlot.LENGTH + positions + velocities + values;
}

/** Returns views of the frames in a shared memory; `length` values each. */
export function frameViews(memory: SharedArrayBuffer, length: number): Float64Array[] {
  const bytes = Float64Array.BYTES_PER_ELEMENT * length;
  return Array.from(
    { length: memory.byteLength / bytes },
    (_, slot) => new Float64Array(memory, slot * bytes, length),
  );
}
