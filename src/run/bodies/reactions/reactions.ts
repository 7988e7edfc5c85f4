// Multipliers of the present motion: M a = Q + J^T lambda.
//
// The accelerations come from the solver of the motion, with one set of multipliers l. With redundant rows, l + N c is
// a solution as well for every c, N being the null vectors of J^T: the motion does not determine how the load is
// shared. Compliance of the parts does: of all sets that with the least compliance energy sum c_i l_i^2 / 2 is taken,
//
//   (N^T C N) c = -N^T C l,
//
// in linkages that move in a plane after what acts across it: see reactions-planar.ts. Both steps are linear in
// the load, so that a small load changes reactions by little. "Zero if possible, else by compliance"
// would not be: a trace of thrust would bring all of it back.
//
// Rows that are in no null vector are unique: nothing is assumed about them.

import { Components } from "../../../systems/bodies/plan/spanning-tree.js";
import type { NullVector } from "../../../systems/bodies/redundancy/null-vectors.js";
import type { Probe, ReadModel } from "../probe/probe.js";
import { type Compliances, compliancesOf } from "./compliance.js";
import { type Parts, type Sums, shareBetween } from "./least-reactions.js";
import { Wrenches } from "./reactions-planar.js";

/** Rows that share a load with each other. */
export interface SharingRows {
  readonly rows: ReadonlySet<number>;
  readonly vectors: readonly NullVector[];
  /** What acts across the plane they hold a linkage in, where that decides how they share. */
  readonly across: Sums | undefined;
}

/** Multipliers, and the rows among them that rest on an assumption. */
export interface Multipliers {
  readonly values: Float64Array;
  readonly shared: ReadonlySet<number>;
  readonly groups: readonly SharingRows[];
}

export class Reactions {
  readonly compliances: Compliances;
  readonly #model: ReadModel;
  readonly #probe: Probe;
  /** Block of each row. */
  readonly #blockOf: readonly number[];
  readonly #rows: Float64Array;

  constructor(model: ReadModel, probe: Probe) {
    this.#model = model;
    this.#probe = probe;
    this.#rows = probe.arena.floats(probe.rows);
    this.compliances = compliancesOf(model.plan, model.length);
    this.#blockOf = model.plan.blocks.flatMap(({ rows }, block) => Array<number>(rows).fill(block));
  }

  /** Accelerations of the present motion: linear in the world, angular in the axes of the body. */
  accelerations(): Float64Array {
    return this.#motion().accelerations;
  }

  multipliers(): Multipliers {
    return this.#probe.once("multipliers", () => this.#share());
  }

  /**
   * The solver's own multipliers, in memory that is used again: steps that read them make no objects. Those of rows that are in no null vector are
   * the values of {@link multipliers}.
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

  /** Null vectors of J^T at the present pose. */
  nullVectors(): readonly NullVector[] {
    const { nulls } = this.#probe;
    if (!nulls) return [];
    return this.#probe.once("null vectors", () => nulls.vectors(this.#probe.present));
  }

  /** Accelerations and the solver's own multipliers. */
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

  /** Null vectors that have rows in common. */
  #groups(vectors: readonly NullVector[]): SharingRows[] {
    const joined = new Components(this.#probe.system.constraints.rows);
    for (const { row, rows } of vectors) for (const other of rows) joined.join(row, other);
    const byRoot = new Map<number, NullVector[]>();
    for (const vector of vectors) {
      const root = joined.rootOf(vector.row);
      const known = byRoot.get(root);
      if (known) known.push(vector);
      else byRoot.set(root, [vector]);
    }
    const wrenches = new Wrenches(this.#model, this.#probe);
    return [...byRoot.values()].map((own) => {
      const rows = new Set(own.flatMap((vector) => vector.rows));
      return { rows, vectors: own, across: this.#acrossOf(rows, wrenches) };
    });
  }

  /** Undefined outside planes, and where compliances given for what acts across one say how it is shared. */
  #acrossOf(rows: ReadonlySet<number>, wrenches: Wrenches): Sums | undefined {
    const blocks = [...new Set([...rows].map((row) => this.#blockOf[row]!))];
    const normal = wrenches.normalOf(blocks);
    if (normal === undefined) return undefined;
    const partsOf = new Map<number, Parts>();
    for (const [place, block] of blocks.entries()) {
      const places = [place, blocks.length + 2 * place, blocks.length + 2 * place + 1];
      const { firstRow } = this.#model.plan.blocks[block]!;
      for (const [i, parts] of wrenches.across(block, normal).entries()) {
        const entries = parts.map((part, k) => [places[k]!, part] as const);
        const own = entries.filter(([, part]) => part !== 0);
        if (own.length > 0) partsOf.set(firstRow + i, own);
      }
    }
    const isGiven = [...partsOf.keys()].some((row) => this.compliances.given.has(row));
    return isGiven ? undefined : { partsOf, forces: blocks.length, count: 3 * blocks.length };
  }
}
