// The irreducible diagonal blocks of a square sparse matrix. Its rows and columns can be permuted so that the matrix
// is block triangular and none of its diagonal blocks can be split further.

/** A pattern with a pivot in each row and column. */
export interface PivotedPattern {
  readonly size: number;
  /** Rows and columns of entries. */
  readonly rows: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  /** Rows of the pivots and their columns. */
  readonly pivotRows: ArrayLike<number>;
  readonly pivotColumns: ArrayLike<number>;
}

export interface IrreducibleBlocks {
  readonly count: number;
  /** Position of each row in the block order, then of each column. */
  readonly places: Int32Array;
  /** The block at each position. */
  readonly blocks: Int32Array;
}

/**
 * Returns the blocks: the strong components of the graph in which a row leads to the rows whose pivots are in its
 * columns (Tarjan 1972; Duff and Reid, ACM TOMS 4 (1978) 137-147). They do not depend on the choice of pivots, as long
 * as these are entries. A pivot that is fill-in may join blocks which depend on each other; they count as one.
 */
export function irreducibleBlocks(pattern: PivotedPattern): IrreducibleBlocks {
  const { size, pivotRows, pivotColumns } = pattern;
  const component = strongComponents(size, successors(pattern));
  const count = component.reduce((most, each) => Math.max(most, each + 1), 0);
  const first = new Int32Array(count + 1);
  for (const each of component) first[each + 1]!++;
  for (let b = 0; b < count; b++) first[b + 1]! += first[b]!;
  const places = new Int32Array(2 * size);
  const blocks = new Int32Array(size);
  const column = new Int32Array(size);
  for (let k = 0; k < size; k++) column[pivotRows[k]!] = pivotColumns[k]!;
  // Rows and columns are ordered by index, so positions do not depend on the pivots.
  const ofColumn = new Int32Array(size);
  for (let row = 0; row < size; row++) ofColumn[column[row]!] = component[row]!;
  for (const [from, list] of [
    [0, component],
    [size, ofColumn],
  ] as const) {
    const next = first.slice();
    for (let i = 0; i < size; i++) {
      const block = list[i]!;
      const place = next[block]!++;
      places[from + i] = place;
      blocks[place] = block;
    }
  }
  return { count, places, blocks };
}

/** Rows to which each row leads. */
function successors({
  size,
  rows,
  columns,
  pivotRows,
  pivotColumns,
}: PivotedPattern): readonly (readonly number[])[] {
  const rowOf = new Int32Array(size);
  for (let k = 0; k < size; k++) rowOf[pivotColumns[k]!] = pivotRows[k]!;
  const lists: number[][] = Array.from({ length: size }, () => []);
  for (let e = 0; e < rows.length; e++) lists[rows[e]!]!.push(rowOf[columns[e]!]!);
  return lists;
}

/** Component of each node, without recursion, because chains of bodies are long. */
function strongComponents(size: number, next: readonly (readonly number[])[]): Int32Array {
  const component = new Int32Array(size).fill(-1);
  const index = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const done = new Int32Array(size);
  const open: number[] = [];
  const path: number[] = [];
  let seen = 0;
  let count = 0;
  const enter = (node: number) => {
    index[node] = seen;
    low[node] = seen++;
    open.push(node);
    path.push(node);
  };
  for (let start = 0; start < size; start++) {
    if (index[start]! < 0) enter(start);
    while (path.length > 0) {
      const node = path.at(-1)!;
      const list = next[node]!;
      if (done[node]! < list.length) {
        const other = list[done[node]!++]!;
        if (index[other]! < 0) enter(other);
        else if (component[other]! < 0) low[node] = Math.min(low[node]!, index[other]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node] !== index[node]) continue;
      for (let last = -1; last !== node; ) {
        last = open.pop()!;
        component[last] = count;
      }
      count++;
    }
  }
  return component;
}
