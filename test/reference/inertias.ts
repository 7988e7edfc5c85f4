// Masses and inertias of bodies that move.

import type { Mechanism } from "./mechanism.js";
import type { Moving } from "./rows.js";
import {
  cross,
  dot,
  length,
  type Matrix,
  scale,
  three,
  times,
  transposed,
  type Vector,
} from "./vectors.js";

export class Inertias {
  readonly #mechanism: Mechanism;
  readonly #size: number;
  /** C^T of the inertia C C^T of each body, in its axes. */
  readonly #roots: readonly Matrix[];
  /** Lengths of the rows of M^(1/2), for velocities v, L w. */
  readonly weights: Float64Array;

  constructor(mechanism: Mechanism, size: number) {
    this.#mechanism = mechanism;
    this.#size = size;
    this.#roots = mechanism.bodies.map(({ inertia }) => transposed(choleskyOf(inertia)));
    this.weights = Float64Array.from(
      mechanism.bodies.flatMap(({ mass }, i) => [
        ...new Array<number>(3).fill(Math.sqrt(mass)),
        ...this.#roots[i].map((row) => length(row) / size),
      ]),
    );
  }

  /** Accelerations without joints: gravity and gyroscopic terms. */
  free(moving: readonly Moving[]): { linear: Vector; angular: Vector }[] {
    return moving.map(({ rotation: r, angularVelocity }, body) => {
      const { inertia } = this.#mechanism.bodies[body];
      const w = times(transposed(r), angularVelocity);
      const own = solve3(this.#roots[body], scale(-1, cross(w, times(inertia, w))));
      return { linear: this.#mechanism.gravity, angular: times(r, own) };
    });
  }

  /** M^(1/2) of velocities v, L w. */
  weighted(moving: readonly Moving[], x: Float64Array): Float64Array {
    const out = new Float64Array(x.length);
    moving.forEach(({ rotation: r }, body) => {
      const { mass } = this.#mechanism.bodies[body];
      const own = times(transposed(r), scale(1 / this.#size, three(x, 6 * body + 3)));
      out.set(
        [...scale(Math.sqrt(mass), three(x, 6 * body)), ...times(this.#roots[body], own)],
        6 * body,
      );
    });
    return out;
  }

  energy(moving: readonly Moving[]): number {
    return moving.reduce((sum, { position, rotation: r, velocity, angularVelocity }, i) => {
      const { mass, inertia } = this.#mechanism.bodies[i];
      const w = times(transposed(r), angularVelocity);
      const kinetic = (mass * dot(velocity, velocity) + dot(w, times(inertia, w))) / 2;
      return sum + kinetic - mass * dot(this.#mechanism.gravity, position);
    }, 0);
  }
}

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
