// Encoding of numbers as text, and its inverse, which the script of a page uses.

import type { Frames, PlotAxis, Scene } from "../draw/scene-data.js";

/**
 * Bits of resolution of positions, relative to the extent of the picture, and of orientations, relative to 1, by the
 * number of bodies. With many bodies each is small.
 */
const BITS = [
  { bodies: 30, position: 15, turn: 13 },
  { bodies: 150, position: 14, turn: 11 },
  { bodies: Number.POSITIVE_INFINITY, position: 12, turn: 9 },
];
/** Minimum number of characters per value of a pose: one byte in base64. */
const CHARACTERS_PER_NUMBER = 4 / 3;
/** Maximum number of frames; more would not be visible. */
const MAX_FRAMES = 1500;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const digits = [18, 12, 6, 0].map((shift) => ALPHABET[(word >> shift) & 63]);
    const missing = Math.max(0, i + 3 - bytes.length);
    parts.push(digits.slice(0, 4 - missing).join("") + "=".repeat(missing));
  }
  return parts.join("");
}

/** Encodes floats in little-endian order, that of all current processors. */
function floats(values: ArrayLike<number>, base: number, scale = 1): string {
  const all = Float32Array.from(values, (value) => (value - base) / scale);
  return base64(new Uint8Array(all.buffer));
}

export function encodeNumbers(given: ArrayLike<number>, isLog: boolean): EncodedNumbers {
  // Non-positive values have no logarithm: they become gaps.
  const values = isLog
    ? Float64Array.from(given, (x) => (x > 0 ? Math.log10(x) : Number.NaN))
    : given;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const base = low > high ? 0 : low / 2 + high / 2;
  const scale = low < high ? high / 2 - low / 2 : 1;
  return { base, scale, isLog, values: floats(values, base, scale) };
}

/** Quantisation and prediction of poses. */
interface Coding {
  readonly quantum: number;
  readonly turn: number;
  /** Prediction by the previous value (1), or by the line through the two previous ones (2). */
  readonly order: 1 | 2;
}

/**
 * Encodes poses within a budget of characters, with fewer frames if necessary. Each value is a multiple of a quantum
 * and is predicted by the line through the two before it, 2 a - b: the residual is mostly below 64 in magnitude. If
 * frames are far apart, the previous value predicts better. The residual is doubled, with the sign in the last bit, and
 * written with seven bits per byte; the eighth bit marks continuation.
 */
export function encodeFrames(
  frames: Frames,
  bodies: number,
  size: number,
  budget: number,
): FrameData {
  const { position, turn } = BITS.find((each) => bodies <= each.bodies)!;
  const rounding = { quantum: (size > 0 ? size : 1) / 2 ** position, turn: 1 / 2 ** turn };
  let most = Math.min(MAX_FRAMES, Math.floor(budget / (7 * bodies * CHARACTERS_PER_NUMBER)));
  for (;;) {
    const chosen = chooseFrames(frames, Math.max(2, most));
    const [a, b] = ([1, 2] as const).map((order) => {
      const coding = { ...rounding, order };
      return { coding, poses: base64(poseBytes(frames, bodies, chosen, coding)) };
    });
    const { coding, poses } = a!.poses.length < b!.poses.length ? a! : b!;
    if (poses.length > budget && chosen.length > 2) {
      most = Math.min(most - 1, Math.floor((0.97 * chosen.length * budget) / poses.length));
      continue;
    }
    const start = frames.times[0] ?? 0;
    const times = chosen.map((frame) => frames.times[frame]!);
    const { lengthUnit, timeUnit, events, absences } = frames;
    return {
      count: chosen.length,
      bodies,
      start,
      times: floats(times, start),
      ...coding,
      poses,
      ...(events && { events }),
      ...(absences && { absences }),
      lengthUnit,
      timeUnit,
    };
  }
}

/** Returns the indices of all frames, or of some that are evenly spaced in time, with those at events. */
export function chooseFrames({ times, events = [] }: Frames, most: number): number[] {
  const count = times.length;
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  const pinned = new Set(events.map(({ time }) => time));
  const isPinned = (i: number) => pinned.has(times[i]!);
  const first = times[0]!;
  const span = times[count - 1]! - first;
  let free = most;
  for (let i = 0; i < count; i++) if (isPinned(i)) free--;
  // With too many events, frames at events are chosen like all others.
  const withEvents = free >= most / 2;
  const step = span / ((withEvents ? free : most) - 1);
  const chosen: number[] = [];
  let due = first;
  for (let i = 0; i < count; i++) {
    const isDue = times[i]! >= due - 1e-9 * step;
    if (isDue || (withEvents && isPinned(i))) chosen.push(i);
    if (isDue) due = first + step * (Math.floor((times[i]! - first) / step + 1e-9) + 1);
  }
  if (chosen.at(-1) !== count - 1) chosen.push(count - 1);
  return chosen;
}

function poseBytes(
  { positions, orientations }: Frames,
  bodies: number,
  chosen: readonly number[],
  { quantum, turn, order }: Coding,
): Uint8Array {
  const bytes: number[] = [];
  const width = 7 * bodies;
  let [before, last] = [new Float64Array(width), new Float64Array(width)];
  for (const frame of chosen) {
    const row = new Float64Array(width);
    for (let body = 0; body < bodies; body++) {
      const place = frame * bodies + body;
      for (let i = 0; i < 3; i++) {
        row[7 * body + i] = Math.round(positions[3 * place + i]! / quantum);
      }
      // e and -e are the same rotation: use the one nearer to the previous.
      let along = 0;
      for (let i = 0; i < 4; i++) along += orientations[4 * place + i]! * last[7 * body + 3 + i]!;
      const unit = along < 0 ? -turn : turn;
      for (let i = 0; i < 4; i++) {
        row[7 * body + 3 + i] = Math.round(orientations[4 * place + i]! / unit);
      }
    }
    for (let i = 0; i < width; i++) {
      const predicted = order === 2 ? 2 * last[i]! - before[i]! : last[i]!;
      writeInteger(row[i]! - predicted, bytes);
    }
    [before, last] = [last, row];
  }
  return Uint8Array.from(bytes);
}

/** Writes an integer; by division, since shifts are limited to 32 bits. */
function writeInteger(value: number, bytes: number[]): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

// Decoding.

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function decodeNumbers({ base, scale, isLog, values }: EncodedNumbers): Float64Array {
  const numbers = decodeFloats(values, base, scale);
  return isLog ? numbers.map((exponent) => 10 ** exponent) : numbers;
}

function decodeFloats(text: string, base: number, scale = 1): Float64Array {
  const bytes = bytesOf(text);
  const view = new DataView(bytes.buffer);
  return Float64Array.from(
    { length: bytes.length / 4 },
    (_, i) => base + scale * view.getFloat32(4 * i, true),
  );
}

/** Returns x, y, z and four Euler parameters for each frame and body. */
export function decodePoses(data: FrameData): Float64Array {
  const { count, bodies, quantum, turn, order } = data;
  const bytes = bytesOf(data.poses);
  const width = 7 * bodies;
  const all = new Float64Array(count * width);
  let place = 0;
  for (let i = 0; i < all.length; i++) {
    let [value, weight, byte] = [0, 1, 0];
    do {
      byte = bytes[place++]!;
      value += (byte % 128) * weight;
      weight *= 128;
    } while (byte >= 128);
    const left = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    const [last, before] = [all[i - width] ?? 0, all[i - 2 * width] ?? 0];
    all[i] = left + (order === 2 ? 2 * last - before : last);
  }
  for (let i = 0; i < all.length; i++) all[i]! *= i % 7 < 3 ? quantum : turn;
  return all;
}

export function decodeTimes({ start, times }: FrameData): Float64Array {
  return decodeFloats(times, start);
}

// Data embedded in a page for its script.

export interface PageData {
  readonly scenes: readonly SceneData[];
  readonly plots: readonly PlotData[];
}

export type SceneData = Omit<Scene, "frames"> & { readonly frames: FrameData };

/** Compressed frames; see `encodeFrames`. */
export interface FrameData extends Pick<Frames, "events" | "absences" | "lengthUnit" | "timeUnit"> {
  readonly count: number;
  /** Number of bodies with poses. */
  readonly bodies: number;
  /** Time of the first frame; the others are Float32 offsets from it, in base64. */
  readonly start: number;
  readonly times: string;
  /** Quantum of positions. */
  readonly quantum: number;
  /** Quantum of orientations. */
  readonly turn: number;
  /** Order of the prediction: by the previous value, or by the line through two. */
  readonly order: 1 | 2;
  readonly poses: string;
}

export interface PlotData {
  readonly title: string;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  readonly series: readonly SeriesData[];
  readonly marks: readonly { readonly x: number; readonly label: string }[];
  /** Index of the scene whose time is x; -1 for none. */
  readonly scene: number;
}

export interface SeriesData {
  readonly name: string;
  readonly points: boolean;
  /** Grey and dashed. */
  readonly isReference: boolean;
  readonly x: EncodedNumbers;
  readonly y: EncodedNumbers;
}

/**
 * Values x = base + scale f with f as Float32 in base64, so that small differences keep their digits and no value
 * overflows. On logarithmic axes the values are 10 to that power.
 */
export interface EncodedNumbers {
  readonly base: number;
  readonly scale: number;
  readonly isLog: boolean;
  readonly values: string;
}
