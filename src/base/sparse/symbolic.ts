import {
  padToTwo,
  SparseBlock,
  SparseColumn,
  SparseIncidence,
  SparsePair,
  SparseTable,
} from "../../../assembly/layout.js";
import {
  argument,
  listOf,
  needed,
  options,
  optionsOf,
  refuseMore,
  type Shape,
  whole,
} from "../checking/index.js";
import { NodriftError } from "../errors.js";
import { checkLimits } from "../run-limits.js";
/**
 * The plan of a block sparse factorisation of S = J M^-1 J^T: created once for a model, followed by the kernels in
 * every step.
 */
export interface SparsePlan {
  /** The table the kernels follow: write it into a segment of `Math.ceil(table.length / 2)` slots. */
  readonly table: Int32Array;
  /** Rows of S. */
  readonly rows: number;
  /** Slots of the Jacobian blocks, and of M^-1 J^T: contiguous blocks, each row-major. */
  readonly jacobianSlots: number;
  /** Slots of the inverse mass blocks. */
  readonly massSlots: number;
  /** Slots of the blocks of S, and of L. */
  readonly blockSlots: number;
  /** Slots of the scratch of a solve. */
  readonly scratchSlots: number;
  /** First slot of the Jacobian block of each body of each constraint, in the order given. */
  readonly jacobianSlotOf: readonly (readonly number[])[];
  /** Constraints in the order of elimination. */
  readonly order: readonly number[];
  /** Blocks of L that are not blocks of S. */
  readonly fill: number;
}

/**
 * Orders the constraints and lays out the factor. `after` names, for each constraint, others that are to
 * be eliminated before it; `follows`, for a constraint whose rows are combinations of those of others, these
 * others (see {@link eliminateWithFollowers}).
 *
 * @example
 * // two pendulum links, each joint holds a point: 3 rows
 * const plan = planSparse({
 *   bodyCount: 2,
 *   bodySize: 6,
 *   constraints: [{ rows: 3, bodies: [0] }, { rows: 3, bodies: [0, 1] }],
 * });
 */
export function planSparse(
  given: ConstraintGraph,
  after?: readonly (readonly number[])[],
  follows?: readonly (readonly number[])[],
  ...more: undefined[]
): SparsePlan {
  refuseMore("planSparse", "MEMORY", more, "it takes a graph, an order and who follows");
  const graph = checkedGraph(given);
  const lists = listOf(listOf(whole(0, graph.constraints.length)), "a list for each constraint");
  if (after !== undefined) argument("planSparse", "MEMORY", "after", after, lists);
  if (follows !== undefined) argument("planSparse", "MEMORY", "follows", follows, lists);
  return sparsePlan(graph, after, follows);
}

/** {@link planSparse} of a graph that is known to be valid. */
export function sparsePlan(
  graph: ConstraintGraph,
  after?: readonly (readonly number[])[],
  follows?: readonly (readonly number[])[],
): SparsePlan {
  const { constraints, bodySize, bodyCount } = graph;
  const neighbours = coupledConstraints(graph);
  const elimination = eliminateWithFollowers(
    neighbours,
    constraints.map(({ rows }) => rows),
    after,
    follows,
  );
  const storage = layOut(graph, elimination);
  const incidences = listIncidences(graph);
  const pairs = pairTable(graph, storage, incidences);
  const parts = [...factorTables(graph, elimination, storage), incidences.table, pairs];
  return {
    table: joinTable(parts, [
      [SparseTable.COLUMN_COUNT, constraints.length],
      [SparseTable.INCIDENCE_COUNT, incidences.table.length / SparseIncidence.LENGTH],
      [SparseTable.PAIR_COUNT, pairs.length / SparsePair.LENGTH],
      [SparseTable.BODY_SIZE, bodySize],
      [SparseTable.BLOCK_SLOTS, storage.blockSlots],
    ]),
    rows: storage.rows,
    jacobianSlots: incidences.slots,
    massSlots: bodyCount * bodySize * bodySize,
    blockSlots: storage.blockSlots,
    scratchSlots: storage.vectorSlots,
    jacobianSlotOf: incidences.slotOf,
    order: elimination.order,
    fill: fillOf(neighbours, elimination.below),
  };
}

function fillOf(
  neighbours: readonly ReadonlySet<number>[],
  below: readonly (readonly number[])[],
): number {
  let fill = 0;
  for (let vertex = 0; vertex < below.length; vertex++) {
    for (const row of below[vertex]!) if (!neighbours[vertex]!.has(row)) fill++;
  }
  return fill;
}

/** The bodies that each constraint touches. Bodies that cannot move are not listed. */
export interface ConstraintGraph {
  /** Number of bodies. */
  readonly bodyCount: number;
  /** Coordinates of a body: 6 for rigid bodies in space, 3 in the plane or for points. */
  readonly bodySize: number;
  /** Coordinates of each body, if they differ. */
  readonly bodySizes?: readonly number[] | undefined;
  /** Blocks of rows, with the bodies they involve. */
  readonly constraints: readonly {
    readonly rows: number;
    readonly bodies: readonly number[];
  }[];
}

const GRAPH: Shape<ConstraintGraph> = {
  bodyCount: needed(whole(0, 1e6)),
  bodySize: needed(whole(1, 1e3)),
  bodySizes: listOf(whole(0, 1e3)),
  constraints: needed(
    listOf(
      options<ConstraintGraph["constraints"][number]>({
        rows: needed(whole(1, 1e6)),
        bodies: needed(listOf(whole(0))),
      }),
      "a list: [{ rows, bodies }]",
    ),
  ),
};

/** Returns a graph after checking that all its indices exist. */
function checkedGraph(given: ConstraintGraph): ConstraintGraph {
  const graph = optionsOf("constraint graph", "MEMORY", given, GRAPH);
  const wrong = (what: string) => new NodriftError("MEMORY", `constraint graph: ${what}`);
  graph.constraints.forEach(({ bodies }, index) => {
    if (new Set(bodies).size < bodies.length) throw wrong(`constraint ${index} lists a body twice`);
    const bad = bodies.find((body) => body >= graph.bodyCount);
    if (bad !== undefined) {
      throw wrong(`constraint ${index} names body ${bad}; there are ${graph.bodyCount}`);
    }
  });
  return graph;
}

/** Constraints that share a body, for each constraint. */
function coupledConstraints({ bodyCount, constraints }: ConstraintGraph): Set<number>[] {
  const onBody = Array.from({ length: bodyCount }, () => [] as number[]);
  for (let index = 0; index < constraints.length; index++) {
    for (const body of constraints[index]!.bodies) onBody[body]?.push(index);
  }
  return constraints.map(({ bodies }, index) => {
    const set = new Set<number>();
    for (const body of bodies) for (const other of onBody[body] ?? []) set.add(other);
    set.delete(index);
    return set;
  });
}

/**
 * Minimum-degree elimination of a symmetric block graph (Tinney and Walker 1967, scheme 2; see George
 * and Liu 1989). The next column is the one with the fewest rows coupled to it; eliminating it
 * couples its neighbours with each other. The neighbours at that moment are exactly the blocks of
 * the column in the factor, so ordering and symbolic factorisation are one pass.
 *
 * Ties go to the vertex whose degree changed last, then to the lowest number: a chain is eliminated
 * from one end to the other, in the order of its memory, and the result is the same on every machine.
 */
export interface Elimination {
  /** Vertices in the order of their elimination. */
  readonly order: readonly number[];
  /** For each vertex, those of its column that come later, in the order of elimination. */
  readonly below: readonly (readonly number[])[];
}

/**
 * Returns the elimination. `after` names, for each vertex, those that must be eliminated before it; these relations
 * must not form a cycle.
 */
export function eliminate(
  neighbours: readonly ReadonlySet<number>[],
  weights: readonly number[],
  after: readonly (readonly number[])[] = [],
): Elimination {
  const count = neighbours.length;
  const links = neighbours.map((set) => new Set(set));
  const waiting = links.map((_, vertex) => after[vertex]?.length ?? 0);
  const waiters = waitersOf(after, count);
  const degrees = links.map((set) => weightOf(set, weights));
  const queue = new DegreeQueue([...degrees], waiting);
  const order: number[] = [];
  const position = new Int32Array(count);
  while (order.length < count) {
    checkLimits();
    const vertex = queue.takeSmallest();
    position[vertex] = order.length;
    order.push(vertex);
    const clique = links[vertex] as Set<number>;
    for (const other of clique) {
      const set = links[other] as Set<number>;
      set.delete(vertex);
      let degree = degrees[other]! - weights[vertex]!;
      for (const third of clique) {
        if (third === other || set.has(third)) continue;
        set.add(third);
        degree += weights[third]!;
      }
      degrees[other] = degree;
      queue.change(other, degree);
    }
    for (const other of waiters[vertex] ?? []) queue.approach(other);
  }
  const byPlace = (a: number, b: number) => position[a]! - position[b]!;
  return { order, below: links.map((set) => [...set].sort(byPlace)) };
}

/**
 * Returns the elimination if some vertices follow from others: the rows of such a block are combinations of the rows
 * of those it follows from, L_p = C L_r. Its row of the factor then has blocks only in columns of those, its column
 * has no blocks, and products are added only to these blocks. A hundred joints parallel to a first one cost a hundred
 * rows, not a dense block of a hundred columns. Such vertices come last.
 */
export function eliminateWithFollowers(
  neighbours: readonly ReadonlySet<number>[],
  weights: readonly number[],
  after: readonly (readonly number[])[] = [],
  follows: readonly (readonly number[])[] = [],
): Elimination {
  const isFollower = (vertex: number) => (follows[vertex]?.length ?? 0) > 0;
  if (!follows.some((leaders) => leaders.length > 0)) return eliminate(neighbours, weights, after);
  const leading = (vertices: Iterable<number>) => [...vertices].filter((v) => !isFollower(v));
  const { order, below } = eliminate(
    neighbours.map((set, vertex) => new Set(isFollower(vertex) ? [] : leading(set))),
    weights,
    after.map((list, vertex) => (isFollower(vertex) ? [] : leading(list))),
  );
  const followers = [...follows.keys()].filter(isFollower);
  return {
    order: [...leading(order), ...followers],
    below: below.map((column, vertex) => {
      if (isFollower(vertex)) return [];
      const rows = new Set([vertex, ...column]);
      return [
        ...column,
        ...followers.filter((f) => follows[f]!.some((leader) => rows.has(leader))),
      ];
    }),
  };
}

function weightOf(set: ReadonlySet<number>, weights: readonly number[]): number {
  let sum = 0;
  for (const vertex of set) sum += weights[vertex] as number;
  return sum;
}

/** Vertices that must be eliminated after each vertex. */
function waitersOf(after: readonly (readonly number[])[], count: number): number[][] {
  if (after.length === 0) return [];
  const waiters = Array.from({ length: count }, () => [] as number[]);
  after.forEach((list, vertex) => {
    for (const earlier of list) waiters[earlier]?.push(vertex);
  });
  return waiters;
}

const CYCLE = "constraint graph: cyclic elimination order";

/** Buckets of vertices by degree; outdated entries are skipped when they are reached. */
class DegreeQueue {
  readonly #degrees: number[];
  /** Number of vertices that each vertex waits for; a vertex is ready at zero. */
  readonly #waiting: number[];
  readonly #buckets = new Map<number, number[]>();
  readonly #taken = new Set<number>();
  #lowest = 0;
  /** Highest degree that was ever in a bucket. */
  #highest = 0;

  constructor(degrees: number[], waiting: number[]) {
    this.#degrees = degrees;
    this.#waiting = waiting;
    for (let vertex = degrees.length - 1; vertex >= 0; vertex--) this.#put(vertex);
  }

  change(vertex: number, degree: number): void {
    if (this.#degrees[vertex] === degree) return;
    this.#degrees[vertex] = degree;
    this.#put(vertex);
    this.#lowest = Math.min(this.#lowest, degree);
  }

  /** Records that a vertex which this one waits for has been eliminated. */
  approach(vertex: number): void {
    this.#waiting[vertex] = (this.#waiting[vertex] as number) - 1;
    this.#put(vertex);
    this.#lowest = Math.min(this.#lowest, this.#degrees[vertex] as number);
  }

  takeSmallest(): number {
    for (;;) {
      const bucket = this.#buckets.get(this.#lowest);
      const vertex = bucket?.pop();
      if (vertex === undefined) {
        if (this.#lowest > this.#highest) throw new NodriftError("MEMORY", CYCLE);
        this.#lowest++;
      } else if (!this.#taken.has(vertex) && this.#degrees[vertex] === this.#lowest) {
        this.#taken.add(vertex);
        return vertex;
      }
    }
  }

  #put(vertex: number): void {
    if (this.#waiting[vertex] !== 0) return;
    const degree = this.#degrees[vertex] as number;
    this.#highest = Math.max(this.#highest, degree);
    const bucket = this.#buckets.get(degree);
    if (bucket) bucket.push(vertex);
    else this.#buckets.set(degree, [vertex]);
  }
}

/** Memory layout of a factor. */
interface Storage {
  readonly rows: number;
  readonly firstRow: readonly number[];
  /** Slot in a padded right-hand side, by constraint. */
  readonly vector: readonly number[];
  readonly vectorSlots: number;
  readonly blockSlots: number;
  /** Place of each constraint in the order of elimination. */
  readonly position: Int32Array;
  /** For each constraint, the slots of the blocks whose rows belong to it or to later ones. */
  readonly slots: readonly ReadonlyMap<number, number>[];
}

/**
 * Stores columns in the order of elimination, diagonal block first, so that the factorisation runs through memory in
 * order.
 */
function layOut({ constraints }: ConstraintGraph, { order, below }: Elimination): Storage {
  const firstRow: number[] = [];
  let rows = 0;
  for (const constraint of constraints) {
    firstRow.push(rows);
    rows += constraint.rows;
  }
  const vector = new Array<number>(constraints.length);
  const position = new Int32Array(constraints.length);
  const slots = new Array<Map<number, number>>(constraints.length);
  let vectorSlots = 0;
  let blockSlots = 0;
  order.forEach((column, place) => {
    const width = constraints[column]!.rows;
    position[column] = place;
    vector[column] = vectorSlots;
    vectorSlots += padToTwo(width);
    const own = new Map([[column, blockSlots]]);
    blockSlots += padToTwo(width) * width;
    for (const row of below[column]!) {
      own.set(row, blockSlots);
      blockSlots += padToTwo(constraints[row]!.rows) * width;
    }
    slots[column] = own;
  });
  return { rows, firstRow, vector, vectorSlots, blockSlots, position, slots };
}

/**
 * The columns of the factor, the blocks below their diagonals, and for each two blocks of a column the block from which
 * their product is subtracted; -1 if not needed.
 */
function factorTables(
  { constraints }: ConstraintGraph,
  { order, below }: Elimination,
  { slots, firstRow, vector }: Storage,
): [Int32Array, Int32Array, Int32Array] {
  let [blockCount, updateCount] = [0, 0];
  for (const { length } of below) {
    blockCount += length;
    updateCount += (length * (length + 1)) / 2;
  }
  const columns = new Int32Array(SparseColumn.LENGTH * order.length);
  const blocks = new Int32Array(SparseBlock.LENGTH * blockCount);
  const updates = new Int32Array(updateCount);
  let [block, update] = [0, 0];
  for (const [place, column] of order.entries()) {
    checkLimits();
    const rows = below[column]!;
    const own = slots[column]!;
    const at = SparseColumn.LENGTH * place;
    columns[at + SparseColumn.ROWS] = constraints[column]!.rows;
    columns[at + SparseColumn.FIRST_ROW] = firstRow[column]!;
    columns[at + SparseColumn.VECTOR] = vector[column]!;
    columns[at + SparseColumn.DIAGONAL] = own.get(column)!;
    columns[at + SparseColumn.FIRST_BLOCK] = block;
    columns[at + SparseColumn.BLOCK_COUNT] = rows.length;
    columns[at + SparseColumn.FIRST_UPDATE] = update;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const to = SparseBlock.LENGTH * block++;
      blocks[to + SparseBlock.SLOT] = own.get(row)!;
      blocks[to + SparseBlock.ROWS] = constraints[row]!.rows;
      blocks[to + SparseBlock.VECTOR] = vector[row]!;
      for (let k = 0; k <= i; k++) updates[update++] = slots[rows[k]!]!.get(row) ?? -1;
    }
  }
  return [columns, blocks, updates];
}

/** Every body of every constraint. */
interface Incidences {
  readonly table: Int32Array;
  readonly slots: number;
  readonly slotOf: readonly (readonly number[])[];
  /** Indices of the incidences on each body, with their constraints. */
  readonly onBody: readonly (readonly { incidence: number; constraint: number }[])[];
}

function listIncidences({
  bodyCount,
  bodySize,
  bodySizes,
  constraints,
}: ConstraintGraph): Incidences {
  const count = constraints.reduce((sum, { bodies }) => sum + bodies.length, 0);
  const table = new Int32Array(SparseIncidence.LENGTH * count);
  const onBody = Array.from(
    { length: bodyCount },
    () => [] as { incidence: number; constraint: number }[],
  );
  let [slots, firstRow, incidence] = [0, 0, 0];
  const slotOf = constraints.map(({ rows, bodies }, constraint) => {
    const own: number[] = [];
    for (const body of bodies) {
      own.push(slots);
      onBody[body]?.push({ incidence, constraint });
      const at = SparseIncidence.LENGTH * incidence++;
      table[at + SparseIncidence.BODY] = body;
      table[at + SparseIncidence.ROWS] = rows;
      table[at + SparseIncidence.SLOT] = slots;
      table[at + SparseIncidence.FIRST_ROW] = firstRow;
      slots += rows * (bodySizes?.[body] ?? bodySize);
    }
    firstRow += rows;
    return own;
  });
  return { table, slots, slotOf, onBody };
}

/**
 * All pairs of constraints on a body, the later one first: the terms of S. Pairs with the same earlier constraint are
 * adjacent.
 */
function pairTable(
  { bodyCount }: ConstraintGraph,
  { position, slots }: Storage,
  { onBody }: Incidences,
): number[] {
  const table: number[] = [];
  for (let body = 0; body < bodyCount; body++) {
    for (const column of onBody[body]!) {
      for (const row of onBody[body]!) {
        if (position[column.constraint]! > position[row.constraint]!) continue;
        const slot = slots[column.constraint]!.get(row.constraint);
        // In the order of SparsePair.
        if (slot !== undefined) table.push(row.incidence, column.incidence, slot);
      }
    }
  }
  return table;
}

/** A record of a table, by its fields. */
export function record(
  length: number,
  fields: readonly (readonly [number, number | undefined])[],
): number[] {
  const values = new Array<number>(length).fill(0);
  for (const [field, value] of fields) values[field] = value as number;
  return values;
}

/** Joins head and parts in one array; the head holds the offsets of the parts. */
function joinTable(
  parts: readonly ArrayLike<number>[],
  head: readonly (readonly [number, number])[],
): Int32Array {
  const values = record(SparseTable.LENGTH, head);
  let offset = values.length;
  parts.forEach((part, index) => {
    values[SparseTable.COLUMNS + index] = offset;
    offset += part.length;
  });
  const table = new Int32Array(offset);
  table.set(values);
  parts.forEach((part, index) => {
    table.set(part, values[SparseTable.COLUMNS + index]);
  });
  return table;
}
