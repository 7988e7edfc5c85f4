import { QrPivot } from "../layout";
import { at, getPair, laneSum, setPair, splat } from "../math/slots";

/**
 * Applies to one vector, from the last to the first, the reflections of the steps whose reflectors
 * end within its last two tiles: these stay in registers. Takes the addresses of the last reflector
 * and its pivot; returns the step before those that are done.
 */
export function reflectEnd(p: i32, steps: i32, last: usize, lastPivot: usize, y: usize): i32 {
  const step = (<usize>p) << 3;
  const end = at(y, p - 4);
  let v = at(last, p - 4), pivot = lastPivot;
  let y2 = getPair(end, 0), y3 = getPair(end, 2);
  let k = steps - 1;
  for (; k >= p - 4; k--) {
    const w = splat(pivot, QrPivot.WEIGHT), v2 = getPair(v, 0), v3 = getPair(v, 2);
    const sum = f64x2.add(f64x2.mul(y2, f64x2.mul(v2, w)), f64x2.mul(y3, f64x2.mul(v3, w)));
    const s = f64x2.splat(laneSum(sum));
    y2 = f64x2.sub(y2, f64x2.mul(s, v2));
    y3 = f64x2.sub(y3, f64x2.mul(s, v3));
    v -= step;
    pivot -= (<usize>QrPivot.LENGTH) << 3;
  }
  if (p > 4) {
    let y0 = getPair(end, -4), y1 = getPair(end, -2);
    for (; k >= p - 8; k--) {
      const w = splat(pivot, QrPivot.WEIGHT);
      const v0 = getPair(v, -4), v1 = getPair(v, -2), v2 = getPair(v, 0), v3 = getPair(v, 2);
      let sum = f64x2.add(f64x2.mul(y0, v0), f64x2.mul(y1, v1));
      sum = f64x2.add(sum, f64x2.add(f64x2.mul(y2, v2), f64x2.mul(y3, v3)));
      const s = f64x2.mul(f64x2.splat(laneSum(sum)), w);
      y0 = f64x2.sub(y0, f64x2.mul(s, v0));
      y1 = f64x2.sub(y1, f64x2.mul(s, v1));
      y2 = f64x2.sub(y2, f64x2.mul(s, v2));
      y3 = f64x2.sub(y3, f64x2.mul(s, v3));
      v -= step;
      pivot -= (<usize>QrPivot.LENGTH) << 3;
    }
    setPair(end, -4, y0);
    setPair(end, -2, y1);
  }
  setPair(end, 0, y2);
  setPair(end, 2, y3);
  return k;
}
