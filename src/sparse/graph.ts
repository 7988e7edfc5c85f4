import { NodriftError } from "../errors.js";

/** Which bodies each constraint touches. Bodies that cannot move are not listed. */
export interface ConstraintGraph {
  readonly bodyCount: number;
  /** Coordinates of a body: 6 for rigid bodies in space, 3 in the plane or for points. */
  readonly bodySize: number;
  readonly constraints: readonly {
    readonly rows: number;
    readonly bodies: readonly number[];
  }[];
}

/** Refuses a graph that names what is not there. */
export function validateGraph({ bodyCount, bodySize, constraints }: ConstraintGraph): void {
  const wrong = (what: string) => new NodriftError("MEMORY", `constraint graph: ${what}`);
  if (!(Number.isInteger(bodyCount) && bodyCount >= 0)) throw wrong(`bodyCount is ${bodyCount}`);
  if (!(Number.isInteger(bodySize) && bodySize > 0)) throw wrong(`bodySize is ${bodySize}`);
  constraints.forEach(({ rows, bodies }, index) => {
    if (!(Number.isInteger(rows) && rows > 0)) {
      throw wrong(`constraint ${index} has ${rows} rows; it needs at least one`);
    }
    if (new Set(bodies).size < bodies.length) throw wrong(`constraint ${index} lists a body twice`);
    const bad = bodies.find((body) => !(Number.isInteger(body) && body >= 0 && body < bodyCount));
    if (bad !== undefined) {
      throw wrong(`constraint ${index} names body ${bad}; there are ${bodyCount}`);
    }
  });
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
