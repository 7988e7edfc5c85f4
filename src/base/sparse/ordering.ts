import { NodriftError } from "../errors.js";
import { checkLimits } from "../run-limits.js";

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
  const queue = new DegreeQueue(
    links.map((set) => weightOf(set, weights)),
    waiting,
  );
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
      for (const third of clique) if (third !== other) set.add(third);
      queue.change(other, weightOf(set, weights));
    }
    for (const other of waiters[vertex] ?? []) queue.approach(other);
  }
  const place = (vertex: number) => position[vertex] as number;
  return { order, below: links.map((set) => [...set].sort((a, b) => place(a) - place(b))) };
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
