// Rates of positions from velocities: r' directly, Euler parameters by e' = G(w) e
// (rotation/update.ts).

import { Status } from "../layout";
import { BODY_POSITIONS, BODY_VELOCITIES, BodyTable, Turn } from "../layout-bodies";
import { addressOf } from "../kinematics/table";
import { at, get, getInteger, set } from "../math/slots";
import { failed, statusAt } from "../math/status";
import { isNumber } from "../math/finite";
import { normalise, setFour, squareOf } from "../rotation/quaternion";
import { applyUpdate, cosineOfRoot, sincOfRoot } from "../rotation/update";

/** out = rate of the trial positions when the velocity is v + scale correction. */
export function bodyPositionRate(
  table: usize, v: usize, scale: f64, correction: usize, out: usize,
): void {
  const count = getInteger(table, BodyTable.BODY_COUNT);
  const q = addressOf(table, BodyTable.POSITIONS);
  for (let body = 0; body < count; body++) {
    const x = at(v, BODY_VELOCITIES * body), y = at(correction, BODY_VELOCITIES * body);
    const to = at(out, BODY_POSITIONS * body);
    for (let i = 0; i < 3; i++) set(to, i, get(x, i) + scale * get(y, i));
    setRates(
      at(q, BODY_POSITIONS * body + 3),
      0.5 * (get(x, 3) + scale * get(y, 3)),
      0.5 * (get(x, 4) + scale * get(y, 4)),
      0.5 * (get(x, 5) + scale * get(y, 5)),
      at(to, 3),
    );
  }
}

/**
 * out = second derivative of the trial positions at constant velocities: e'' = G(w) G(w) e, where
 * G(w)^2 is -|w|^2 / 4; zero for r.
 */
export function bodyPositionBias(table: usize, out: usize): void {
  const count = getInteger(table, BodyTable.BODY_COUNT);
  const q = addressOf(table, BodyTable.POSITIONS), v = addressOf(table, BodyTable.VELOCITIES);
  for (let body = 0; body < count; body++) {
    const w = at(v, BODY_VELOCITIES * body + 3), to = at(out, BODY_POSITIONS * body);
    const e = at(q, BODY_POSITIONS * body + 3);
    const square = get(w, 0) * get(w, 0) + get(w, 1) * get(w, 1) + get(w, 2) * get(w, 2);
    for (let i = 0; i < 3; i++) set(to, i, 0.0);
    for (let i = 0; i < 4; i++) set(to, 3 + i, -0.25 * square * get(e, i));
  }
}

/**
 * out = derivative of a potential by the positions, from its generalised forces. For e it
 * is 4 G(torque) e / |e|^2, so that its product with e' = G(w) e is torque . w.
 */
export function bodyGradient(table: usize, forces: usize, out: usize): void {
  const count = getInteger(table, BodyTable.BODY_COUNT);
  const q = addressOf(table, BodyTable.POSITIONS);
  for (let body = 0; body < count; body++) {
    const load = at(forces, BODY_VELOCITIES * body), to = at(out, BODY_POSITIONS * body);
    const e = at(q, BODY_POSITIONS * body + 3);
    const scale = -2.0 / squareOf(e);
    for (let i = 0; i < 3; i++) set(to, i, -get(load, i));
    setRates(e, scale * get(load, 3), scale * get(load, 4), scale * get(load, 5), at(to, 3));
  }
}

/** out = G(2 a) e. */
// @ts-ignore: decorator
@inline
export function setRates(e: usize, a1: f64, a2: f64, a3: f64, out: usize): void {
  const e0 = get(e, 0), e1 = get(e, 1), e2 = get(e, 2), e3 = get(e, 3);
  setFour(
    out,
    -(a1 * e1 + a2 * e2 + a3 * e3),
    a1 * e0 + (a3 * e2 - a2 * e3),
    a2 * e0 + (a1 * e3 - a3 * e1),
    a3 * e0 + (a2 * e1 - a1 * e2),
  );
}

/**
 * Moves the positions at q by scale times a displacement in velocity coordinates; e turns by the
 * rule (rotation/update.ts): e <- s e + t G e, with two scalars that depend only on the angle. The
 * implicit rule shortens e, which does not affect R unless it is PLAIN. NON_FINITE names the body.
 */
export function bodyDisplace(
  table: usize, q: usize, scale: f64, displacement: usize, turn: i32,
): i32 {
  const count = getInteger(table, BodyTable.BODY_COUNT);
  const shorten = turn == Turn.IMPLICIT && !getInteger(table, BodyTable.PLAIN);
  const half = 0.5 * scale;
  let to = q, step = displacement;
  for (let body = 0; body < count; body++) {
    const a1 = half * get(step, 3), a2 = half * get(step, 4), a3 = half * get(step, 5);
    const x = a1 * a1 + a2 * a2 + a3 * a3;
    let s = 1.0, t = 1.0;
    if (turn == Turn.EXPONENTIAL) {
      s = cosineOfRoot(x);
      t = sincOfRoot(x);
    } else if (turn == Turn.CAYLEY) {
      t = 1.0 / (1.0 + 0.25 * x);
      s = (1.0 - 0.25 * x) * t;
    } else if (!shorten) {
      // The implicit rule, (e + h G e) / (1 + x), at unit length.
      s = t = 1.0 / Math.sqrt(1.0 + x);
    }
    if (!isNumber(x) || !applyUpdate(s, t, a1, a2, a3, at(to, 3), at(to, 3))) {
      return statusAt(Status.NON_FINITE, body);
    }
    for (let i = 0; i < 3; i++) set(to, i, get(to, i) + scale * get(step, i));
    to = at(to, BODY_POSITIONS);
    step = at(step, BODY_VELOCITIES);
  }
  return Status.OK;
}

/** Closer to one than this, 1 / sqrt(x) is 3/2 - x/2 to the last bit. */
const SERIES_LIMIT: f64 = 1e-8;

/** Normalises the Euler parameters at q. */
export function bodyNormalise(table: usize, q: usize): i32 {
  const count = getInteger(table, BodyTable.BODY_COUNT);
  for (let body = 0; body < count; body++) {
    const e = at(q, BODY_POSITIONS * body + 3);
    const square = squareOf(e);
    if (Math.abs(square - 1.0) < SERIES_LIMIT) {
      const scale = 1.5 - 0.5 * square;
      setFour(e, scale * get(e, 0), scale * get(e, 1), scale * get(e, 2), scale * get(e, 3));
    } else {
      const status = normalise(1, e, e);
      if (failed(status)) return statusAt(status & 255, body);
    }
  }
  return Status.OK;
}
