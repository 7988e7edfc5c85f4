// Helpers for reading pages in tests.

import type { Frames, ReadableState } from "../../src/report/index.js";

/** Returns the data embedded in a page. */
export function dataOf(html: string) {
  const [, text] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(text ?? "null") as {
    readonly scenes: readonly {
      readonly items: readonly { readonly kind: string }[];
      readonly frames: { readonly count: number; readonly poses: string };
    }[];
    readonly plots: readonly {
      readonly series: readonly { readonly x: { readonly values: string } }[];
    }[];
  };
}

/** Yields states of bodies on circular paths, each at its own rate. */
export function* circling(
  count: number,
  span: number,
  places: ReadonlyMap<string, number>,
): Generator<ReadableState> {
  for (let i = 0; i < count; i++) {
    const time = (span * i) / (count - 1);
    yield {
      time,
      body: (name) => {
        const place = places.get(name) as number;
        const angle = time * (1 + place / 100);
        return {
          position: [place + Math.cos(angle), Math.sin(angle), Math.sin(7 * angle)],
          orientation: [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)],
        };
      },
    };
  }
}

/** Returns frames of bodies at rest. */
export function still(bodies: number, times: readonly number[]): Frames {
  return {
    times,
    positions: new Float64Array(3 * bodies * times.length),
    orientations: Float64Array.from({ length: 4 * bodies * times.length }, (_, i) =>
      i % 4 === 0 ? 1 : 0,
    ),
    lengthUnit: "m",
    timeUnit: "s",
  };
}
