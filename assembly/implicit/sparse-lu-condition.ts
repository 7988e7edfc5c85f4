// An estimate of |A|_1 |A^-1|_1 from a factor (Hager, SIAM J. Sci. Stat. Comput. 5 (1984) 311-316;
// Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., algorithm 15.1): |A^-1|_1 is
// climbed to along its steepest columns, by a few solves.

import { SparseLu } from "../layout-stiff";
import { clearSlots, get, getInteger, set } from "../math/slots";
import { part, sparseLuSolve, sparseLuSolveTransposed } from "./sparse-lu";

const CLIMBS = 4;

/** x, y: vectors of scratch. */
export function sparseLuCondition(table: usize, x: usize, y: usize): f64 {
  const size = getInteger(table, SparseLu.SIZE);
  if (size == 0) return 1.0;
  const norm = columnNorm(table, size, x);
  for (let i = 0; i < size; i++) set(x, i, 1.0 / <f64>size);
  let estimate = 0.0, last = -1;
  for (let climb = 0; climb < CLIMBS; climb++) {
    sparseLuSolve(table, x, y);
    let sum = 0.0;
    for (let i = 0; i < size; i++) {
      sum += Math.abs(get(y, i));
      set(y, i, get(y, i) < 0.0 ? -1.0 : 1.0);
    }
    if (!(sum > estimate)) break;
    estimate = sum;
    sparseLuSolveTransposed(table, y, x);
    let steepest = 0;
    for (let i = 1; i < size; i++) {
      if (Math.abs(get(x, i)) > Math.abs(get(x, steepest))) steepest = i;
    }
    if (steepest == last) break;
    last = steepest;
    clearSlots(x, size);
    set(x, steepest, 1.0);
  }
  return norm * estimate;
}

/** The largest column sum of magnitudes. Duplicate entries are counted separately. */
function columnNorm(table: usize, size: i32, sums: usize): f64 {
  const count = getInteger(table, SparseLu.ENTRY_COUNT), columns = part(table, SparseLu.COLUMNS);
  const addresses = part(table, SparseLu.ADDRESSES), scales = part(table, SparseLu.SCALES);
  clearSlots(sums, size);
  for (let e = 0; e < count; e++) {
    const value = get(scales, e) * get(<usize>getInteger(addresses, e), 0);
    const column = getInteger(columns, e);
    set(sums, column, get(sums, column) + Math.abs(value));
  }
  let largest = 0.0;
  for (let i = 0; i < size; i++) largest = Math.max(largest, get(sums, i));
  return largest;
}
