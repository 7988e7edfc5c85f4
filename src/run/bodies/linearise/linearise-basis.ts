// A basis of the displacements that the rows of J allow, orthonormal in the metric of the masses. Dense, for
// mechanisms of some dozens of bodies.

import { BODY_VELOCITIES, BodyMass, Want } from "../../../../assembly/layout-bodies.js";
import { complement, dot, orthonormal, type Until } from "../../../base/algebra/gram-schmidt.js";
import type { Probe } from "../probe/probe.js";

/** Squared length, relative to the original one, below which a row depends on others. */
const DEPENDENCE_TOLERANCE = 1e-9;

export class BasisFinder {
  readonly #probe: Probe;
  readonly #masses: Float64Array;
  readonly #length: number;

  constructor(probe: Probe, length: number) {
    this.#probe = probe;
    this.#masses = probe.arena.floats(probe.system.segments.masses);
    this.#length = length;
  }

  /**
   * Returns a basis of the displacements that the first rows allow, at the trial state. Dependence of rows is
   * decided by geometry, with lengths measured in lengths of the model: in the metric of the masses, rows that share
   * the rotations of a body with almost no inertia look alike. Held coordinates do not move either.
   */
  basis(
    rows: number,
    held: readonly number[] = [],
    { tolerance = DEPENDENCE_TOLERANCE, most = rows }: Pick<Until, "tolerance" | "most"> = {},
  ): Float64Array[] {
    const scaled = (x: Float64Array) =>
      x.map((value, i) => (i % 6 < 3 ? this.#length * value : value));
    const { velocities } = this.#probe.system.coordinates;
    const units = held.map((index) => new Float64Array(velocities).fill(1, index, index + 1));
    const fixed = [...this.jacobian(rows).map(scaled), ...units];
    const across = orthonormal(fixed, [], { tolerance, most: most + held.length });
    const free = complement(across, velocities).map(scaled);
    return orthonormal(free, [], { count: free.length }, (x) => this.massTimes(x));
  }

  /** Returns x^T M y for each x. */
  components(basis: readonly Float64Array[], y: Float64Array): number[] {
    const momenta = this.massTimes(y);
    return basis.map((x) => dot(x, momenta));
  }

  /** Returns the first rows of J at the trial state. */
  jacobian(rows: number): Float64Array[] {
    const { system, jacobian } = this.#probe;
    const { plan } = system;
    const { velocities } = system.coordinates;
    system.require(Want.PHI | Want.JACOBIAN);
    const vectors = Array.from({ length: rows }, () => new Float64Array(velocities));
    plan.blocks.forEach(({ bodies, firstRow, rows: count }, index) => {
      if (firstRow >= rows) return;
      bodies.forEach((body, place) => {
        const slot = plan.sparse.jacobianSlotOf[index]![place]!;
        for (let row = 0; row < count; row++) {
          const from = slot + BODY_VELOCITIES * row;
          const six = jacobian.subarray(from, from + BODY_VELOCITIES);
          vectors[firstRow + row]!.set(six, BODY_VELOCITIES * body);
        }
      });
    });
    return vectors;
  }

  /** Returns M x. */
  massTimes(x: Float64Array): Float64Array {
    const out = new Float64Array(x.length);
    for (let body = 0; body < x.length / BODY_VELOCITIES; body++) {
      const [mass, first] = [BodyMass.LENGTH * body, BODY_VELOCITIES * body];
      for (let i = 0; i < 3; i++) {
        out[first + i] = this.#masses[mass + BodyMass.MASS]! * x[first + i]!;
        let sum = 0;
        for (let j = 0; j < 3; j++) {
          sum += this.#masses[mass + BodyMass.INERTIA + 3 * j + i]! * x[first + 3 + j]!;
        }
        out[first + 3 + i] = sum;
      }
    }
    return out;
  }
}
