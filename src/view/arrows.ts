// Arrows of reactions, forces and velocities: vectors in the world, with a scale for each kind.

import { norm, scale } from "../base/algebra/vectors.js";
import { niceAbove } from "../draw/items-roads.js";
import type { PoseTable } from "../draw/motion.js";
import type { ForceData, JointData, ModelData, Vector } from "../model/model-data.js";
import type { Feed, Readings } from "./feed.js";

/** Kinds of arrows with their SI units. */
export const ARROWS = { reactions: "N", forces: "N", velocities: "m/s" } as const;

export type ArrowKind = keyof typeof ARROWS;

export interface Arrow {
  readonly kind: ArrowKind;
  /** Name of the joint, force or body. */
  readonly name: string;
  /** Start point in the world. */
  readonly at: Vector;
  /** Vector in its own unit. */
  readonly vector: Vector;
}

/** Length of the longest arrow, relative to the size of the mechanism. */
const MAX_LENGTH_FRACTION = 0.3;

/** Vectors of the parts of a mechanism, and their drawn lengths. */
export class Arrows {
  readonly #largest = new Map<string, number>();

  /** Resets the scales. */
  clear(): void {
    this.#largest.clear();
  }

  /** Returns the present arrows of these kinds, without zero vectors. */
  collect(feed: Feed, table: PoseTable, kinds: readonly ArrowKind[]): readonly Arrow[] {
    const readings = kinds.length > 0 ? feed.readings() : undefined;
    if (readings === undefined) return [];
    const arrows = kinds.flatMap((kind) => COLLECT[kind](feed.data, table, readings));
    for (const { kind, vector } of arrows) {
      const unit = ARROWS[kind];
      this.#largest.set(unit, Math.max(this.#largest.get(unit) ?? 0, norm(vector)));
    }
    return arrows;
  }

  /** Returns the value of the longest arrow: 1, 2 or 5 times a power of ten, not below any value seen. */
  full(kind: ArrowKind): number {
    const most = this.#largest.get(ARROWS[kind]) ?? 0;
    return most > 0 ? niceAbove(most) : 1;
  }

  /** Returns the length in the world per unit. */
  lengthFor(kind: ArrowKind, size: number): number {
    return (MAX_LENGTH_FRACTION * size) / this.full(kind);
  }

  /** Returns the end points of a drawn arrow. */
  drawn({ kind, at, vector }: Arrow, size: number): readonly [Vector, Vector] {
    const way = scale(this.lengthFor(kind, size), vector);
    return [at, [at[0] + way[0], at[1] + way[1], at[2] + way[2]]];
  }
}

type Collect = (data: ModelData, table: PoseTable, readings: Readings) => readonly Arrow[];

const COLLECT: Readonly<Record<ArrowKind, Collect>> = {
  reactions: (data, table, readings) =>
    data.joints.flatMap((joint) => arrowOf("reactions", joint, jointMarker, data, table, readings)),
  forces: (data, table, readings) =>
    data.forces.flatMap((force) => arrowOf("forces", force, forceMarker, data, table, readings)),
  velocities: (data, _, readings) =>
    data.bodies.flatMap(({ name }) => {
      const { centreOfMass, centreVelocity } = readings.body(name);
      return arrowUnlessZero(
        "velocities",
        name,
        vectorFrom(centreOfMass),
        vectorFrom(centreVelocity),
      );
    }),
};

/** Forces are those on the second body of a part, and are drawn at its marker there. */
const jointMarker = ({ markers }: JointData) => markers?.[1];
const forceMarker = ({ b }: ForceData) => (b >= 0 ? b : undefined);

function arrowOf<Part extends JointData | ForceData>(
  kind: "reactions" | "forces",
  part: Part,
  markerOf: (part: Part) => number | undefined,
  { markers }: ModelData,
  table: PoseTable,
  readings: Readings,
): readonly Arrow[] {
  const marker = markerOf(part);
  if (marker === undefined) return [];
  const { body, point } = markers[marker]!;
  const vector = forceIn(readings, kind === "reactions" ? "joint" : "force", part.name);
  return vector === undefined
    ? []
    : arrowUnlessZero(kind, part.name, table.point(body, ...point), vector);
}

/** Returns a force vector; undefined in modes that lack the part. */
function forceIn(readings: Readings, what: "joint" | "force", name: string): Vector | undefined {
  try {
    return vectorFrom(readings[what](name).force());
  } catch {
    return undefined;
  }
}

function arrowUnlessZero(
  kind: ArrowKind,
  name: string,
  at: Vector,
  vector: Vector,
): readonly Arrow[] {
  const isDrawn = vector.every(Number.isFinite) && norm(vector) > 0;
  return isDrawn ? [{ kind, name, at, vector }] : [];
}

function vectorFrom([x, y, z]: readonly number[]): Vector {
  return [x!, y!, z!];
}
