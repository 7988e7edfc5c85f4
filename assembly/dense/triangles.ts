// Solves with triangles, in place on one right-hand side. Internal: shared by LU, LDL^T and the
// public triangular solve. Storage is column-major, so a triangle is applied by columns (y - T x)
// and its transpose by dots, four columns at a time; columns that do not fill a four are taken
// where they are shortest. Golub & Van Loan, Matrix Computations (4th ed.), section 3.1.

import { at, get, set } from "../math/slots";
import { addFourDots, subtractFourColumns } from "./columns";

/** Meaning of the diagonal of a stored triangle. */
export enum Diagonal {
  /** Divide by it. */
  DIVIDE = 0,
  /** It is not read: ones. */
  UNIT = 1,
  /** It holds the reciprocals: multiply. */
  RECIPROCAL = 2,
}

// @ts-ignore: decorator
@inline
function divided(kind: Diagonal, value: f64, stored: f64): f64 {
  if (kind == Diagonal.UNIT) return value;
  return kind == Diagonal.RECIPROCAL ? value * stored : value / stored;
}

/** x = T^-1 x, T lower. */
export function solveLower(n: i32, t: usize, ldt: i32, kind: Diagonal, x: usize): void {
  let k = 0;
  for (; k + 4 <= n; k += 4) {
    const t0 = at(t, k + k * ldt), t1 = at(t0, ldt), t2 = at(t1, ldt), t3 = at(t2, ldt);
    const s = at(x, k);
    const x0 = divided(kind, get(s, 0), get(t0, 0));
    const x1 = divided(kind, get(s, 1) - get(t0, 1) * x0, get(t1, 1));
    const x2 = divided(kind, get(s, 2) - get(t0, 2) * x0 - get(t1, 2) * x1, get(t2, 2));
    const rest = get(s, 3) - get(t0, 3) * x0 - get(t1, 3) * x1 - get(t2, 3) * x2;
    const x3 = divided(kind, rest, get(t3, 3));
    setFour(s, x0, x1, x2, x3);
    subtractFourColumns(n - k - 4, at(t0, 4), ldt, x0, x1, x2, x3, at(s, 4));
  }
  for (; k < n; k++) {
    const column = at(t, k * ldt);
    const value = divided(kind, get(x, k), get(column, k));
    set(x, k, value);
    for (let i = k + 1; i < n; i++) set(x, i, get(x, i) - get(column, i) * value);
  }
}

/** x = T^-1 x, T upper. */
export function solveUpper(n: i32, t: usize, ldt: i32, kind: Diagonal, x: usize): void {
  let k = n;
  while (k >= 4) {
    k -= 4;
    const t0 = at(t, k + k * ldt), t1 = at(t0, ldt), t2 = at(t1, ldt), t3 = at(t2, ldt);
    const s = at(x, k);
    const x3 = divided(kind, get(s, 3), get(t3, 3));
    const x2 = divided(kind, get(s, 2) - get(t3, 2) * x3, get(t2, 2));
    const x1 = divided(kind, get(s, 1) - get(t3, 1) * x3 - get(t2, 1) * x2, get(t1, 1));
    const rest = get(s, 0) - get(t3, 0) * x3 - get(t2, 0) * x2 - get(t1, 0) * x1;
    const x0 = divided(kind, rest, get(t0, 0));
    setFour(s, x0, x1, x2, x3);
    subtractFourColumns(k, at(t, k * ldt), ldt, x0, x1, x2, x3, x);
  }
  while (--k >= 0) {
    const column = at(t, k * ldt);
    const value = divided(kind, get(x, k), get(column, k));
    set(x, k, value);
    for (let i = 0; i < k; i++) set(x, i, get(x, i) - get(column, i) * value);
  }
}

/** x = T^-T x, T upper. */
export function solveUpperTransposed(n: i32, t: usize, ldt: i32, kind: Diagonal, x: usize): void {
  let k = 0;
  for (; k < (n & 3); k++) {
    const column = at(t, k * ldt);
    let sum = get(x, k);
    for (let i = 0; i < k; i++) sum -= get(column, i) * get(x, i);
    set(x, k, divided(kind, sum, get(column, k)));
  }
  for (; k < n; k += 4) {
    const t0 = at(t, k + k * ldt), t1 = at(t0, ldt), t2 = at(t1, ldt), t3 = at(t2, ldt);
    const s = at(x, k);
    addFourDots(k, at(t, k * ldt), ldt, x, -1.0, s);
    const x0 = divided(kind, get(s, 0), get(t0, 0));
    const x1 = divided(kind, get(s, 1) - get(t1, 0) * x0, get(t1, 1));
    const x2 = divided(kind, get(s, 2) - get(t2, 0) * x0 - get(t2, 1) * x1, get(t2, 2));
    const rest = get(s, 3) - get(t3, 0) * x0 - get(t3, 1) * x1 - get(t3, 2) * x2;
    setFour(s, x0, x1, x2, divided(kind, rest, get(t3, 3)));
  }
}

/** x = T^-T x, T lower. */
export function solveLowerTransposed(n: i32, t: usize, ldt: i32, kind: Diagonal, x: usize): void {
  let k = n;
  for (; (k & 3) != 0; k--) {
    const column = at(t, (k - 1) * ldt);
    let sum = get(x, k - 1);
    for (let i = k; i < n; i++) sum -= get(column, i) * get(x, i);
    set(x, k - 1, divided(kind, sum, get(column, k - 1)));
  }
  for (k -= 4; k >= 0; k -= 4) {
    const t0 = at(t, k + k * ldt), t1 = at(t0, ldt), t2 = at(t1, ldt), t3 = at(t2, ldt);
    const s = at(x, k);
    addFourDots(n - k - 4, at(t0, 4), ldt, at(s, 4), -1.0, s);
    const x3 = divided(kind, get(s, 3), get(t3, 3));
    const x2 = divided(kind, get(s, 2) - get(t2, 3) * x3, get(t2, 2));
    const x1 = divided(kind, get(s, 1) - get(t1, 3) * x3 - get(t1, 2) * x2, get(t1, 1));
    const rest = get(s, 0) - get(t0, 3) * x3 - get(t0, 2) * x2 - get(t0, 1) * x1;
    setFour(s, divided(kind, rest, get(t0, 0)), x1, x2, x3);
  }
}

// @ts-ignore: decorator
@inline
function setFour(s: usize, x0: f64, x1: f64, x2: f64, x3: f64): void {
  set(s, 0, x0);
  set(s, 1, x1);
  set(s, 2, x2);
  set(s, 3, x3);
}
