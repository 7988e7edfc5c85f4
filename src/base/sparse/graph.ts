import { listOf, needed, options, optionsOf, type Shape, whole } from "../checking/index.js";
import { NodriftError } from "../errors.js";

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
export function checkedGraph(given: ConstraintGraph): ConstraintGraph {
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
export function coupledConstraints({ bodyCount, constraints }: ConstraintGraph): Set<number>[] {
  const onBody = Array.from({ length: bodyCount }, () => [] as number[]);
  constraints.forEach(({ bodies }, index) => {
    for (const body of bodies) onBody[body]?.push(index);
  });
  return constraints.map(({ bodies }, index) => {
    const set = new Set(bodies.flatMap((body) => onBody[body] ?? []));
    set.delete(index);
    return set;
  });
}
