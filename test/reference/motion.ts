// The motion of a mechanism by dense algebra without structural assumptions: neither joints nor loops nor masses
// decide which equations are used.
//
// Unknowns are six values per body, v and L w with L the size of the mechanism, so that rows and columns of J
// have no units. Rank is that of J, by Householder QR of J^T with column pivoting, and does not depend on masses. The
// chosen equations are used until the next choice; on the manifold the others follow from them. Accelerations are
//
//   a = a0 + N y,   J a0 = -b,   J N = 0,   |M^(1/2) (a0 + N y - M^-1 Q)| = least  (Gauss' principle),
//
// the last a least-squares problem in y whose rows differ by the square roots of the masses: see weighted.ts. Bodies
// of 1e-8 kg and of 1e6 kg are equally accurate. Rejected: (N^T M N) y = N^T (Q - M a0), which squares the ratio; J
// M^-1 J^T, which loses the weak rows of heavy bodies.

import { complement, factor, type QR, shortest, smallestSingularValue } from "./householder.js";
import { Inertias } from "./inertias.js";
import { GROUND, type Mechanism, sizeOf } from "./mechanism.js";
import { type JointRows, type Moving, type Row, rowsOf } from "./rows.js";
import { four, normalised, rotation, scale, three, timesQuaternion } from "./vectors.js";
import { weightedLeastSquares } from "./weighted.js";

/** Position, Euler parameters, velocity, angular velocity of each body. */
export const BODY_STATE = 13;

/** Columns of J^T shorter than this, after elimination of the others, count as dependent. */
export const DEPENDENT = 1e-9;

/** Maximum number of Newton iterations, and the move treated as rounding, relative to the size. */
const ROUNDS = 30;
const MOVE_TOLERANCE = 1e-14;

export class Motion {
  readonly mechanism: Mechanism;
  readonly size: number;
  readonly joints: readonly JointRows[];
  readonly inertias: Inertias;
  #chosen: readonly number[] = [];

  constructor(mechanism: Mechanism) {
    this.mechanism = mechanism;
    this.size = sizeOf(mechanism);
    this.joints = mechanism.joints.map((joint) => rowsOf(mechanism, joint, this.size));
    this.inertias = new Inertias(mechanism, this.size);
  }

  start(): Float64Array {
    return Float64Array.from(
      this.mechanism.bodies.flatMap(({ position, orientation, velocity, angularVelocity }) => [
        ...position,
        ...orientation,
        ...velocity,
        ...angularVelocity,
      ]),
    );
  }

  /** Motion of the bodies in a state. */
  moving(y: Float64Array): Moving[] {
    return this.mechanism.bodies.map((_, i) => {
      const own = y.subarray(BODY_STATE * i, BODY_STATE * (i + 1));
      return {
        position: three(own, 0),
        rotation: rotation(normalised(four(own, 3))),
        velocity: three(own, 7),
        angularVelocity: three(own, 10),
      };
    });
  }

  /** All rows in a state. */
  rows(y: Float64Array): Row[] {
    const bodies = this.moving(y);
    return this.joints.flatMap((joint) => joint.rows(bodies));
  }

  /** Columns of J^T in a state: those of the rows chosen, or of all. */
  columns(y: Float64Array, chosen: readonly number[] = this.#chosen): Float64Array[] {
    const bodies = this.moving(y);
    const all = this.joints.flatMap((joint) => joint.rows(bodies).map((row) => ({ joint, row })));
    return chosen.map((index) => this.#column(all[index].joint, all[index].row));
  }

  allColumns(y: Float64Array): Float64Array[] {
    return this.columns(y, [...this.rows(y).keys()]);
  }

  #column({ a, b }: JointRows, row: Row): Float64Array {
    const column = new Float64Array(6 * this.mechanism.bodies.length);
    this.#place(column, a, row.a);
    this.#place(column, b, row.b);
    return column;
  }

  #place(column: Float64Array, body: number, part: Row["a"]): void {
    if (body === GROUND) return;
    for (let i = 0; i < 3; i++) {
      column[6 * body + i] = part[0][i];
      column[6 * body + 3 + i] = part[1][i] / this.size;
    }
  }

  /** Chooses independent rows, which hold until the next choice. Returns the distance from singularity. */
  choose(y: Float64Array): { qr: QR; rank: number; smallest: number } {
    const qr = factor(this.allColumns(y), DEPENDENT);
    this.#chosen = qr.order.slice(0, qr.rank);
    const smallest = qr.rank > 0 ? smallestSingularValue(qr) / Math.abs(qr.r[0][0]) : 1;
    return { qr, rank: qr.rank, smallest };
  }

  /**
   * Brings positions and velocities onto the constraints, along the shortest path: Newton's iteration, reusing J as
   * long as each iteration gains a digit. Returns the rows there, and J.
   */
  project(y: Float64Array): { rows: Row[]; qr: QR } {
    let columns = this.columns(y);
    let qr = factor(columns);
    let [before, since] = [Number.POSITIVE_INFINITY, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const rows = this.rows(y);
      const open = this.#chosen.map((row) => -rows[row].value);
      const change = shortest(qr, open);
      this.#displace(y, change);
      const moved = largest(change);
      since += moved;
      if (moved <= MOVE_TOLERANCE * this.size) break;
      if (moved > 0.1 * before) {
        columns = this.columns(y);
        qr = factor(columns);
        since = 0;
      }
      before = moved;
    }
    if (since > MOVE_TOLERANCE * this.size) {
      columns = this.columns(y);
      qr = factor(columns);
    }
    this.#projectVelocities(y, qr, columns);
    return { rows: this.rows(y), qr };
  }

  /** v minus its part across the constraints, twice for rounding. */
  #projectVelocities(y: Float64Array, qr: QR, columns: readonly Float64Array[]): void {
    for (let round = 0; round < 2; round++) {
      const v = this.#scaledVelocities(y);
      const rates = columns.map((column) => -inner(column, v));
      const change = shortest(qr, rates);
      this.mechanism.bodies.forEach((_, body) => {
        for (let i = 0; i < 3; i++) {
          y[BODY_STATE * body + 7 + i] += change[6 * body + i];
          y[BODY_STATE * body + 10 + i] += change[6 * body + 3 + i] / this.size;
        }
      });
    }
  }

  #scaledVelocities(y: Float64Array): Float64Array {
    return Float64Array.from({ length: 6 * this.mechanism.bodies.length }, (_, n) => {
      const [body, i] = [Math.floor(n / 6), n % 6];
      return i < 3 ? y[BODY_STATE * body + 7 + i] : this.size * y[BODY_STATE * body + 10 + (i - 3)];
    });
  }

  #displace(y: Float64Array, change: Float64Array): void {
    this.mechanism.bodies.forEach((_, body) => {
      const own = y.subarray(BODY_STATE * body, BODY_STATE * (body + 1));
      for (let i = 0; i < 3; i++) own[i] += change[6 * body + i];
      const turn = scale(1 / (2 * this.size), three(change, 6 * body + 3));
      const e = normalised(four(own, 3));
      const [w, x, y1, z] = timesQuaternion(turn, e);
      own.set(normalised([e[0] + w, e[1] + x, e[2] + y1, e[3] + z]), 3);
    });
  }

  /** Accelerations (linear and angular, in the world) of a state on the constraints. */
  accelerations(y: Float64Array, { rows, qr } = this.project(y)): Float64Array {
    const moving = this.moving(y);
    const count = 6 * moving.length;
    const forced = shortest(
      qr,
      this.#chosen.map((row) => -rows[row].bias),
    );
    const free = new Float64Array(count);
    this.inertias.free(moving).forEach(({ linear, angular }, body) => {
      free.set([...linear, ...scale(this.size, angular)], 6 * body);
    });
    const basis = complement(qr);
    const target = this.inertias.weighted(
      moving,
      free.map((x, i) => x - forced[i]),
    );
    const weighted = basis.map((column) => this.inertias.weighted(moving, column));
    const factors = weightedLeastSquares(weighted, target, this.inertias.weights);
    const a = forced.slice();
    basis.forEach((column, j) => {
      for (let i = 0; i < count; i++) a[i] += factors[j] * column[i];
    });
    return a.map((x, n) => (n % 6 < 3 ? x : x / this.size));
  }

  energy(y: Float64Array): number {
    return this.inertias.energy(this.moving(y));
  }

  /** y' in a state that may violate the constraints, evaluated at the nearest consistent state. */
  rate(y: Float64Array, out: Float64Array): void {
    const on = y.slice();
    const a = this.accelerations(on);
    this.mechanism.bodies.forEach((_, body) => {
      const own = on.subarray(BODY_STATE * body, BODY_STATE * (body + 1));
      const turning = timesQuaternion(three(own, 10), four(own, 3));
      out.set(
        [...three(own, 7), ...turning.map((x) => x / 2), ...a.subarray(6 * body, 6 * body + 6)],
        BODY_STATE * body,
      );
    });
  }
}

function largest(x: Float64Array): number {
  let most = 0;
  for (const value of x) most = Math.max(most, Math.abs(value));
  return most;
}

function inner(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
