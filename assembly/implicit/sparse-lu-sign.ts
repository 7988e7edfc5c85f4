// What a factor reveals about the distance to a singular matrix: the sign of the determinant, which
// changes where a single pivot passes zero, and the row of the smallest pivot.

import { SparseLu } from "../layout-stiff";
import { clearIntegers, get, getInteger, setInteger } from "../math/slots";
import { part } from "./sparse-lu";

/** 1 or -1: the sign of det A = det P det Q times the product of the pivots. */
export function sparseLuSign(table: usize): i32 {
  const size = getInteger(table, SparseLu.SIZE), pivots = part(table, SparseLu.DIAGONAL);
  const marks = part(table, SparseLu.MARKS);
  let sign = parity(size, part(table, SparseLu.ROW_ORDER), marks);
  sign *= parity(size, part(table, SparseLu.COLUMN_ORDER), marks);
  for (let i = 0; i < size; i++) if (get(pivots, i) < 0.0) sign = -sign;
  return sign;
}

/** The row of the smallest pivot. */
export function sparseLuWeakest(table: usize): i32 {
  const size = getInteger(table, SparseLu.SIZE), pivots = part(table, SparseLu.DIAGONAL);
  let weakest = 0;
  for (let i = 1; i < size; i++) {
    if (Math.abs(get(pivots, i)) > Math.abs(get(pivots, weakest))) weakest = i;
  }
  return size == 0 ? -1 : getInteger(part(table, SparseLu.ROW_ORDER), weakest);
}

/** The sign of a permutation: each cycle of even length changes it. */
function parity(size: i32, order: usize, marks: usize): i32 {
  let sign = 1;
  clearIntegers(marks, size);
  for (let i = 0; i < size; i++) {
    let length = 0;
    for (let k = i; getInteger(marks, k) == 0; k = getInteger(order, k)) {
      setInteger(marks, k, 1);
      length++;
    }
    if (length > 0 && length % 2 == 0) sign = -sign;
  }
  return sign;
}
