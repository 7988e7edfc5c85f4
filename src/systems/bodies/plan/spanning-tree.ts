// A spanning tree of the joint graph: rows of its joints cannot be redundant.

import { SensorKind } from "../../../../assembly/layout-bodies.js";
import { couplesSensors } from "../../../model/kinds.js";
import type { BlockData, JointData, ModelData, RowData } from "../../../model/model-data.js";

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
