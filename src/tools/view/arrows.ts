// Reactions, forces and velocities as arrows: from numbers of the source to vectors in the world, each kind with its scale.

import type { ForceData, JointData, ModelData, Vector } from "../../describe/model/model-data.js";
import { norm, scale } from "../../ground/algebra/vectors.js";
import { niceAbove } from "../report/items-roads.js";
import type { Feed, Readings } from "./feed.js";
import type { PoseTable } from "./pose-table.js";

/** Kinds of arrows, with their units in SI. */
export const ARROWS = { reactions: "N", forces: "N", velocities: "m/s" } as const;

export type ArrowKind = keyof typeof ARROWS;

export interface Arrow {
  readonly kind: ArrowKind;
  /** The joint, force or body. */
  readonly name: string;
  /** Where it begins, in the world. */
  readonly at: Vector;
  /** In its own unit. */
  readonly vector: Vector;
}

/** The longest arrow, as a part of the size of the mechanism. */
const LONGEST = 0.3;

/** Vectors of the parts of a mechanism, and how long they are drawn. */
export class Arrows {
  readonly #most = new Map<string, number>();

  /** Forgets the largest vectors: the scale is found anew. */
  clear(): void {
    this.#most.clear();
  }

  /** All of these kinds, now. Those of nothing are not there. */
  collect(feed: Feed, table: PoseTable, kinds: readonly ArrowKind[]): readonly Arrow[] {
    const readings = kinds.length > 0 ? feed.readings() : undefined;
    if (readings === undefined) return [];
    const arrows = kinds.flatMap((kind) => COLLECT[kind](feed.data, table, readings));
    for (const { kind, vector } of arrows) {
      const unit = ARROWS[kind];
      this.#most.set(unit, Math.max(this.#most.get(unit) ?? 0, norm(vector)));
    }
    return arrows;
  }

  /** The number that is drawn as long as the longest arrow: 1, 2 or 5 times a power of ten, not below any that was seen. */
  full(kind: ArrowKind): number {
    const most = this.#most.get(ARROWS[kind]) ?? 0;
    return most > 0 ? niceAbove(most) : 1;
  }

  /** Length in the world for one unit. */
  lengthFor(kind: ArrowKind, size: number): number {
    return (LONGEST * size) / this.full(kind);
  }

  /** From where to where an arrow is drawn. */
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
      return whole("velocities", name, vectorFrom(centreOfMass), vectorFrom(centreVelocity));
    }),
};

/** Forces are told for the second body of a part, and drawn at its point there. */
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
  return vector === undefined ? [] : whole(kind, part.name, table.point(body, ...point), vector);
}

/** Undefined in modes that do not have the part. */
function forceIn(readings: Readings, what: "joint" | "force", name: string): Vector | undefined {
  try {
    return vectorFrom(readings[what](name).force());
  } catch {
    return undefined;
  }
}

function whole(kind: ArrowKind, name: string, at: Vector, vector: Vector): readonly Arrow[] {
  const isDrawn = vector.every(Number.isFinite) && norm(vector) > 0;
  return isDrawn ? [{ kind, name, at, vector }] : [];
}

function vectorFrom([x, y, z]: readonly number[]): Vector {
  return [x!, y!, z!];
}
