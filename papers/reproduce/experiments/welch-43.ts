// Reference implementation of scheme (43) of Welch et al. 2007: plain matrices, Gauss elimination, rotations by the
// formulas of the paper and of Haug, on which it builds. Shares nothing with the kernels it is compared with.

import { distance } from "./numbers.js";

type Vector = readonly number[];
type Matrix = readonly Vector[];

interface Link {
  readonly mass: number;
  readonly inertia: Vector;
}

/** State of the three links at one time. */
export interface LinkStates {
  /** Centre of each link. */
  readonly r: readonly Vector[];
  /** Euler parameters of each link. */
  readonly e: readonly Vector[];
  /** Velocity of each link. */
  readonly u: readonly Vector[];
  /** Angular velocity of each link in its own axes. */
  readonly w: readonly Vector[];
}

const LENGTHS = [1, 2, 2.5] as const;
const DENSITY = 1000;
const GRAVITY: Vector = [-5, -5 * Math.SQRT2, -5];
/** The axis of the pin, and two across it, in the second and the third link. */
const [X, Y, Z]: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const LINKS: readonly Link[] = LENGTHS.map((length) => {
  const side = length / 10;
  const mass = DENSITY * side * side * length;
  const long = (mass * (side * side + length * length)) / 12;
  return { mass, inertia: [long, long, (mass * 2 * side * side) / 12] };
});

/** State of the pendulum of three links at a time, by scheme (43) with one pass, as printed. */
export function threeLinksByScheme43(step: number, until: number): LinkStates {
  let height = 0;
  const r = LENGTHS.map((length) => {
    height -= length;
    return [0, 0, height + length / 2];
  });
  const still = LENGTHS.map(() => [0, 0, 0]);
  let state: LinkStates = { r, e: LENGTHS.map(() => [1, 0, 0, 0]), u: still, w: still };
  const count = Math.round(until / step);
  for (let k = 0; k < count; k++) state = advanced(state, step);
  return state;
}

/** Largest distance of the centre of a link, in positions of all links, from that of the scheme. */
export function largestCentreDistance(q: Float64Array, { r }: LinkStates): number {
  return Math.max(...r.map((centre, i) => distance(q.subarray(7 * i, 7 * i + 3), centre)));
}

/** Eqs. 43a and 43b. */
function advanced({ r, e, u, w }: LinkStates, h: number): LinkStates {
  const zero = LINKS.map(() => [0, 0, 0]);
  const now = jacobianOf(e);
  // Eq. 21: (Phi / h + Phi') / h.
  const first = plus(1 / (h * h), constraints(r, e), 1 / h, times(now, [...u, ...w].flat()));
  const predicted = accelerations(now, w, first);
  const up = moved(u, predicted.u, h);
  const wp = moved(w, predicted.w, h);
  const rp = moved(r, up, h);
  // Eq. 17: (I - h G) e^p = e, then of unit length.
  const ep = e.map((one, i) => unit(solved(shiftedG(wp[i]!, -h), one)));
  // Eqs. 23 to 25: means, those of Euler parameters among them.
  const [eh, wh] = [mean(e, ep), mean(w, wp)];
  const half = jacobianOf(eh);
  const back = [...difference(u, up), ...difference(w, wp)].flat();
  const second = plus(2 / (h * h), constraints(rp, ep), 2 / h, times(half, back));
  const { u: uu, w: ww } = accelerations(half, wh, second);
  const [un, wn] = [moved(u, uu, h), moved(w, ww, h)];
  // Eq. 32.
  const wm = mean(w, wn);
  const en = e.map((one, i) =>
    unit(solved(shiftedG(wm[i]!, -h / 2), times(shiftedG(wm[i]!, h / 2), one))),
  );
  return { r: moved(r, mean(u, un), h), e: en, u: un, w: wn };

  function accelerations(jacobian: Matrix, spin: readonly Vector[], right: Vector) {
    const free = [
      ...LINKS.map(() => GRAVITY),
      ...LINKS.map(({ inertia }, i) => {
        const momentum = spin[i]!.map((x, k) => x * inertia[k]!);
        return cross(spin[i]!, momentum).map((x, k) => -x / inertia[k]!);
      }),
    ].flat();
    const inverse = [
      ...LINKS.flatMap(({ mass }) => [mass, mass, mass]),
      ...LINKS.flatMap(({ inertia }) => inertia),
    ].map((x) => 1 / x);
    const weighted = jacobian.map((row) => row.map((x, i) => x * inverse[i]!));
    const matrix = weighted.map((row) => jacobian.map((other) => dot(row, other)));
    const lambda = solved(matrix, plus(1, right, 1, times(jacobian, free)));
    const all = free.map(
      (x, i) => x - weighted.reduce((sum, row, k) => sum + row[i]! * lambda[k]!, 0),
    );
    const three = (first: number) =>
      zero.map((_, i) => all.slice(first + 3 * i, first + 3 * i + 3));
    return { u: three(0), w: three(9) };
  }
}

/** Ends of link i, in its own axes. */
const top = (i: number): Vector => [0, 0, LENGTHS[i]! / 2];
const bottom = (i: number): Vector => [0, 0, -LENGTHS[i]! / 2];

/** Three balls, and x of the third link across y and z of the second. */
function constraints(r: readonly Vector[], e: readonly Vector[]): Vector {
  const A = e.map(rotation);
  const at = (i: number, s: Vector) => plus(1, r[i]!, 1, times(A[i]!, s));
  return [
    ...at(0, top(0)),
    ...plus(1, at(1, top(1)), -1, at(0, bottom(0))),
    ...plus(1, at(2, top(2)), -1, at(1, bottom(1))),
    ...[Y!, Z!].map((a) => dot(times(A[1]!, a), times(A[2]!, X!))),
  ];
}

/**
 * Phi_r and Phi_pi, for velocities of all links and then angular velocities of all (Haug, Computer Aided Kinematics and
 * Dynamics, 1989, section 9.4): of a point A s' it is -A s'~, of a . b it is -b^T A_a a'~ and -a^T A_b b'~. If e is not
 * unit, (a x b)^T A_a is another value: with it states differ by 1e-6 m at 4 s for a step of 4e-4 s.
 */
function jacobianOf(e: readonly Vector[]): Matrix {
  const A = e.map(rotation);
  const rows: number[][] = Array.from({ length: 11 }, () => Array<number>(18).fill(0));
  const point = (first: number, link: number, s: Vector, sign: number) => {
    for (let i = 0; i < 3; i++) {
      rows[first + i]![3 * link + i] = sign;
      const turning = cross(s, A[link]![i]!);
      for (let k = 0; k < 3; k++) rows[first + i]![9 + 3 * link + k] = sign * turning[k]!;
    }
  };
  point(0, 0, top(0), 1);
  point(3, 1, top(1), 1);
  point(3, 0, bottom(0), -1);
  point(6, 2, top(2), 1);
  point(6, 1, bottom(1), -1);
  for (const [k, a] of [Y!, Z!].entries()) {
    const [one, other] = [times(A[1]!, a), times(A[2]!, X!)];
    rows[9 + k]!.splice(12, 3, ...cross(a, transposed(A[1]!, other)));
    rows[9 + k]!.splice(15, 3, ...cross(X!, transposed(A[2]!, one)));
  }
  return rows;
}

/** Haug, eq. 9.3.21: a rotation if e has unit length. */
function rotation([e0, e1, e2, e3]: Vector): Matrix {
  const [a, b, c, d] = [e0!, e1!, e2!, e3!];
  return [
    [2 * (a * a + b * b) - 1, 2 * (b * c - a * d), 2 * (b * d + a * c)],
    [2 * (b * c + a * d), 2 * (a * a + c * c) - 1, 2 * (c * d - a * b)],
    [2 * (b * d - a * c), 2 * (c * d + a * b), 2 * (a * a + d * d) - 1],
  ];
}

/** I + h G(w), eq. 11. */
function shiftedG([x, y, z]: Vector, h: number): Matrix {
  const [a, b, c] = [(h * x!) / 2, (h * y!) / 2, (h * z!) / 2];
  return [
    [1, -a, -b, -c],
    [a, 1, c, -b],
    [b, -c, 1, a],
    [c, b, -a, 1],
  ];
}

/** Gauss elimination with partial pivoting. */
function solved(matrix: Matrix, right: Vector): Vector {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) {
      if (Math.abs(rows[i]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = i;
    }
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i]![k]! / rows[k]![k]!;
      for (let j = k; j <= n; j++) rows[i]![j]! -= factor * rows[k]![j]!;
    }
  }
  const x = Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    const known = x.reduce((sum, value, j) => (j > i ? sum + rows[i]![j]! * value : sum), 0);
    x[i] = (rows[i]![n]! - known) / rows[i]![i]!;
  }
  return x;
}

const dot = (a: Vector, b: Vector) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const times = (m: Matrix, a: Vector): Vector => m.map((row) => dot(row, a));
const transposed = (m: Matrix, a: Vector): Vector =>
  m.map((_, i) => m.reduce((sum, row, k) => sum + row[i]! * a[k]!, 0));
const plus = (k: number, a: Vector, l: number, b: Vector): Vector =>
  a.map((x, i) => k * x + l * b[i]!);
const cross = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [
  b! * z! - c! * y!,
  c! * x! - a! * z!,
  a! * y! - b! * x!,
];
const unit = (e: Vector): Vector => e.map((x) => x / Math.sqrt(dot(e, e)));
const moved = (a: readonly Vector[], b: readonly Vector[], h: number) =>
  a.map((one, i) => plus(1, one, h, b[i]!));
const mean = (a: readonly Vector[], b: readonly Vector[]) =>
  a.map((one, i) => plus(0.5, one, 0.5, b[i]!));
const difference = (a: readonly Vector[], b: readonly Vector[]) =>
  a.map((one, i) => plus(1, one, -1, b[i]!));
