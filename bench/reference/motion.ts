// The motion of a mechanism by dense algebra, in which nothing is known beforehand: neither joints nor loops nor
// masses decide which equations count.
//
// Unknowns are six numbers for each body, v and L w with L the size of the mechanism, so that rows and columns of J
// have no units. Rank is that of J, by Householder QR of J^T with column pivoting: masses are not in it. The
// equations chosen so serve until the next choice; on the manifold the others follow from them. Accelerations are
//
//   a = a0 + N y,   J a0 = -b,   J N = 0,   |M^(1/2) (a0 + N y - M^-1 Q)| = least  (Gauss' principle),
//
// the last a least-squares problem in y whose rows differ by the square roots of the masses: Householder QR with
// column pivoting and rows sorted by size is backward stable row by row (Cox & Higham 1998), so a body of 1e-8 kg is
// as right as one of 1e6 kg. Rejected: (N^T M N) y = N^T (Q - M a0), which squares the ratio; J M^-1 J^T, which loses
// the weak rows of heavy bodies.

import {
  complement,
  factor,
  leastSquares,
  type QR,
  shortest,
  smallestSingularValue,
} from "./householder.js";
import { GROUND, type Mechanism, sizeOf } from "./mechanism.js";
import { type JointRows, type Moving, type Row, rowsOf } from "./rows.js";
import {
  cross,
  dot,
  type Matrix,
  normalised,
  type Quaternion,
  rotation,
  scale,
  times,
  timesQuaternion,
  transposed,
  type Vector,
} from "./vectors.js";

/** Position, Euler parameters, velocity, angular velocity of each body. */
export const BODY_STATE = 13;

/** Columns of J^T shorter than this, after the others were taken out, depend on these. */
export const DEPENDENT = 1e-9;

export class Motion {
  readonly mechanism: Mechanism;
  readonly size: number;
  readonly joints: readonly JointRows[];
  /** C^T of the inertia C C^T of each body, in its axes. */
  readonly #roots: readonly Matrix[];
  #chosen: readonly number[] = [];

  constructor(mechanism: Mechanism) {
    this.mechanism = mechanism;
    this.size = sizeOf(mechanism);
    this.joints = mechanism.joints.map((joint) => rowsOf(mechanism, joint, this.size));
    this.#roots = mechanism.bodies.map(({ inertia }) => transposed(choleskyOf(inertia)));
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

  /** Bodies as they move in a state. */
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

  /** All rows in a state, and the columns of J^T. */
  equations(y: Float64Array): { rows: Row[]; columns: Float64Array[] } {
    const bodies = this.moving(y);
    const [rows, columns]: [Row[], Float64Array[]] = [[], []];
    for (const joint of this.joints) {
      for (const row of joint.rows(bodies)) {
        rows.push(row);
        columns.push(this.#column(joint, row));
      }
    }
    return { rows, columns };
  }

  #column({ a, b }: JointRows, row: Row): Float64Array {
    const column = new Float64Array(6 * this.mechanism.bodies.length);
    for (const [body, [linear, angular]] of [
      [a, row.a],
      [b, row.b],
    ] as const) {
      if (body === GROUND) continue;
      for (let i = 0; i < 3; i++) {
        column[6 * body + i] += linear[i];
        column[6 * body + 3 + i] += angular[i] / this.size;
      }
    }
    return column;
  }

  /** Chooses independent rows, which hold until the next choice. Says how far from singular the pose is. */
  choose(y: Float64Array): { qr: QR; rank: number; smallest: number } {
    const qr = factor(this.equations(y).columns, DEPENDENT);
    this.#chosen = qr.order.slice(0, qr.rank);
    const smallest = qr.rank > 0 ? smallestSingularValue(qr) / Math.abs(qr.r[0][0]) : 1;
    return { qr, rank: qr.rank, smallest };
  }

  /** Brings positions and velocities onto the constraints, by the shortest way. Returns the rows and J there. */
  project(y: Float64Array): { rows: Row[]; qr: QR } {
    for (let round = 0; ; round++) {
      const { rows, columns } = this.equations(y);
      const qr = factor(this.#chosen.map((row) => columns[row]));
      const change = shortest(
        qr,
        this.#chosen.map((row) => -rows[row].value),
      );
      this.#displace(y, change);
      const moved = change.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      if (moved > 1e-14 * this.size && round < 12) continue;
      this.projectVelocities(y, qr, columns);
      return { rows: this.equations(y).rows, qr };
    }
  }

  /** v minus its part across the constraints, twice for rounding. */
  projectVelocities(y: Float64Array, qr: QR, columns: readonly Float64Array[]): void {
    for (let round = 0; round < 2; round++) {
      const v = this.#scaledVelocities(y);
      const rates = this.#chosen.map((row) =>
        columns[row].reduce((sum, x, i) => sum - x * v[i], 0),
      );
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
      own.set(normalised(e.map((x, i) => x + timesQuaternion(turn, e)[i]) as never), 3);
    });
  }

  /** Without joints: gravity, and what a body that turns does by itself. */
  free(moving: readonly Moving[]): { linear: Vector; angular: Vector }[] {
    return moving.map(({ rotation: r, angularVelocity }, body) => {
      const { inertia } = this.mechanism.bodies[body];
      const w = times(transposed(r), angularVelocity);
      const own = solve3(this.#roots[body], scale(-1, cross(w, times(inertia, w))));
      return { linear: this.mechanism.gravity, angular: times(r, own) };
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
    this.free(moving).forEach(({ linear, angular }, body) => {
      free.set([...linear, ...scale(this.size, angular)], 6 * body);
    });
    const basis = complement(qr);
    const target = this.#weighted(
      moving,
      free.map((x, i) => x - forced[i]),
    );
    const weighted = basis.map((column) => this.#weighted(moving, column));
    const factors = gauss(weighted, target);
    const a = forced.slice();
    basis.forEach((column, j) => {
      for (let i = 0; i < count; i++) a[i] += factors[j] * column[i];
    });
    return a.map((x, n) => (n % 6 < 3 ? x : x / this.size));
  }

  /** M^(1/2) of velocities v, L w. */
  #weighted(moving: readonly Moving[], x: Float64Array): Float64Array {
    const out = new Float64Array(x.length);
    moving.forEach(({ rotation: r }, body) => {
      const { mass } = this.mechanism.bodies[body];
      const own = times(transposed(r), scale(1 / this.size, three(x, 6 * body + 3)));
      out.set(
        [...scale(Math.sqrt(mass), three(x, 6 * body)), ...times(this.#roots[body], own)],
        6 * body,
      );
    });
    return out;
  }

  /** y' in a state that need not be on the constraints: that of the nearest state that is. */
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

  energy(y: Float64Array): number {
    return this.moving(y).reduce((sum, { position, rotation: r, velocity, angularVelocity }, i) => {
      const { mass, inertia } = this.mechanism.bodies[i];
      const w = times(transposed(r), angularVelocity);
      const kinetic = (mass * dot(velocity, velocity) + dot(w, times(inertia, w))) / 2;
      return sum + kinetic - mass * dot(this.mechanism.gravity, position);
    }, 0);
  }
}

/** Least squares with rows sorted by size, largest first. */
function gauss(columns: readonly Float64Array[], target: Float64Array): Float64Array {
  if (columns.length === 0) return new Float64Array(0);
  const sizes = Array.from(target, (_, i) =>
    Math.max(...columns.map((column) => Math.abs(column[i]))),
  );
  const order = sizes.map((_, i) => i).sort((i, j) => sizes[j] - sizes[i]);
  const sorted = (x: Float64Array) => Float64Array.from(order, (i) => x[i]);
  return leastSquares(factor(columns.map(sorted), 0), sorted(target));
}

export const three = (x: Float64Array, at: number): Vector => [x[at], x[at + 1], x[at + 2]];
const four = (x: Float64Array, at: number): Quaternion => [x[at], x[at + 1], x[at + 2], x[at + 3]];

/** C with C C^T = A, lower. */
function choleskyOf(a: Matrix): Matrix {
  const c00 = Math.sqrt(a[0][0]);
  const [c10, c20] = [a[1][0] / c00, a[2][0] / c00];
  const c11 = Math.sqrt(a[1][1] - c10 * c10);
  const c21 = (a[2][1] - c20 * c10) / c11;
  return [
    [c00, 0, 0],
    [c10, c11, 0],
    [c20, c21, Math.sqrt(a[2][2] - c20 * c20 - c21 * c21)],
  ];
}

/** (C C^T) x = b, given C^T = root. */
function solve3(root: Matrix, b: Vector): Vector {
  const z0 = b[0] / root[0][0];
  const z1 = (b[1] - root[0][1] * z0) / root[1][1];
  const z2 = (b[2] - root[0][2] * z0 - root[1][2] * z1) / root[2][2];
  const x2 = z2 / root[2][2];
  const x1 = (z1 - root[1][2] * x2) / root[1][1];
  return [(z0 - root[0][1] * x1 - root[0][2] * x2) / root[0][0], x1, x2];
}
