// Numbers out of text: the other side of ../encode.ts.

import type { FrameData, Numbers } from "../page-data.js";

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function decodeNumbers({ base, scale, isLog, values }: Numbers): Float64Array {
  const numbers = floats(values, base, scale);
  return isLog ? numbers.map((exponent) => 10 ** exponent) : numbers;
}

function floats(text: string, base: number, scale = 1): Float64Array {
  const bytes = bytesOf(text);
  const view = new DataView(bytes.buffer);
  return Float64Array.from(
    { length: bytes.length / 4 },
    (_, i) => base + scale * view.getFloat32(4 * i, true),
  );
}

/** Of each frame and body: x, y, z, then four Euler parameters. */
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
  return floats(times, start);
}
