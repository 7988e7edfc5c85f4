// A tree of bodies on hinges in the form of the recursion. The frame of a body lies in its hinge with z along it, and
// all data of a body are in that frame. At q = 0, the poses of the model, it is
//
//   R_i = R_parent T_i Rz(q_i),   r_i = R_parent d_i from hinge to hinge.

/** A body joined to another, or to the ground (-1), by a hinge; all in the world at q = 0. */
export interface HingedBody {
  readonly parent: number;
  readonly at: readonly number[];
  readonly axis: readonly number[];
  readonly mass: number;
  readonly centre: readonly number[];
  /** About the centre of mass, 3 x 3. */
  readonly inertia: readonly number[];
}

/** Data of the passes. */
export interface Tree {
  /** Offset of the parent's record; the record of the ground is the first, at 0. */
  readonly above: Int32Array;
  readonly constants: Float64Array;
  readonly work: Float64Array;
}

type Numbers = readonly number[];

const dot = (a: Numbers, b: Numbers) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Numbers, b: Numbers) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Numbers) => a.map((x) => x / Math.sqrt(dot(a, a)));
const minus = (a: Numbers, b: Numbers) => a.map((x, i) => x - b[i]);

/** x, y and z of a frame with z along an axis, in the world. */
function frameAlong(axis: Numbers): Numbers[] {
  const z = unit(axis);
  const x = unit(cross(Math.abs(z[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0], z));
  return [x, cross(z, x), z];
}

const WORLD = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/**
 * Constants of all bodies, one after the other: T by rows, d, the inertia about the hinge as xx, xy, xz, yy, yz, zz, mass
 * times the centre of mass, mass.
 */
export function constantsOf(bodies: readonly HingedBody[]): Float64Array {
  const frames = bodies.map(({ axis }) => frameAlong(axis));
  return Float64Array.from(
    bodies.flatMap(({ parent, at, mass, centre, inertia }, i) => {
      const above = parent < 0 ? WORLD : frames[parent];
      const origin = parent < 0 ? [0, 0, 0] : bodies[parent].at;
      const own = frames[i];
      const turn = above.flatMap((row) => own.map((column) => dot(row, column)));
      const arm = above.map((row) => dot(row, minus(at, origin)));
      const c = own.map((row) => dot(row, minus(centre, at)));
      const about = (j: number, k: number) => {
        const column = [0, 1, 2].map((row) => dot(inertia.slice(3 * row, 3 * row + 3), own[k]));
        return dot(own[j], column) + mass * ((j === k ? dot(c, c) : 0) - c[j] * c[k]);
      };
      const moments = [
        about(0, 0),
        about(0, 1),
        about(0, 2),
        about(1, 1),
        about(1, 2),
        about(2, 2),
      ];
      return [...turn, ...arm, ...moments, ...c.map((x) => mass * x), mass];
    }),
  );
}
