// The tables of the block sparse S = J M^-1 J^T with slots in place of indices.

import {
  BODY_VELOCITIES,
  BodyMass,
  BodyTable,
  SparseBlock,
  SparseColumn,
  SparseIncidence,
  SparsePair,
  SparseTable,
} from "nodrift/kernels";

type Integers = Int32Array<ArrayBuffer>;

/** Integers for one body of one constraint: its velocities, rows, Jacobian block, first row. */
export const INCIDENCE_LENGTH = 4;
/**
 * Integers for one product: left block and its rows, right block and its rows, mass of the body (-1 if the right
 * block is that of the previous product), target.
 */
export const PAIR_LENGTH = 6;
/**
 * Integers for one column: rows, first row, its part of a right-hand side, diagonal block, first block,
 * end of its blocks, first update.
 */
export const COLUMN_LENGTH = 7;
/** Integers for one block: slot, rows, its part of a right-hand side. */
export const BLOCK_LENGTH = 3;

/** Slots of all data of the factorisation and its solves. */
export class BlockTables {
  readonly incidences: Integers;
  readonly pairs: Integers;
  readonly columns: Integers;
  readonly blocks: Integers;
  readonly updates: Integers;
  readonly factor: number;
  readonly factorEnd: number;
  readonly whitened: number;
  readonly pivots: number;
  readonly loopBlocks: number;
  readonly loopScratch: number;

  constructor(buffer: ArrayBuffer, head: Integers) {
    const slot = (field: BodyTable) => head[field] >> 3;
    const table = new Int32Array(buffer, head[BodyTable.SPARSE_TABLE]);
    this.factor = slot(BodyTable.SPARSE_FACTOR);
    this.factorEnd = this.factor + table[SparseTable.BLOCK_SLOTS];
    this.whitened = slot(BodyTable.WHITENED);
    this.pivots = slot(BodyTable.SPARSE_PIVOTS);
    this.loopBlocks = slot(BodyTable.LOOP_BLOCKS);
    this.loopScratch = slot(BodyTable.LOOP_SCRATCH);
    const scratch = slot(BodyTable.SPARSE_SCRATCH);
    this.incidences = incidenceList(table, slot(BodyTable.JACOBIAN));
    this.pairs = this.#pairList(table, slot(BodyTable.MASSES));
    this.columns = this.#columnList(table, scratch);
    this.blocks = this.#blockList(table, scratch);
    this.updates = table
      .slice(table[SparseTable.UPDATES], table[SparseTable.INCIDENCES])
      .map((update) => this.factor + update);
  }

  #pairList(table: Integers, masses: number): Integers {
    const count = table[SparseTable.PAIR_COUNT];
    const list = new Int32Array(PAIR_LENGTH * count);
    let last = -1;
    for (let index = 0; index < count; index++) {
      const pair = table[SparseTable.PAIRS] + SparsePair.LENGTH * index;
      const left = INCIDENCE_LENGTH * table[pair + SparsePair.LEFT];
      const right = INCIDENCE_LENGTH * table[pair + SparsePair.RIGHT];
      const body = this.incidences[right] / BODY_VELOCITIES;
      const fields = [
        this.incidences[left + 2],
        this.incidences[left + 1],
        this.incidences[right + 2],
        this.incidences[right + 1],
        right === last ? -1 : masses + BodyMass.LENGTH * body,
        this.factor + table[pair + SparsePair.SLOT],
      ];
      list.set(fields, PAIR_LENGTH * index);
      last = right;
    }
    return list;
  }

  #columnList(table: Integers, scratch: number): Integers {
    const count = table[SparseTable.COLUMN_COUNT];
    const list = new Int32Array(COLUMN_LENGTH * count);
    for (let index = 0; index < count; index++) {
      const column = table[SparseTable.COLUMNS] + SparseColumn.LENGTH * index;
      const first = BLOCK_LENGTH * table[column + SparseColumn.FIRST_BLOCK];
      const fields = [
        table[column + SparseColumn.ROWS],
        table[column + SparseColumn.FIRST_ROW],
        scratch + table[column + SparseColumn.VECTOR],
        this.factor + table[column + SparseColumn.DIAGONAL],
        first,
        first + BLOCK_LENGTH * table[column + SparseColumn.BLOCK_COUNT],
        table[column + SparseColumn.FIRST_UPDATE],
      ];
      list.set(fields, COLUMN_LENGTH * index);
    }
    return list;
  }

  #blockList(table: Integers, scratch: number): Integers {
    const first = table[SparseTable.BLOCKS];
    const count = (table[SparseTable.UPDATES] - first) / SparseBlock.LENGTH;
    const list = new Int32Array(BLOCK_LENGTH * count);
    for (let index = 0; index < count; index++) {
      const block = first + SparseBlock.LENGTH * index;
      const fields = [
        this.factor + table[block + SparseBlock.SLOT],
        table[block + SparseBlock.ROWS],
        scratch + table[block + SparseBlock.VECTOR],
      ];
      list.set(fields, BLOCK_LENGTH * index);
    }
    return list;
  }
}

function incidenceList(table: Integers, jacobian: number): Integers {
  const count = table[SparseTable.INCIDENCE_COUNT];
  const list = new Int32Array(INCIDENCE_LENGTH * count);
  for (let index = 0; index < count; index++) {
    const incidence = table[SparseTable.INCIDENCES] + SparseIncidence.LENGTH * index;
    const fields = [
      BODY_VELOCITIES * table[incidence + SparseIncidence.BODY],
      table[incidence + SparseIncidence.ROWS],
      jacobian + table[incidence + SparseIncidence.SLOT],
      table[incidence + SparseIncidence.FIRST_ROW],
    ];
    list.set(fields, INCIDENCE_LENGTH * index);
  }
  return list;
}
