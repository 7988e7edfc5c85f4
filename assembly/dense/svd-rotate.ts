// Plane rotations of columns: [x y] = [x y] [c -s; s c].

import { at, getPair, setPair } from "../math/slots";

/** Rotates the columns x and y of even length. */
export function rotateColumns(length: i32, c: f64, s: f64, x: usize, y: usize): void {
  const cosine = f64x2.splat(c), sine = f64x2.splat(s);
  const end = at(x, length);
  for (; x < end; x += 16) {
    const first = getPair(x, 0), second = getPair(y, 0);
    setPair(x, 0, f64x2.add(f64x2.mul(cosine, first), f64x2.mul(sine, second)));
    setPair(y, 0, f64x2.sub(f64x2.mul(cosine, second), f64x2.mul(sine, first)));
    y += 16;
  }
}

/** Exchanges two columns of even length. */
export function swapColumns(length: i32, x: usize, y: usize): void {
  const end = at(x, length);
  for (; x < end; x += 16) {
    const pair = getPair(x, 0);
    setPair(x, 0, getPair(y, 0));
    setPair(y, 0, pair);
    y += 16;
  }
}

/** x = -x */
export function negateColumn(length: i32, x: usize): void {
  const end = at(x, length);
  for (; x < end; x += 16) setPair(x, 0, f64x2.neg(getPair(x, 0)));
}
