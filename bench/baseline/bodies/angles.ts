// The angles of hinges, as assembly/constraints/angle.ts derives them.

import type { rowsIn } from "./rows.js";
import type { BodyTables } from "./tables.js";

/** Angles of one mechanism. */
export function anglesIn(tables: BodyTables, { setRow }: ReturnType<typeof rowsIn>) {
  const { ANGLES, JACOBIAN, PHI, RATES } = tables.constants;
  const TURN = 2 * Math.PI;
  const memory = tables.floats;
  const entries = tables.angleList;
  const entryEnd = tables.angleList.length;

  /** Value, Jacobian, rate and gamma of all angles. */
  function angles(want: number): void {
    for (let entry = 0; entry < entryEnd; entry += ANGLES) angle(entry, want);
  }

  function angle(entry: number, want: number): void {
    const x = memory;
    const list = entries;
    const axes = list[entry];
    const axis = list[entry + 1];
    const sensor = list[entry + 4];
    const x0 = x[axes];
    const x1 = x[axes + 1];
    const x2 = x[axes + 2];
    const y0 = x[axes + 3];
    const y1 = x[axes + 4];
    const y2 = x[axes + 5];
    const b0 = x[axis];
    const b1 = x[axis + 1];
    const b2 = x[axis + 2];
    const c = x0 * b0 + x1 * b1 + x2 * b2;
    const s = y0 * b0 + y1 * b1 + y2 * b2;
    if ((want & PHI) !== 0) {
      const value = Math.atan2(s, c);
      x[sensor] = value + TURN * Math.floor((x[list[entry + 5]] - value) / TURN + 0.5);
    }
    if ((want & (JACOBIAN | RATES)) === 0) return;
    const scale = 1 / (s * s + c * c);
    const cosine = scale * c;
    const sine = scale * s;
    const t0 = cosine * y0 - sine * x0;
    const t1 = cosine * y1 - sine * x1;
    const t2 = cosine * y2 - sine * x2;
    const m0 = t1 * b2 - t2 * b1;
    const m1 = t2 * b0 - t0 * b2;
    const m2 = t0 * b1 - t1 * b0;
    const f = list[entry + 2];
    const g = list[entry + 3];
    if ((want & JACOBIAN) !== 0) {
      setRow(sensor + 3, f, 0, 0, 0, m0, m1, m2);
      setRow(sensor + 9, g, 0, 0, 0, -m0, -m1, -m2);
    }
    if ((want & RATES) === 0) return;
    const v0 = x[f + 9];
    const v1 = x[f + 10];
    const v2 = x[f + 11];
    const w0 = x[g + 9];
    const w1 = x[g + 10];
    const w2 = x[g + 11];
    const u0 = v0 - w0;
    const u1 = v1 - w1;
    const u2 = v2 - w2;
    const p0 = cosine * x0 + sine * y0;
    const p1 = cosine * x1 + sine * y1;
    const p2 = cosine * x2 + sine * y2;
    const rate = u0 * m0 + u1 * m1 + u2 * m2;
    const growth = u0 * (p1 * b2 - p2 * b1) + u1 * (p2 * b0 - p0 * b2) + u2 * (p0 * b1 - p1 * b0);
    const held =
      (u0 * b0 + u1 * b1 + u2 * b2) * (w0 * t0 + w1 * t1 + w2 * t2) -
      (u0 * t0 + u1 * t1 + u2 * t2) * (v0 * b0 + v1 * b1 + v2 * b2) +
      (u0 * u0 + u1 * u1 + u2 * u2) * (t0 * b0 + t1 * b1 + t2 * b2);
    x[sensor + 1] = rate;
    x[sensor + 2] = held + 2 * rate * growth;
  }

  /** Stores the current angles as the reference for continuation. Call after a state is accepted. */
  function continueAngles(): void {
    const x = memory;
    const list = entries;
    for (let entry = 0; entry < entryEnd; entry += ANGLES) x[list[entry + 5]] = x[list[entry + 4]];
  }

  return { angles, continueAngles };
}
