// Multipliers of the present motion: M a = Q + J^T lambda.
//
// The accelerations come from the solver of the motion, with one set of multipliers l. Where rows repeat
// others, l + N c does as well for every c, N being the null vectors of J^T: the motion does not say how
// the load is shared. Parts that give way a little do: of all sets that with the least compliance energy
// sum c_i l_i^2 / 2 is taken,
//
//   (N^T C N) c = -N^T C l.
//
// Rows that are in no null vector are unique: nothing is assumed about them.

import type { Plan } from "./plan.js";
import type { Probe, ReadModel } from "./readout-probe.js";
import type { NullVector } from "./redundancy-vectors.js";

/** Multipliers, and the rows among them that rest on an assumption. */
export interface Multipliers {
  readonly values: Float64Array;
  readonly shared: ReadonlySet<number>;
}

export class Reactions {
  readonly #probe: Probe;
  readonly #compliance: Float64Array;

  constructor(model: ReadModel, probe: Probe) {
    this.#probe = probe;
    this.#compliance = complianceOf(model.plan, model.length);
  }

  /** Accelerations of the present motion: linear in the world, angular in the axes of the body. */
  accelerations(): Float64Array {
    return this.#motion().accelerations;
  }

  multipliers(): Multipliers {
    return this.#probe.once("multipliers", () => this.#share());
  }

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
      system.solver("auto").multipliers(system.gamma(), rows.address);
      system.jacobianTransposeTimes(rows.address, vector.address);
      const { kernels } = arena;
      kernels.axpy(system.velocities, 1, system.forces(), vector.address, vector.address);
      system.solver("auto").massSolve(vector.address, vector.address);
      return {
        accelerations: arena.floats(vector).slice(),
        multipliers: arena.floats(rows).slice(),
      };
    });
  }

  #share(): Multipliers {
    const { multipliers } = this.#motion();
    const vectors = this.nullVectors();
    if (vectors.length === 0) return { values: multipliers, shared: new Set() };
    const values = multipliers.slice();
    minimise(values, vectors, this.#compliance);
    this.#probe.nulls?.balance(this.#probe.present, multipliers, values);
    return { values, shared: new Set(vectors.flatMap(({ rows }) => rows)) };
  }
}

/** Compliance of each row: as given, or 1 for forces and 1 / L^2 for torques. */
function complianceOf({ blocks, model, rows }: Plan, length: number): Float64Array {
  const compliance = new Float64Array(rows);
  const usual = { force: 1, torque: 1 / length ** 2 };
  for (const { block, joint, firstRow } of blocks) {
    const given = model.joints[joint]?.compliance;
    const named = [...block.rows, ...(block.user ? [block.user] : [])].flatMap(({ names, unit }) =>
      names.map((name) => given?.[name] ?? usual[unit]),
    );
    compliance.set(named, firstRow);
  }
  return compliance;
}

/**
 * values += N c with the least sum of C values^2: conjugate gradients, scaled by the diagonal (Golub & Van
 * Loan, 4th ed., section 11.5). N is sparse, as null vectors belong to loops. A second run takes out
 * the rounding of the first.
 */
function minimise(
  values: Float64Array,
  vectors: readonly NullVector[],
  compliance: Float64Array,
): void {
  const count = vectors.length;
  const combined = new Float64Array(values.length);
  const diagonal = vectors.map(({ rows, values: own }) =>
    rows.reduce((sum, row, i) => sum + compliance[row]! * own[i]! ** 2, 0),
  );
  for (let run = 0; run < 2; run++) {
    const residual = gradient(vectors, compliance, values).map((x) => -x);
    const c = new Float64Array(count);
    const scaled = residual.map((x, k) => (diagonal[k]! > 0 ? x / diagonal[k]! : 0));
    const direction = scaled.slice();
    let square = dot(residual, scaled);
    const enough = 1e-32 * square;
    for (let step = 0; step < 4 * count + 20 && square > enough; step++) {
      combine(vectors, direction, combined);
      const product = gradient(vectors, compliance, combined);
      const length = square / dot(direction, product);
      if (!Number.isFinite(length)) break;
      for (let k = 0; k < count; k++) {
        c[k] = c[k]! + length * direction[k]!;
        residual[k] = residual[k]! - length * product[k]!;
        scaled[k] = diagonal[k]! > 0 ? residual[k]! / diagonal[k]! : 0;
      }
      const next = dot(residual, scaled);
      for (let k = 0; k < count; k++) direction[k] = scaled[k]! + (next / square) * direction[k]!;
      square = next;
    }
    combine(vectors, c, combined);
    for (let i = 0; i < values.length; i++) values[i] = values[i]! + combined[i]!;
  }
}

/** N^T C u. */
function gradient(
  vectors: readonly NullVector[],
  compliance: Float64Array,
  u: Float64Array,
): Float64Array {
  return Float64Array.from(vectors, ({ rows, values }) =>
    rows.reduce((sum, row, i) => sum + values[i]! * compliance[row]! * u[row]!, 0),
  );
}

/** out = N c. */
function combine(vectors: readonly NullVector[], c: Float64Array, out: Float64Array): void {
  out.fill(0);
  vectors.forEach(({ rows, values }, k) => {
    rows.forEach((row, i) => {
      out[row] = out[row]! + c[k]! * values[i]!;
    });
  });
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, x, i) => sum + x * b[i]!, 0);
}
