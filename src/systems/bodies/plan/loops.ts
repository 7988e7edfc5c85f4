// Rows that may be redundant. Rows of a tree of joints cannot: each joint adds a body that no row before it touched.
// Only blocks on a common loop can, so the loops are found first; without loops there is nothing to examine.
//
// Two blocks are in one class if some loop runs through both (the biconnected components of the joint graph). A
// combination x of rows with J^T x = 0 is a set of joint forces in balance on every body. If two components share only
// one body, the forces of each component are in balance separately, so that x splits into one combination for each
// class.

import { SensorKind } from "../../../../assembly/layout-bodies.js";
import { couplesSensors, markerPairs } from "../../../model/kinds.js";
import {
  type BlockData,
  GROUND,
  type JointData,
  type ModelData,
  type RowData,
} from "../../../model/model-data.js";
import type { PlannedBlock } from "./table-builder.js";

/** The loops of a model. */
export interface LoopPlan {
  /** For each block, the blocks of its loop that are eliminated before it. */
  readonly after: readonly (readonly number[])[];
}

/** The blocks of a model, before anything is planned. */
interface BlockModel {
  readonly model: ModelData;
  readonly blocks: readonly PlannedBlock[];
}

interface Edge {
  readonly a: number;
  readonly b: number;
  readonly block: number;
}

/** The loops, or undefined if no row can be redundant. */
export function findLoops(plan: BlockModel): LoopPlan | undefined {
  const { blocks, model } = plan;
  const edges = blocks.flatMap((block, index) => edgesOf(model, block, index));
  const ranked = [...edges].sort((one, other) => rankOf(plan, one) - rankOf(plan, other));
  const joined = new Components(model.bodies.length + 1);
  const tree: Edge[] = [];
  const chords = ranked.filter((edge) => {
    if (!joined.join(edge.a, edge.b)) return true;
    tree.push(edge);
    return false;
  });
  const ownRows = blocks.some(({ block }) => (block.user?.names.length ?? 0) > 1);
  if (chords.every((chord) => isDriveOfOneJoint(plan, chord, tree)) && !ownRows) return undefined;
  return { after: orderOf(plan, chords, new Forest(tree, model.bodies.length + 1)) };
}

/** Pairs of bodies that a block connects, the ground being 0. */
function edgesOf(model: ModelData, { block, bodies }: PlannedBlock, index: number): Edge[] {
  if (block.user) return bodies.map((body) => ({ a: 0, b: body + 1, block: index }));
  const bodyOf = (marker: number) => (model.markers[marker]?.body ?? GROUND) + 1;
  const edge = ([one, other]: readonly [number, number]) => {
    const [a, b] = [bodyOf(one), bodyOf(other)];
    return { a: Math.min(a, b), b: Math.max(a, b), block: index };
  };
  const edges = block.rows.flatMap((row) => markerPairs(row, model.sensors).map(edge));
  return edges.filter(
    ({ a, b }, i) => edges.findIndex((other) => other.a === a && other.b === b) === i,
  );
}

/** Tree joints first, then the joints that close loops, then couplings, drives and the user's rows. */
function rankOf({ blocks }: BlockModel, { block }: Edge): number {
  const planned = blocks[block]!;
  if (!isPlain(planned)) return 2;
  return planned.closing ? 1 : 0;
}

function isPlain({ block }: PlannedBlock): boolean {
  return block.holonomic && !block.user && block.rows.every((row) => !couplesSensors(row));
}

/** A single drive on a tree joint uses its free coordinate, so it is never redundant. */
function isDriveOfOneJoint({ blocks }: BlockModel, chord: Edge, tree: readonly Edge[]): boolean {
  const { block, joint } = blocks[chord.block]!;
  const [row] = block.rows;
  if (block.user || block.rows.length !== 1 || !row || !couplesSensors(row) || row.b >= 0)
    return false;
  const same = ({ a, b }: Edge) => a === chord.a && b === chord.b;
  const driven = blocks.filter(
    (other) => other.joint !== joint && other.block.rows.some(couplesSensors),
  );
  const alone = driven.every((other) =>
    other.block.rows.every(({ a, b }) => a !== row.a && b !== row.a),
  );
  return alone && tree.some((edge) => same(edge) && !blocks[edge.block]!.closing);
}

/** Parents in the spanning forest. */
class Forest {
  readonly #parent: Int32Array;
  readonly #block: Int32Array;
  readonly #depth: Int32Array;

  constructor(tree: readonly Edge[], count: number) {
    this.#parent = new Int32Array(count).fill(-1);
    this.#block = new Int32Array(count).fill(-1);
    this.#depth = new Int32Array(count).fill(-1);
    const edgesAt = Array.from({ length: count }, () => [] as Edge[]);
    for (const edge of tree) {
      edgesAt[edge.a]!.push(edge);
      edgesAt[edge.b]!.push(edge);
    }
    for (let root = 0; root < count; root++) {
      if (this.#depth[root] === -1) this.#grow(root, edgesAt);
    }
  }

  /** Blocks on the path from one body to another. */
  path(from: number, to: number): number[] {
    const blocks: number[] = [];
    let [a, b] = [from, to];
    while (a !== b) {
      if (this.#depth[a]! < this.#depth[b]!) [a, b] = [b, a];
      blocks.push(this.#block[a]!);
      a = this.#parent[a]!;
    }
    return blocks;
  }

  #grow(root: number, edgesAt: readonly (readonly Edge[])[]): void {
    this.#depth[root] = 0;
    const queue = [root];
    for (const body of queue) {
      for (const { a, b, block } of edgesAt[body]!) {
        const other = a === body ? b : a;
        if (this.#depth[other] !== -1) continue;
        this.#depth[other] = this.#depth[body]! + 1;
        this.#parent[other] = body;
        this.#block[other] = block;
        queue.push(other);
      }
    }
  }
}

/**
 * Returns the order. A joint that closes a loop comes after the others of the loop, so that it is reported as
 * redundant; couplings and drives come after all joints of their class.
 */
function orderOf({ blocks }: BlockModel, chords: readonly Edge[], forest: Forest): number[][] {
  const after = blocks.map(() => new Set<number>());
  const classes = new Components(blocks.length);
  for (const { a, b, block } of chords) {
    for (const other of forest.path(a, b)) {
      if (other !== block) after[block]!.add(other);
      classes.join(block, other);
    }
  }
  const plainOf = new Map<number, number[]>();
  blocks.forEach((block, index) => {
    if (!block.closing || !isPlain(block)) return;
    const root = classes.rootOf(index);
    const own = plainOf.get(root);
    if (own) own.push(index);
    else plainOf.set(root, [index]);
  });
  blocks.forEach((block, index) => {
    if (isPlain(block)) return;
    for (const other of plainOf.get(classes.rootOf(index)) ?? []) after[index]!.add(other);
  });
  return after.map((set) => [...set]);
}

// A spanning tree of the joint graph: rows of its joints cannot be redundant.

/** Connected sets of bodies. */
export class Components {
  readonly #parent: number[];

  constructor(count: number) {
    this.#parent = Array.from({ length: count }, (_, index) => index);
  }

  /** Joins two sets. Returns false if they are one already. */
  join(one: number | undefined, other: number | undefined): boolean {
    const [a, b] = [this.rootOf(one as number), this.rootOf(other as number)];
    this.#parent[a] = b;
    return a !== b;
  }

  /** The representative of a set: the same for all its members. */
  rootOf(index: number): number {
    let root = index;
    while (this.#parent[root] !== root) {
      const next = this.#parent[this.#parent[root] as number] as number;
      this.#parent[root] = next;
      root = next;
    }
    return root;
  }
}

/**
 * Joints that connect separate sets of bodies, and couplings of their free coordinates. In coordinates of the tree's
 * joints a coupling is an independent row as long as it involves one coordinate that no earlier coupling involves; so
 * a driven chain has no row that closes a loop.
 */
export class SpanningTree {
  readonly #connected: Components;
  readonly #freeSensors = new Set<number>();
  readonly #model: ModelData;

  constructor(model: ModelData) {
    this.#model = model;
    this.#connected = new Components(model.bodies.length + 1);
  }

  /** Adds a block on some bodies, which may include the ground. Returns false if it may be redundant. */
  add(block: BlockData, joint: JointData, bodies: readonly number[]): boolean {
    const [first, second, third] = bodies.map((body) => body + 1);
    if (block.rows.some((row) => !couplesSensors(row))) {
      if (third !== undefined || !this.#connected.join(first, second)) return false;
      for (const sensor of Object.values(joint.sensors)) {
        // Lengths are measured by the joints that hold them.
        if (this.#model.sensors[sensor]?.kind !== SensorKind.LENGTH) this.#freeSensors.add(sensor);
      }
      for (const row of block.rows.filter(couplesSensors)) this.#take(row);
      return true;
    }
    return block.rows.every((row) => this.#take(row));
  }

  /** Claims the first free coordinate of a coupling. */
  #take({ a, b }: RowData): boolean {
    const free = [a, b].find((sensor) => this.#freeSensors.has(sensor));
    if (free === undefined) return false;
    this.#freeSensors.delete(free);
    return true;
  }
}
