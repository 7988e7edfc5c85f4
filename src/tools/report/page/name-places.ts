// Where names stand in a picture: beside what they name, none over another, and none lost. One that has no room there is
// moved up or down, with a line to what it names; one whose body is outside stands at the edge; those for which there is no
// room at all are counted.

/** A name and where the thing is, in pixels. */
export interface NameWanted {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface NamePlace {
  readonly index: number;
  /** Left end and middle of the line of text. */
  readonly x: number;
  readonly y: number;
  /** It is not where it would be by itself: a line leads to what it names. */
  readonly isMoved: boolean;
}

export interface NamePlaces {
  readonly placed: readonly NamePlace[];
  /** Numbers of the names for which there is no room. */
  readonly left: readonly number[];
}

/** Height of a line, room between two names, and distance from the edges. */
const LINE = 15;
const GAP = 4;
const EDGE = 6;
/** Lines by which a name is moved at most. */
const FARTHEST = 12;

export function placeNames(
  wanted: readonly NameWanted[],
  width: number,
  height: number,
): NamePlaces {
  const placed: (NamePlace & { readonly length: number })[] = [];
  const left: number[] = [];
  for (const [index, { x, y, width: length }] of wanted.entries()) {
    const inside = (at: number, low: number, high: number) => Math.min(high, Math.max(low, at));
    const home = { x: x + 8, y: y - 10 };
    const start = {
      x: inside(home.x, EDGE, Math.max(EDGE, width - length - EDGE)),
      y: inside(home.y, EDGE + LINE / 2, height - EDGE - LINE / 2),
    };
    const isFree = (at: number) =>
      placed.every(
        (other) =>
          start.x > other.x + other.length + GAP ||
          start.x + length + GAP < other.x ||
          Math.abs(other.y - at) >= LINE,
      );
    // 0, -1, 1, -2, 2, ... lines away.
    const tries = Array.from({ length: 2 * FARTHEST + 1 }, (_, k) =>
      k % 2 === 0 ? start.y + (k / 2) * LINE : start.y - ((k + 1) / 2) * LINE,
    );
    const free = tries.find(
      (at) => at >= EDGE + LINE / 2 && at <= height - EDGE - LINE / 2 && isFree(at),
    );
    if (free === undefined) left.push(index);
    else {
      const isMoved = Math.abs(free - home.y) > 1 || Math.abs(start.x - home.x) > 1;
      placed.push({ index, x: start.x, y: free, length, isMoved });
    }
  }
  return { placed, left };
}
