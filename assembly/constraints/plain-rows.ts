// Rows of directions as Haug's tables have them (Computer Aided Kinematics and Dynamics, 1989,
// section 9.4), where A(e) is no rotation because e is no unit. With a' fixed in a body of matrix
// A, a . y moves by -y^T A a'~ as the body turns: a' x A^T y. Primitives have A^T (A a' x y), the
// same value if A^T A = I. Welch et al. 2007 take means of Euler parameters (eq. 24), not of
// unit length, and cite these tables. Points are in this form anyway (coincide.ts).

import {
  BodyFrame, BodyTable, MarkerEntry, MarkerFrame, MarkerLocal, RowEntry, RowKind,
} from "../layout-bodies";
import { rotateBack } from "../kinematics/vector";
import { addressOf, entryOf } from "../kinematics/table";
import { at, get, getInteger, set } from "../math/slots";

/** Rewrites the angular parts of DOT1 and DOT2; markers and the other rows are done. */
export function plainRows(table: usize): void {
  const count = getInteger(table, BodyTable.ENTRY_COUNT);
  const list = entryOf(table, BodyTable.MARKER_LIST, MarkerEntry.LENGTH, 0);
  const frames = addressOf(table, BodyTable.FRAMES);
  const markers = addressOf(table, BodyTable.MARKERS);
  const locals = addressOf(table, BodyTable.LOCALS);
  const jacobian = addressOf(table, BodyTable.JACOBIAN);
  for (let index = 0; index < count; index++) {
    const entry = entryOf(table, BodyTable.ENTRY_LIST, RowEntry.LENGTH, index);
    const kind = getInteger(entry, RowEntry.KIND);
    if (kind != RowKind.DOT1 && kind != RowKind.DOT2) continue;
    const a = getInteger(entry, RowEntry.A), b = getInteger(entry, RowEntry.B);
    const A = at(markers, MarkerFrame.LENGTH * a), B = at(markers, MarkerFrame.LENGTH * b);
    const localA = at(locals, MarkerLocal.LENGTH * a), localB = at(locals, MarkerLocal.LENGTH * b);
    const turnA = at(jacobian, getInteger(entry, RowEntry.JACOBIAN_A) + 3);
    const turnB = at(jacobian, getInteger(entry, RowEntry.JACOBIAN_B) + 3);
    const frameA = frameBy(list, frames, a), frameB = frameBy(list, frames, b);
    const axis = 3 * getInteger(entry, RowEntry.AXIS_A);
    const own = at(localA, MarkerLocal.AXES + axis), world = at(A, MarkerFrame.AXES + axis);
    if (kind == RowKind.DOT1) {
      const other = 3 * getInteger(entry, RowEntry.AXIS_B);
      const y = at(B, MarkerFrame.AXES + other);
      setPlain(turnA, frameA, own, get(y, 0), get(y, 1), get(y, 2));
      setPlainBy(turnB, frameB, at(localB, MarkerLocal.AXES + other), world);
    } else {
      // a . d: a' x (A^T d + s'), s' to the marker of A, since d has -A s'.
      setPlain(
        turnA, frameA, own, get(B, MarkerFrame.POINT) - get(A, MarkerFrame.POINT),
        get(B, MarkerFrame.POINT + 1) - get(A, MarkerFrame.POINT + 1),
        get(B, MarkerFrame.POINT + 2) - get(A, MarkerFrame.POINT + 2),
      );
      addCross(turnA, own, at(localA, MarkerLocal.ARM));
      setPlainBy(turnB, frameB, at(localB, MarkerLocal.ARM), world);
    }
  }
}

function setPlainBy(turn: usize, frame: usize, own: usize, y: usize): void {
  setPlain(turn, frame, own, get(y, 0), get(y, 1), get(y, 2));
}

/** turn = x' x A^T y */
function setPlain(turn: usize, frame: usize, own: usize, y0: f64, y1: f64, y2: f64): void {
  rotateBack(frame, y0, y1, y2, turn);
  const t0 = get(turn, 0), t1 = get(turn, 1), t2 = get(turn, 2);
  const x0 = get(own, 0), x1 = get(own, 1), x2 = get(own, 2);
  set(turn, 0, x1 * t2 - x2 * t1);
  set(turn, 1, x2 * t0 - x0 * t2);
  set(turn, 2, x0 * t1 - x1 * t0);
}

/** turn = turn + x' x s' */
function addCross(turn: usize, x: usize, s: usize): void {
  set(turn, 0, get(turn, 0) + get(x, 1) * get(s, 2) - get(x, 2) * get(s, 1));
  set(turn, 1, get(turn, 1) + get(x, 2) * get(s, 0) - get(x, 0) * get(s, 2));
  set(turn, 2, get(turn, 2) + get(x, 0) * get(s, 1) - get(x, 1) * get(s, 0));
}

/** The BodyFrame of a marker's body. */
function frameBy(list: usize, frames: usize, marker: i32): usize {
  const body = getInteger(list, MarkerEntry.LENGTH * marker + MarkerEntry.BODY);
  return at(frames, BodyFrame.LENGTH * body);
}
