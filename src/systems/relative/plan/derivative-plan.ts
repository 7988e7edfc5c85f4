// Where the numbers of a tree's matrices lie, and the lists its kernels walk along (assembly/tree/derivatives).

import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { ForceBlock, PathSource, TreeDerivatives } from "../../../../assembly/layout-stiff.js";
import { couplesSensors } from "../../../describe/model/kinds.js";
import { record } from "../../../ground/sparse/tables.js";
import type { PlannedBlock } from "../../bodies/plan/table-builder.js";
import type { DerivativeBlock } from "../../bodies/system/derivatives.js";
import type { RelativePlan } from "./relative-plan.js";
import type { TreePlan } from "./tree-plan.js";

/** A number of a matrix, and its slot. */
export interface PlannedEntry {
  readonly row: number;
  readonly column: number;
  readonly slot: number;
}

/** A matrix whose numbers have places. */
export interface PlannedMatrix {
  readonly entries: readonly PlannedEntry[];
  readonly slots: number;
}

/** Matrices of a tree. Nodes are numbered from 1, as kernels do. */
export class PathMatrices {
  readonly tree: TreePlan;
  readonly #widths: readonly number[];
  readonly #parents: readonly number[];

  constructor(tree: TreePlan) {
    this.tree = tree;
    this.#widths = [0, ...tree.nodes.map(({ velocityNames }) => velocityNames.length)];
    this.#parents = [0, ...tree.nodes.map(({ parent }) => parent + 1)];
  }

  /** Nodes from one to another, which is not among them: children first. */
  path(from: number, end = 0): number[] {
    const nodes: number[] = [];
    for (let node = from; node !== end; node = this.#parents[node]!) nodes.push(node);
    return nodes;
  }

  /** The parent of a node; 0 for the ground. */
  parent(node: number): number {
    return this.#parents[node]!;
  }

  /** The node of a body. */
  nodeOf(body: number): number {
    return this.tree.nodeOf[body]! + 1;
  }

  /** The last node that the ways from the ground to both share. */
  meeting(one: number, other: number): number {
    let [first, second] = [one, other];
    // Parents have lower numbers.
    while (first !== second) {
      if (first > second) first = this.#parents[first]!;
      else second = this.#parents[second]!;
    }
    return first;
  }

  width(node: number): number {
    return this.#widths[node]!;
  }

  /** M: treeMass writes only what is below the diagonal. */
  mass(): PlannedMatrix {
    const entries: PlannedEntry[] = [];
    let slots = 0;
    for (let node = 1; node < this.#parents.length; node++) {
      for (const other of this.path(node)) {
        const block = this.block(node, other, slots);
        entries.push(...block);
        if (other !== node) {
          for (const { row, column, slot } of block) {
            entries.push({ row: column, column: row, slot });
          }
        }
        slots += block.length;
      }
    }
    return { entries, slots };
  }

  /** Entries of a block by rows. */
  block(row: number, column: number, slot: number): PlannedEntry[] {
    const [height, width] = [this.width(row), this.width(column)];
    return Array.from({ length: height * width }, (_, k) => ({
      row: this.tree.nodes[row - 1]!.velocity + Math.floor(k / width),
      column: this.tree.nodes[column - 1]!.velocity + (k % width),
      slot: slot + k,
    }));
  }

  get count(): number {
    return this.#parents.length;
  }
}

/** Derivatives of the equations: those of nodes in line first, then those of nodes that forces connect. */
export class ForcePlaces implements PlannedMatrix {
  readonly entries: PlannedEntry[] = [];
  readonly #matrices: PathMatrices;
  readonly #places = new Map<number, number>();
  #slots = 0;

  constructor(matrices: PathMatrices) {
    this.#matrices = matrices;
    for (let node = 1; node < matrices.count; node++) {
      this.of(node, node);
      for (const other of matrices.path(node).slice(1)) {
        this.of(node, other);
        this.of(other, node);
      }
    }
  }

  get slots(): number {
    return this.#slots;
  }

  /** The slot of the block of two nodes, made where there is none. */
  of(row: number, column: number): number {
    const key = row * this.#matrices.count + column;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const slot = this.#slots;
    const block = this.#matrices.block(row, column, slot);
    for (const entry of block) this.entries.push(entry);
    this.#slots += block.length;
    this.#places.set(key, slot);
    return slot;
  }
}

/** J of a tree. */
export interface PlannedRows extends PlannedMatrix {
  /** A PathSource for each body of a block of rows, with its list of places. */
  readonly sources: readonly { readonly head: readonly number[]; readonly places: number[] }[];
}

/** Places of J, row by row of a block; columns are those of the nodes on the paths of its bodies. */
export function planRows({ rest }: RelativePlan, matrices: PathMatrices): PlannedRows {
  const entries: PlannedEntry[] = [];
  let slots = 0;
  const sources = rest.blocks.flatMap((block, index) => {
    const { bodies, rows, firstRow } = block;
    const nodes = bodies.map((body) => matrices.nodeOf(body));
    const end = tellsBodiesApart(block) ? matrices.meeting(nodes[0]!, nodes[1]!) : 0;
    const offsets = new Map<number, number>();
    let width = 0;
    for (const node of nodes.flatMap((from) => matrices.path(from, end))) {
      if (offsets.has(node)) continue;
      offsets.set(node, width);
      width += matrices.width(node);
    }
    const first = slots;
    for (let row = 0; row < rows; row++) {
      for (const [node, offset] of offsets) {
        for (let k = 0; k < matrices.width(node); k++) {
          const column = matrices.tree.nodes[node - 1]!.velocity + k;
          entries.push({ row: firstRow + row, column, slot: first + row * width + offset + k });
        }
      }
    }
    slots += rows * width;
    return bodies.map((body, place) => ({
      head: record(PathSource.LENGTH, [
        [PathSource.NODE, nodes[place]!],
        [PathSource.BODY, body],
        [PathSource.ROWS, rows],
        [PathSource.SLOT, rest.sparse.jacobianSlotOf[index]![place]],
        [PathSource.END, end],
        [PathSource.WIDTH, width],
      ]),
      places: matrices.path(nodes[place]!, end).map((node) => first + offsets.get(node)!),
    }));
  });
  return { entries, slots, sources };
}

/** Rows between two bodies, none of them the ground, that do not change when both move alike. */
function tellsBodiesApart({ block: { rows, user }, bodies }: PlannedBlock): boolean {
  return bodies.length === 2 && !user && !rows.some(couplesSensors);
}

const NO_ROWS: PlannedRows = { entries: [], slots: 0, sources: [] };

/**
 * The table of kernels (`TreeDerivatives`) from its head; the places of blocks are those of `forces`, where matrices
 * along paths are asked for.
 */
export function derivativeTable(
  head: readonly (readonly [TreeDerivatives, number])[],
  matrices: PathMatrices,
  blocks: readonly DerivativeBlock[],
  forces?: ForcePlaces,
  rows: PlannedRows = NO_ROWS,
): number[] {
  const pairs = blocks.map((block, index) => pairOf(block, index, matrices, forces));
  const table = record(TreeDerivatives.LENGTH, [
    ...head,
    [TreeDerivatives.BLOCK_COUNT, pairs.length],
    [TreeDerivatives.SOURCE_COUNT, rows.sources.length],
    [TreeDerivatives.JACOBIAN_SLOTS, rows.slots],
  ]);
  for (const [field, list, length, at] of [
    [TreeDerivatives.BLOCK_LIST, pairs, ForceBlock.LENGTH, ForceBlock.PLACES],
    [TreeDerivatives.SOURCE_LIST, rows.sources, PathSource.LENGTH, PathSource.PLACES],
  ] as const) {
    const first = table.length;
    table[field] = first;
    for (const { head } of list) table.push(...head);
    for (const [index, { places }] of list.entries()) {
      table[first + length * index + at] = table.length;
      for (const place of places) table.push(place);
    }
  }
  return table;
}

function pairOf(
  { row, column }: DerivativeBlock,
  index: number,
  matrices: PathMatrices,
  forces: ForcePlaces | undefined,
) {
  const [rowBody, columnBody] = [row / BODY_VELOCITIES, column / BODY_VELOCITIES];
  const [first, last] = [matrices.nodeOf(rowBody), matrices.nodeOf(columnBody)];
  const meeting = matrices.meeting(first, last);
  const places: number[] = [];
  let end = 0;
  for (const j of first === last || !forces ? [] : matrices.path(last)) {
    if (j === meeting) end = meeting;
    for (const i of matrices.path(first, end)) places.push(forces!.of(i, j));
  }
  const head = record(ForceBlock.LENGTH, [
    [ForceBlock.ROW_NODE, first],
    [ForceBlock.COLUMN_NODE, last],
    [ForceBlock.ROW_BODY, rowBody],
    [ForceBlock.COLUMN_BODY, columnBody],
    [ForceBlock.MEETING, meeting],
    [ForceBlock.SLOT, BODY_VELOCITIES * BODY_VELOCITIES * index],
  ]);
  return { head, places };
}
