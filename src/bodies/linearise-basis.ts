// A basis of the displacements that rows of J allow, orthonormal in the metric of the masses. Dense, for
// mechanisms of some dozens of bodies.

import { BODY_VELOCITIES, BodyMass, Want } from "../../assembly/layout-bodies.js";
import { complement, dot, orthonormal } from "./gram-schmidt.js";
import type { Probe } from "./readout-probe.js";

/** Squared length, relative to what it was, below which a vector depends on others. */
const DEPENDENT = 1e-9;

export class BasisFinder {
  readonly #probe: Probe;
  readonly #masses: Float64Array;
  readonly #metric = (x: Float64Array) => this.massTimes(x);

  constructor(probe: Probe) {
    this.#probe = probe;
    this.#masses = probe.arena.floats(probe.system.segments.masses);
  }

  /** Displacements that the first rows allow, at the trial state. */
  basis(rows: number): Float64Array[] {
    const forbidden = this.jacobian(rows).map((x) =>
      this.massTimes(x, BodyMass.INVERSE_MASS, BodyMass.INVERSE_INERTIA),
    );
    const across = orthonormal(forbidden, [], { tolerance: DEPENDENT }, this.#metric);
    return complement(across, this.#probe.system.velocities, this.#metric);
  }

  /** x^T M y for each x. */
  components(basis: readonly Float64Array[], y: Float64Array): number[] {
    const momenta = this.massTimes(y);
    return basis.map((x) => dot(x, momenta));
  }

  /** The first rows of J at the trial state. */
  jacobian(rows: number): Float64Array[] {
    const { system, jacobian } = this.#probe;
    const { plan, velocities } = system;
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

  /** M x: or, with the fields of the inverse, M^-1 x. */
  massTimes(x: Float64Array, scalar = BodyMass.MASS, tensor = BodyMass.INERTIA): Float64Array {
    const out = new Float64Array(x.length);
    for (let body = 0; body < x.length / BODY_VELOCITIES; body++) {
      const [mass, first] = [BodyMass.LENGTH * body, BODY_VELOCITIES * body];
      for (let i = 0; i < 3; i++) {
        out[first + i] = this.#masses[mass + scalar]! * x[first + i]!;
        let sum = 0;
        for (let j = 0; j < 3; j++) {
          sum += this.#masses[mass + tensor + 3 * j + i]! * x[first + 3 + j]!;
        }
        out[first + 3 + i] = sum;
      }
    }
    return out;
  }
}
