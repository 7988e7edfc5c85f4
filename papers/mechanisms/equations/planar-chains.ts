// Planar bodies on chains of links that start at one floating point (q0, q1), in absolute angles. With
// e = (cos a, sin a) and n = (-sin a, cos a), a point of a chain is
//
//   p = (q0, q1) + sum over its links of along e(a) + across n(a).
//
// With u = along e + across n of a link, dp/da = (-u_y, u_x) and the second derivative is -u: position,
// Jacobian and velocity terms all come from the u.

/** A vector that turns with the angle coordinate of an index. */
export interface Link {
  readonly angle: number;
  readonly along: number;
  readonly across: number;
}

/** The links from the floating point to another point. */
export type Chain = readonly Link[];

/** A rigid body: its centre of mass, and its angle coordinate. */
export interface PlanarBody {
  readonly mass: number;
  /** Moment of inertia about the centre of mass. */
  readonly inertia: number;
  readonly angle: number;
  readonly centre: Chain;
}

/** A link; lengths in metres. */
export function link(angle: number, along: number, across = 0): Link {
  return { angle, along, across };
}

/** The chain to the centre of mass of all bodies. */
export function centreOfMass(bodies: readonly PlanarBody[]): Chain {
  const total = bodies.reduce((sum, { mass }) => sum + mass, 0);
  return bodies.flatMap(({ mass, centre }) =>
    centre.map(({ angle, along, across }) =>
      link(angle, (along * mass) / total, (across * mass) / total),
    ),
  );
}

/** Mass matrix, forces and points of such bodies at the state last given to {@link prepare}. */
export class PlanarChains {
  readonly #bodies: readonly PlanarBody[];
  readonly #gravity: number;
  readonly #q: Float64Array;
  readonly #v: Float64Array;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;

  constructor(coordinates: number, bodies: readonly PlanarBody[], gravity: number) {
    this.#bodies = bodies;
    this.#gravity = gravity;
    this.#q = new Float64Array(coordinates);
    this.#v = new Float64Array(coordinates);
    this.#cosines = new Float64Array(coordinates);
    this.#sines = new Float64Array(coordinates);
  }

  /** Computes the sines and cosines shared by the other methods. */
  prepare(q: ArrayLike<number>, v: ArrayLike<number>): void {
    this.#q.set(q);
    this.#v.set(v);
    for (let i = 2; i < q.length; i++) {
      this.#cosines[i] = Math.cos(q[i] as number);
      this.#sines[i] = Math.sin(q[i] as number);
    }
  }

  /** A coordinate of a point: x for axis 0, y for axis 1. */
  position(chain: Chain, axis: number): number {
    let sum = this.#q[axis] as number;
    for (const piece of chain) sum += axis === 0 ? this.#x(piece) : this.#y(piece);
    return sum;
  }

  /** Writes the derivative of a coordinate with respect to q, n values from an offset on. */
  gradient(chain: Chain, axis: number, out: Float64Array, offset: number): void {
    out.fill(0, offset, offset + this.#q.length);
    out[offset + axis] = 1;
    for (const piece of chain) {
      const i = offset + piece.angle;
      out[i] = (out[i] as number) + (axis === 0 ? -this.#y(piece) : this.#x(piece));
    }
  }

  /** Minus the second time derivative of a coordinate at zero acceleration: the sum of u a'^2. */
  bias(chain: Chain, axis: number): number {
    let sum = 0;
    for (const piece of chain) {
      const rate = this.#v[piece.angle] as number;
      sum += (axis === 0 ? this.#x(piece) : this.#y(piece)) * rate * rate;
    }
    return sum;
  }

  /** M = sum of m J^T J, and the inertias on the diagonal. */
  mass(out: Float64Array): void {
    const n = this.#q.length;
    const add = (i: number, j: number, value: number) => {
      out[i * n + j] = (out[i * n + j] as number) + value;
    };
    out.fill(0);
    for (const { mass, inertia, angle, centre } of this.#bodies) {
      add(0, 0, mass);
      add(1, 1, mass);
      add(angle, angle, inertia);
      for (const piece of centre) {
        const [x, y] = [this.#x(piece), this.#y(piece)];
        add(0, piece.angle, -mass * y);
        add(piece.angle, 0, -mass * y);
        add(1, piece.angle, mass * x);
        add(piece.angle, 1, mass * x);
        for (const other of centre) {
          add(piece.angle, other.angle, mass * (x * this.#x(other) + y * this.#y(other)));
        }
      }
    }
  }

  /** Q = sum of m J^T ((0, -g) - J' v): gravity and the velocity terms of the inertia. */
  forces(out: Float64Array): void {
    out.fill(0);
    for (const { mass, centre } of this.#bodies) {
      const fx = mass * this.bias(centre, 0);
      const fy = mass * (this.bias(centre, 1) - this.#gravity);
      out[0] = (out[0] as number) + fx;
      out[1] = (out[1] as number) + fy;
      for (const piece of centre) {
        out[piece.angle] = (out[piece.angle] as number) - this.#y(piece) * fx + this.#x(piece) * fy;
      }
    }
  }

  potential(): number {
    let sum = 0;
    for (const { mass, centre } of this.#bodies) sum += mass * this.position(centre, 1);
    return sum * this.#gravity;
  }

  #x({ angle, along, across }: Link): number {
    return along * (this.#cosines[angle] as number) - across * (this.#sines[angle] as number);
  }

  #y({ angle, along, across }: Link): number {
    return along * (this.#sines[angle] as number) + across * (this.#cosines[angle] as number);
  }
}
