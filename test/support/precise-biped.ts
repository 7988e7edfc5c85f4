// Accelerations of the biped of Braun and Goldfarb with 60 digits. Its nine rows determine all nine coordinates, so that they follow from
// J a = gamma alone, by J and gamma from differences of the rows in that arithmetic: some 30 digits are right.

import { type Precise, precise } from "./precise.js";

const { of, times, over, circle, toNumber } = precise;
const ONE = 10n ** 60n;
const PI = 3141592653589793238462643383279502884197169399375105820974944n;
const STEP = ONE / 10n ** 18n;
const SECOND_STEP = ONE / 10n ** 15n;

type Point = readonly [Precise, Precise];
type Rows = (q: readonly Precise[], t: Precise) => Precise[];

/** A point at a length along a segment and a length across it. */
function along([x, y]: Point, length: number, angle: Precise, across = 0): Point {
  const [c, s] = circle(angle);
  const [l, a] = [of(length), of(across)];
  return [x + times(l, c) - times(a, s), y + times(l, s) + times(a, c)];
}

/** Toes and heels of both legs. */
function feet([x = 0n, y = 0n, torso = 0n, ...angles]: readonly Precise[]) {
  const hip = along([x, y], -0.3245184, torso);
  const legTerms = (first: number) => {
    const [thigh = 0n, shank = 0n, foot = 0n] = angles.slice(first);
    const ankle = along(along(hip, -0.441, thigh), -0.4428, shank);
    return {
      toe: along(ankle, 0.2052, foot, -0.0702),
      heel: along(ankle, -0.0684, foot, -0.0702),
    };
  };
  return { forward: legTerms(0), backward: legTerms(3) };
}

/** 1 - cos(pi t). */
const swing = (t: Precise) => ONE - circle(times(PI, t))[0];

/** Exercise 1: both feet flat on the ground. */
const standing: Rows = (q, t) => {
  const { forward, backward } = feet(q);
  const [, , torso = 0n, th1 = 0n, th2 = 0n, , th4 = 0n, th5 = 0n] = q;
  return [
    forward.toe[0] - of(0.507),
    forward.toe[1],
    forward.heel[1],
    backward.toe[0] + of(0.097),
    backward.toe[1],
    backward.heel[1],
    torso - (4n * PI) / 9n,
    th1 - th2 - times(PI / 6n, swing(t)),
    th4 - th5 - times(PI / 10n, swing(t)),
  ];
};

/** Exercise 2: on the heel of one foot and the toe of the other. */
const rolling: Rows = (q, t) => {
  const { forward, backward } = feet(q);
  const [, , torso = 0n, th1 = 0n, th2 = 0n, th3 = 0n, th4 = 0n, th5 = 0n, th6 = 0n] = q;
  return [
    forward.heel[0] - of(0.262),
    forward.heel[1],
    backward.toe[0] + of(0.038),
    backward.toe[1],
    torso - (4n * PI) / 9n,
    th3 - times(PI / 18n, 2n * ONE - swing(t)),
    th6 + times(PI / 18n, swing(t)),
    th1 - th2,
    th4 - th5 - times(PI / 10n, swing(t)),
  ];
};

/** By exercise. */
export const bipedRows = { 1: standing, 2: rolling } as const;

/** Accelerations at a state. */
export function preciseAccelerations(
  rows: Rows,
  q: readonly number[],
  v: readonly number[],
  t: number,
): number[] {
  const [place, velocity, time] = [q.map(of), v.map(of), of(t)];
  const columns = place.map((_, j) => {
    const at = (shift: Precise) =>
      rows(
        place.map((x, k) => (k === j ? x + shift : x)),
        time,
      );
    const [up, down] = [at(STEP), at(-STEP)];
    return up.map((value, row) => over(value - (down[row] ?? 0n), 2n * STEP));
  });
  const moved = (s: Precise) =>
    rows(
      place.map((x, k) => x + times(velocity[k] ?? 0n, s)),
      time + s,
    );
  const [after, here, before] = [moved(SECOND_STEP), moved(0n), moved(-SECOND_STEP)];
  const right = here.map((value, row) => {
    const bend = (after[row] ?? 0n) - 2n * value + (before[row] ?? 0n);
    return -over(over(bend, SECOND_STEP), SECOND_STEP);
  });
  return solved(
    right.map((value, row) => [...columns.map((column) => column[row] ?? 0n), value]),
  ).map(toNumber);
}

/** Elimination with row pivots; the last column is the right-hand side. */
function solved(matrix: Precise[][]): Precise[] {
  const n = matrix.length;
  const size = (x: Precise) => (x < 0n ? -x : x);
  const entry = (i: number, j: number) => matrix[i]?.[j] ?? 0n;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k; i < n; i++) if (size(entry(i, k)) > size(entry(pivot, k))) pivot = i;
    [matrix[k], matrix[pivot]] = [matrix[pivot] ?? [], matrix[k] ?? []];
    for (let i = k + 1; i < n; i++) {
      const factor = over(entry(i, k), entry(k, k));
      matrix[i] = (matrix[i] ?? []).map((x, j) => x - times(factor, entry(k, j)));
    }
  }
  const x = new Array<Precise>(n).fill(0n);
  for (let i = n - 1; i >= 0; i--) {
    let rest = entry(i, n);
    for (let j = i + 1; j < n; j++) rest -= times(entry(i, j), x[j] ?? 0n);
    x[i] = over(rest, entry(i, i));
  }
  return x;
}
