// Choice of the joints that form the tree, and of their directions. Cut joints cost rows, so the tree holds as many
// rows as it can: it is a spanning tree of the largest weight, grown by Prim's rule (Bell System Technical Journal 36,
// 1957) from the ground, and the joint with most rows is taken first. Fixed joints thus are always in it, and a loop
// is cut at a spherical joint rather than at a hinge. Among joints with as many rows the one that ends nearest to the
// ground comes first: if all joints are alike that is breadth first, and loops side by side share no branch. M^-1 is
// dense in a branch, so cuts whose paths share no node are not coupled in S.
//
// Rejected: depth first among all joints, and then rows. It saves path length (15 multiplications for each row and
// node), but one more row costs a row of S, its factor and its share of every correction.

import { GROUND } from "../../../model/model-data.js";
import type { JointEdge, JointGraph } from "./joint-graph.js";

/** Joint and parent of each body. */
export interface TreeEdge {
  /** Index of the joint in the tree; -1 for a free body. */
  readonly joint: number;
  /** Index of the parent: {@link GROUND} for the ground and for a free body. */
  readonly parent: number;
}

/** An edge with one end in the tree. */
interface Candidate extends Pick<JointEdge, "joint" | "weight"> {
  readonly parent: number;
  readonly child: number;
  readonly depth: number;
}

/** Returns a joint for each body, or none for the roots of the tree: those that are to be free, and others. */
export function chooseTree(graph: JointGraph, free: ReadonlySet<number>): TreeEdge[] {
  return new Growth(graph).grow(free);
}

class Growth {
  readonly #graph: JointGraph;
  readonly #held: (TreeEdge | undefined)[];
  /** Depth of the ground, then of each body. */
  readonly #depth: number[];
  readonly #open = new Heap();

  constructor(graph: JointGraph) {
    this.#graph = graph;
    this.#held = graph.masses.map(() => undefined);
    this.#depth = graph.edgesAt.map(() => 0);
  }

  grow(free: ReadonlySet<number>): TreeEdge[] {
    for (const body of free) this.#free(body);
    for (const root of [GROUND, ...free]) this.#offer(root);
    this.#span();
    // Bodies that no tree joint connects to a root hang on the heaviest body of their component.
    for (const body of this.#held.keys()) {
      if (this.#held[body] !== undefined) continue;
      const root = this.#heaviest(body);
      this.#free(root);
      this.#offer(root);
      this.#span();
    }
    return this.#held as TreeEdge[];
  }

  /** Makes a body a root: one node from the ground. */
  #free(body: number): void {
    this.#held[body] = { joint: -1, parent: GROUND };
    this.#depth[body + 1] = 1;
  }

  /** Adds the best joint that reaches a new body until no joint does. */
  #span(): void {
    for (let best = this.#open.take(); best !== undefined; best = this.#open.take()) {
      const { joint, parent, child, depth } = best;
      if (this.#isReached(child)) continue;
      this.#held[child] = { joint, parent };
      this.#depth[child + 1] = depth;
      this.#offer(child);
    }
  }

  /** Adds the joints from a body of the tree to others. */
  #offer(parent: number): void {
    for (const { a, b, joint, weight, length } of this.#graph.edgesAt[parent + 1]!) {
      const child = a === parent ? b : a;
      if (weight === 0 || this.#isReached(child)) continue;
      this.#open.put({ joint, weight, parent, child, depth: this.#depth[parent + 1]! + length });
    }
  }

  #isReached(body: number): boolean {
    return body === GROUND || this.#held[body] !== undefined;
  }

  /** Returns the heaviest of the bodies that joints connect to a body; the first of several. */
  #heaviest(body: number): number {
    const { masses, edgesAt } = this.#graph;
    const members = new Set([body]);
    for (const one of members) {
      for (const { a, b, weight } of edgesAt[one + 1]!) if (weight > 0) members.add(a).add(b);
    }
    const sorted = [...members].sort((one, other) => one - other);
    return sorted.reduce((best, each) => (masses[each]! > masses[best]! ? each : best));
  }
}

/** Candidates by rank: a binary heap, because a plate of a thousand bodies has as many open joints. */
class Heap {
  readonly #items: Candidate[] = [];

  put(item: Candidate): void {
    const items = this.#items;
    let place = items.push(item) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (isBefore(items[above]!, item)) break;
      items[place] = items[above]!;
      place = above;
    }
    items[place] = item;
  }

  take(): Candidate | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (items.length === 0 || last === undefined) return first;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && isBefore(items[below + 1]!, items[below]!)) below++;
      if (isBefore(last, items[below]!)) break;
      items[place] = items[below]!;
      place = below;
    }
    items[place] = last;
    return first;
  }
}

/** Most rows, then nearest to the root, then the order of the joints. */
function isBefore(one: Candidate, other: Candidate): boolean {
  if (one.weight !== other.weight) return one.weight > other.weight;
  if (one.depth !== other.depth) return one.depth < other.depth;
  return one.joint < other.joint;
}
