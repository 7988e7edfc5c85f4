// A basis of the displacements that rows of J allow, orthonormal in the metric of the masses. Dense, for
// mechanisms of some dozens of bodies: modified Gram-Schmidt with the largest vector next, each vector
// orthogonalised twice (Golub & Van Loan, 4th ed., section 5.2.8; "twice is enough").

import { BODY_VELOCITIES, BodyMass, Want } from "../../assembly/layout-bodies.js";
import type { Probe } from "./readout-probe.js";

/** Squared length, relative to what it was, below which a vector depends on others. */
const DEPENDENT = 1e-9;

export class BasisFinder {
  readonly #probe: Probe;
  readonly #masses: Float64Array;

  constructor(probe: Probe) {
    this.#probe = probe;
    this.#masses = probe.arena.floats(probe.system.segments.masses);
  }

  /** Displacements that the first rows allow, at the trial state. */
  basis(rows: number): Float64Array[] {
    const { system } = this.#probe;
    const { velocities } = system;
    system.require(Want.PHI | Want.JACOBIAN);
    const across = this.#orthonormal(this.#forbidden(rows), []);
    const units = Array.from({ length: velocities }, (_, i) => {
      const unit = new Float64Array(velocities);
      unit[i] = 1;
      return unit;
    });
    return this.#orthonormal(units, across, velocities - across.length);
  }

  /** x^T M y for each x. */
  components(basis: readonly Float64Array[], y: Float64Array): number[] {
    const momenta = this.#massTimes(y);
    return basis.map((x) => dot(x, momenta));
  }

  /** M^-1 J^T: one vector for each row. */
  #forbidden(rows: number): Float64Array[] {
    const { system, jacobian } = this.#probe;
    const { plan, velocities } = system;
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
    return vectors.map((x) => this.#massTimes(x, BodyMass.INVERSE_MASS, BodyMass.INVERSE_INERTIA));
  }

  /** An orthonormal basis of some vectors, all orthogonal to others: of a certain number, if given. */
  #orthonormal(
    vectors: readonly Float64Array[],
    others: readonly Float64Array[],
    count?: number,
  ): Float64Array[] {
    const lengths = vectors.map((x) => this.#square(x));
    const left = vectors.map((x) => this.#without(x.slice(), others));
    const squares = left.map((x) => this.#square(x));
    const found: Float64Array[] = [];
    while (found.length < (count ?? vectors.length)) {
      const relative = squares.map((square, i) => (lengths[i]! > 0 ? square / lengths[i]! : 0));
      const best = relative.reduce((most, value, i) => (value > relative[most]! ? i : most), 0);
      if (count === undefined && !(relative[best]! > DEPENDENT)) break;
      const x = this.#without(this.#without(left[best]!, others), found);
      const length = Math.sqrt(this.#square(x));
      const unit = x.map((value) => value / length);
      found.push(unit);
      const momenta = this.#massTimes(unit);
      left.forEach((y, i) => {
        subtract(y, dot(y, momenta), unit);
        squares[i] = i === best ? 0 : this.#square(y);
      });
    }
    return found;
  }

  /** x less its parts along an orthonormal basis; changes x. */
  #without(x: Float64Array, basis: readonly Float64Array[]): Float64Array {
    for (const unit of basis) subtract(x, dot(unit, this.#massTimes(x)), unit);
    return x;
  }

  #square(x: Float64Array): number {
    return dot(x, this.#massTimes(x));
  }

  #massTimes(x: Float64Array, scalar = BodyMass.MASS, tensor = BodyMass.INERTIA): Float64Array {
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

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function subtract(x: Float64Array, factor: number, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] = x[i]! - factor * y[i]!;
}
