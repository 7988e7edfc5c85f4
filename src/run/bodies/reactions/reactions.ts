// Multipliers of the present motion: M a = Q + J^T lambda.
//
// The accelerations come from the solver of the motion, with one set of multipliers l. With redundant rows, l + N c is
// a solution as well for every c, N being the null vectors of J^T: the motion does not determine how the load is
// shared. Compliance of the parts does. Among all solutions the one of minimum compliance energy sum c_i l_i^2 / 2 is
// taken:
//
//   (N^T C N) c = -N^T C l,
//
// In planar linkages the loads across the plane are minimised first: see reactions-planar.ts. Both steps are linear in
// the load, so that a small load changes reactions only slightly. "Zero if possible, else by compliance"
// would not be linear: a trace of thrust would restore all of it.
//
// Rows that are in no null vector are unique and need no assumption.

import { power } from "../../../base/algebra/portable-power.js";
import { Components } from "../../../systems/bodies/plan/loops.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import type { NullVector } from "../../../systems/bodies/redundancy/redundancy.js";
import type { Probe, ReadModel } from "../probe/probe.js";
import { minimise, type Sparse, separate } from "./load-sharing.js";
import { Wrenches } from "./reactions-planar.js";

// Load sharing among redundant rows: first minimise out-of-plane reactions, then compliance energy.

/** Contributions of a row to sums over joints: indices of the sums, and factors. */
type SumTerms = readonly (readonly [place: number, factor: number])[];

/** Sums that are minimised before the compliance energy: sums of forces, then sums of torques. */
interface Sums {
  /** Contributions of every row that takes part in a sum. */
  readonly partsOf: ReadonlyMap<number, SumTerms>;
  readonly forces: number;
  readonly count: number;
}

/** Relative size of a sum treated as zero, among its terms. */
const SUM_TOLERANCE = 1e-8;

/**
 * Changes multipliers by null vectors: minimises the squares of the first sums, then with the remaining freedom those
 * of the other sums, and then the compliance energy. Sums are appended to the multipliers, in the values as in the null
 * vectors, and are minimised in the same way.
 */
function shareBetween(
  multipliers: Float64Array,
  vectors: readonly Sparse[],
  compliance: Float64Array,
  sums?: Sums,
): void {
  const { partsOf = new Map<number, SumTerms>(), forces = 0, count = 0 } = sums ?? {};
  const rows = [...new Set([...vectors.flatMap((vector) => vector.rows), ...partsOf.keys()])];
  const indexOf = new Map(rows.map((row, index) => [row, index]));
  const [first, torques, end] = [rows.length, rows.length + forces, rows.length + count];
  const extended = (members: readonly number[], numbers: readonly number[]): Sparse => {
    const more = summed(members, numbers, partsOf);
    return {
      rows: [...members.map((row) => indexOf.get(row)!), ...more.map(([index]) => first + index)],
      values: [...numbers, ...more.map(([, sum]) => sum)],
    };
  };
  const values = new Float64Array(end);
  const start = extended(
    rows,
    rows.map((row) => multipliers[row]!),
  );
  for (const [i, index] of start.rows.entries()) values[index] = start.values[i]!;
  const along = separate(
    vectors.map((vector) => extended(vector.rows, vector.values)),
    first,
    torques,
  );
  const tilting = separate(along.rest, torques, end);
  minimise(values, along.own, new Float64Array(end).fill(1, first, torques));
  minimise(values, tilting.own, new Float64Array(end).fill(1, torques));
  const weights = new Float64Array(end);
  weights.set(rows.map((row) => compliance[row]!));
  minimise(values, tilting.rest, weights);
  for (const [index, row] of rows.entries()) multipliers[row] = values[index]!;
}

function summed(
  rows: readonly number[],
  numbers: readonly number[],
  partsOf: ReadonlyMap<number, SumTerms>,
): [place: number, sum: number][] {
  const found = new Map<number, [sum: number, size: number]>();
  for (const [i, row] of rows.entries()) {
    for (const [index, factor] of partsOf.get(row) ?? []) {
      const [sum, size] = found.get(index) ?? [0, 0];
      const term = factor * numbers[i]!;
      found.set(index, [sum + term, size + Math.abs(term)]);
    }
  }
  return [...found].flatMap(([index, [sum, size]]): [number, number][] =>
    Math.abs(sum) > SUM_TOLERANCE * size ? [[index, sum]] : [],
  );
}

// Compliance of joint rows, for loads whose sharing the motion does not determine.

interface Compliances {
  /** Compliance of each row: length for a force, angle for a torque. */
  readonly values: Float64Array;
  /** Rows with a compliance given by the user. */
  readonly given: ReadonlySet<number>;
  /** Compliances assumed for the other rows. */
  readonly assumed: { readonly force: number; readonly torque: number };
}

/**
 * Returns the compliances of all rows; only their ratios matter. Rows without a given compliance get the geometric mean
 * of those given for rows of their kind: one bearing of 1e-6 m/N among others of 1 m/N would carry everything. If only
 * forces have one, torques get theirs by a characteristic length L: a torque of F L rotates by x / L if a force F moves
 * by x, so that it is 1 / L^2 times as large. Zeros, which stand for rigid rows, are excluded from the mean.
 */
function compliancesOf({ blocks, model }: Plan, length: number): Compliances {
  const rows = blocks.flatMap(({ block, joint }) => {
    const given = model.joints[joint]?.compliance;
    return [...block.rows, ...(block.user ? [block.user] : [])].flatMap(({ names, unit }) =>
      names.map((name) => ({ unit, compliance: given?.[name] })),
    );
  });
  const mean = (kind: "force" | "torque") =>
    geometricMean(
      rows.flatMap(({ unit, compliance = 0 }) =>
        unit === kind && compliance > 0 ? [compliance] : [],
      ),
    );
  const [force, torque] = [mean("force"), mean("torque")];
  const square = length ** 2;
  const assumed = {
    force: force ?? (torque === undefined ? 1 : torque * square),
    torque: torque ?? (force ?? 1) / square,
  };
  return {
    values: Float64Array.from(rows, ({ unit, compliance }) => compliance ?? assumed[unit]),
    given: new Set(rows.flatMap(({ compliance }, row) => (compliance === undefined ? [] : [row]))),
    assumed,
  };
}

/** Returns the geometric mean; undefined for an empty list. Equal values are unchanged. */
function geometricMean(values: readonly number[]): number | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  return values.reduce((mean, value) => mean * power(value / first, 1 / values.length), first);
}

/** Rows that share a load. */
export interface SharingRows {
  readonly rows: ReadonlySet<number>;
  readonly vectors: readonly NullVector[];
  /** Loads across the plane of a linkage, if they decide the sharing. */
  readonly across: Sums | undefined;
}

/** Multipliers, and the rows whose values rest on an assumption. */
export interface Multipliers {
  readonly values: Float64Array;
  readonly shared: ReadonlySet<number>;
  readonly groups: readonly SharingRows[];
}

export class Reactions {
  readonly compliances: Compliances;
  readonly #model: ReadModel;
  readonly #probe: Probe;
  /** Index of the block of each row. */
  readonly #blockOf: readonly number[];
  readonly #rows: Float64Array;

  constructor(model: ReadModel, probe: Probe) {
    this.#model = model;
    this.#probe = probe;
    this.#rows = probe.arena.floats(probe.rows);
    this.compliances = compliancesOf(model.plan, model.length);
    this.#blockOf = model.plan.blocks.flatMap(({ rows }, block) => Array<number>(rows).fill(block));
  }

  /** Returns the accelerations of the present motion: linear in the world, angular in the axes of the body. */
  accelerations(): Float64Array {
    return this.#motion().accelerations;
  }

  multipliers(): Multipliers {
    return this.#probe.once("multipliers", () => this.#share());
  }

  /**
   * Returns the solver's own multipliers, in memory that is reused, so that steps that read them allocate nothing. For
   * rows in no null vector they are the values of {@link multipliers}.
   */
  ownMultipliers(): Float64Array {
    this.#probe.load();
    this.#probe.guarded(this.#solve);
    return this.#rows;
  }

  readonly #solve = () => {
    const { system, rows } = this.#probe;
    system.dynamics.solver("auto").multipliers(system.constraints.gamma(), rows.address);
  };

  /** Returns the null vectors of J^T at the present pose. */
  nullVectors(): readonly NullVector[] {
    const { nulls } = this.#probe;
    if (!nulls) return [];
    return this.#probe.once("null vectors", () => nulls.vectors(this.#probe.present));
  }

  /** Computes accelerations and the solver's own multipliers. */
  #motion(): { accelerations: Float64Array; multipliers: Float64Array } {
    const probe = this.#probe;
    return probe.once("motion", () => {
      const { system, arena, rows, vector } = probe;
      this.#solve();
      system.constraints.jacobianTransposeTimes(rows.address, vector.address);
      const { kernels } = arena;
      kernels.axpy(
        system.coordinates.velocities,
        1,
        system.dynamics.forces(),
        vector.address,
        vector.address,
      );
      system.dynamics.solver("auto").massSolve(vector.address, vector.address);
      return {
        accelerations: arena.floats(vector).slice(),
        multipliers: arena.floats(rows).slice(),
      };
    });
  }

  #share(): Multipliers {
    const { multipliers } = this.#motion();
    const vectors = this.nullVectors();
    if (vectors.length === 0) return { values: multipliers, shared: new Set(), groups: [] };
    const groups = this.#groups(vectors);
    const values = multipliers.slice();
    for (const group of groups) {
      shareBetween(values, group.vectors, this.compliances.values, group.across);
    }
    this.#probe.nulls?.balance(this.#probe.present, multipliers, values);
    return { values, shared: new Set(vectors.flatMap(({ rows }) => rows)), groups };
  }

  /** Groups null vectors that have rows in common. */
  #groups(vectors: readonly NullVector[]): SharingRows[] {
    const joined = new Components(this.#probe.system.constraints.rows);
    for (const { row, rows } of vectors) for (const other of rows) joined.join(row, other);
    const byRoot = new Map<number, NullVector[]>();
    for (const vector of vectors) {
      const root = joined.rootOf(vector.row);
      const group = byRoot.get(root);
      if (group) group.push(vector);
      else byRoot.set(root, [vector]);
    }
    const wrenches = new Wrenches(this.#model, this.#probe);
    return [...byRoot.values()].map((own) => {
      const rows = new Set(own.flatMap((vector) => vector.rows));
      return { rows, vectors: own, across: this.#acrossOf(rows, wrenches) };
    });
  }

  /** Returns undefined outside planes, and if compliances given for loads across the plane decide their sharing. */
  #acrossOf(rows: ReadonlySet<number>, wrenches: Wrenches): Sums | undefined {
    const blocks = [...new Set([...rows].map((row) => this.#blockOf[row]!))];
    const normal = wrenches.normalOf(blocks);
    if (normal === undefined) return undefined;
    const partsOf = new Map<number, SumTerms>();
    for (const [index, block] of blocks.entries()) {
      const indices = [index, blocks.length + 2 * index, blocks.length + 2 * index + 1];
      const { firstRow } = this.#model.plan.blocks[block]!;
      for (const [i, parts] of wrenches.across(block, normal).entries()) {
        const entries = parts.map((part, k) => [indices[k]!, part] as const);
        const own = entries.filter(([, part]) => part !== 0);
        if (own.length > 0) partsOf.set(firstRow + i, own);
      }
    }
    const isGiven = [...partsOf.keys()].some((row) => this.compliances.given.has(row));
    return isGiven ? undefined : { partsOf, forces: blocks.length, count: 3 * blocks.length };
  }
}
