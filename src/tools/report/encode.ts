// Numbers as text. What reads them is page/decode.ts.

import type { FrameData, Numbers } from "./page-data.js";
import type { Frames } from "./scene-data.js";

/**
 * Positions are rounded to a part of what the picture shows, orientations to a part of 1: bits of these parts,
 * for so many bodies. Where there are many, each is small.
 */
const BITS = [
  { bodies: 30, position: 15, turn: 13 },
  { bodies: 150, position: 14, turn: 11 },
  { bodies: Number.POSITIVE_INFINITY, position: 12, turn: 9 },
];
/** Characters that a number of a pose takes, at least: a byte and a third. */
const PER_NUMBER = 4 / 3;
/** More frames than this are not seen. */
const MOST = 1500;
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

/** Little endian, as all processors of today have them. */
function floats(values: ArrayLike<number>, base: number, scale = 1): string {
  const all = Float32Array.from(values, (value) => (value - base) / scale);
  return base64(new Uint8Array(all.buffer));
}

export function encodeNumbers(given: ArrayLike<number>, isLog: boolean): Numbers {
  // Of numbers that are not positive there is no logarithm: they are gaps.
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

/** How poses are rounded and predicted. */
interface Coding {
  readonly quantum: number;
  readonly turn: number;
  /** By the one before (1), or by the line through the two before (2). */
  readonly order: 1 | 2;
}

/**
 * Poses in a limited number of characters: fewer frames if need be. Each number is a multiple of a quantum, and
 * is predicted by the line through the two before it, 2 a - b: what is left is mostly less than 64 in
 * magnitude. Where frames are far apart the one before predicts better. The rest is doubled, with the sign in
 * the last bit, and written seven bits a byte, the eighth says that more follow.
 */
export function encodeFrames(
  frames: Frames,
  bodies: number,
  size: number,
  budget: number,
): FrameData {
  const { position, turn } = BITS.find((each) => bodies <= each.bodies)!;
  const rounding = { quantum: (size > 0 ? size : 1) / 2 ** position, turn: 1 / 2 ** turn };
  let most = Math.min(MOST, Math.floor(budget / (7 * bodies * PER_NUMBER)));
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

/** Numbers of frames: all, or some that are evenly spaced in time, with those at events. */
export function chooseFrames({ times, events = [] }: Frames, most: number): number[] {
  const count = times.length;
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  const pinned = new Set(events.map(({ time }) => time));
  const isPinned = (i: number) => pinned.has(times[i]!);
  const first = times[0]!;
  const span = times[count - 1]! - first;
  let free = most;
  for (let i = 0; i < count; i++) if (isPinned(i)) free--;
  // So many events leave no room for anything else: they are chosen like all others.
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
      // e and -e are the same turn: the one nearer to that before.
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

/** By division, since shifts see 32 bits only. */
function writeInteger(value: number, bytes: number[]): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
