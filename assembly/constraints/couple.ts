// Sensors bound to each other or to a time law: phi = k1 s1 + k2 s2 - f(t): gears, racks, screws,
// belts, drives. Rows, rates and gammas of sensors add with the same factors, and gamma gets f''.
//
// Up to four bodies take part, and one may be in both sensors (a gear on a carrier): all rows are
// cleared before any is added to.

import { CoupleData, Prescribed, Sensor, Want } from "../layout-bodies";
import { at, clearSlots, get, set } from "../math/slots";

/** Slots of the factors in the constants. */
export const FACTOR_A: i32 = Prescribed.LENGTH + CoupleData.FACTOR_A;
export const FACTOR_B: i32 = Prescribed.LENGTH + CoupleData.FACTOR_B;

/** second: 0 if absent; rowC and rowD are then not touched. data: Prescribed, CoupleData. */
export function couple(
  want: i32, first: usize, second: usize, data: usize,
  rowA: usize, rowB: usize, rowC: usize, rowD: usize, phi: usize, phiDot: usize, gamma: usize,
): void {
  if (want & Want.PHI) {
    set(phi, 0, combined(first, second, data, Sensor.VALUE) - get(data, Prescribed.VALUE));
  }
  if (want & Want.JACOBIAN) {
    clearSlots(rowA, 6);
    clearSlots(rowB, 6);
    if (second) {
      clearSlots(rowC, 6);
      clearSlots(rowD, 6);
      addRows(get(data, FACTOR_B), second, rowC, rowD);
    }
    addRows(get(data, FACTOR_A), first, rowA, rowB);
  }
  if (want & Want.RATES) {
    set(phiDot, 0, combined(first, second, data, Sensor.RATE) - get(data, Prescribed.RATE));
    set(gamma, 0, combined(first, second, data, Sensor.GAMMA) + get(data, Prescribed.SECOND));
  }
}

// @ts-ignore: decorator
@inline
function combined(first: usize, second: usize, data: usize, field: i32): f64 {
  const value = get(data, FACTOR_A) * get(first, field);
  return second ? value + get(data, FACTOR_B) * get(second, field) : value;
}

// @ts-ignore: decorator
@inline
function addRows(factor: f64, sensor: usize, rowA: usize, rowB: usize): void {
  addMultiple(factor, at(sensor, Sensor.JACOBIAN_A), rowA);
  addMultiple(factor, at(sensor, Sensor.JACOBIAN_B), rowB);
}

// @ts-ignore: decorator
@inline
function addMultiple(factor: f64, x: usize, row: usize): void {
  for (let i = 0; i < 6; i++) set(row, i, get(row, i) + factor * get(x, i));
}
