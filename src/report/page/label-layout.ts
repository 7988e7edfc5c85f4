// Layout of names in a picture without overlaps. A name stands next to its body. If there is no room, it is moved up or
// down, with a line to the body; if the body is outside the picture, the name stands at the edge. Names without any room
// are counted.

/** Width of a name and position of its body, in pixels. */
export interface LabelRequest {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface NamePlace {
  readonly index: number;
  /** Left end and vertical middle of the text. */
  readonly x: number;
  readonly y: number;
  /** Whether the name was moved, so that a line leads to its body. */
  readonly isMoved: boolean;
}

export interface NamePlaces {
  readonly placed: readonly NamePlace[];
  /** Indices of the names without room. */
  readonly left: readonly number[];
}

/** Line height, gap between names, and distance from the edges, in pixels. */
const LINE_PX = 15;
const GAP_PX = 4;
const EDGE_PX = 6;
/** Maximum number of lines by which a name is moved. */
const MAX_SHIFT_LINES = 12;

export function placeNames(
  wanted: readonly LabelRequest[],
  width: number,
  height: number,
): NamePlaces {
  const placed: (NamePlace & { readonly length: number })[] = [];
  const left: number[] = [];
  for (const [index, { x, y, width: length }] of wanted.entries()) {
    const inside = (at: number, low: number, high: number) => Math.min(high, Math.max(low, at));
    const home = { x: x + 8, y: y - 10 };
    const start = {
      x: inside(home.x, EDGE_PX, Math.max(EDGE_PX, width - length - EDGE_PX)),
      y: inside(home.y, EDGE_PX + LINE_PX / 2, height - EDGE_PX - LINE_PX / 2),
    };
    const isFree = (at: number) =>
      placed.every(
        (other) =>
          start.x > other.x + other.length + GAP_PX ||
          start.x + length + GAP_PX < other.x ||
          Math.abs(other.y - at) >= LINE_PX,
      );
    // 0, -1, 1, -2, 2, ... lines away.
    const shifts = Array.from({ length: 2 * MAX_SHIFT_LINES + 1 }, (_, k) =>
      k % 2 === 0 ? start.y + (k / 2) * LINE_PX : start.y - ((k + 1) / 2) * LINE_PX,
    );
    const free = shifts.find(
      (at) => at >= EDGE_PX + LINE_PX / 2 && at <= height - EDGE_PX - LINE_PX / 2 && isFree(at),
    );
    if (free === undefined) left.push(index);
    else {
      const isMoved = Math.abs(free - home.y) > 1 || Math.abs(start.x - home.x) > 1;
      placed.push({ index, x: start.x, y: free, length, isMoved });
    }
  }
  return { placed, left };
}
