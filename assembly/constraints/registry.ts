// All rows of a mechanism: the only switch over the primitives. The head of the table is read
// once, and each primitive gets the addresses of its operands. Primitives of which chains have
// thousands are inlined into the loop: called, they take a tenth (all) to a half (phi) longer.
// Rejected, because measured slower: addresses computed only when needed, and a copy of the
// loop for phi alone. A new primitive is a file, a case here and in derivatives/.

import {
  BodyFrame, BodyTable, MarkerEntry, MarkerFrame, MarkerLocal, PLAIN_ROWS, RowEntry, RowKind, Want,
} from "../layout-bodies";
import { addressOf, entryOf, sensorOf } from "../kinematics/table";
import { at, getInteger } from "../math/slots";
import { coincide } from "./coincide";
import { couple } from "./couple";
import { distance } from "./distance";
import { dot1 } from "./dot1";
import { dot2 } from "./dot2";
import { knifeEdge } from "./knife-edge";
import { plainRows } from "./plain-rows";
import { rolling } from "./rolling";
import { wheelHeight } from "./wheel-height";

/**
 * Computes phi, Jacobian, phiDot and gamma of all rows, as selected by `want`. Frames and sensors
 * hold the trial state, with velocities if rates are wanted.
 */
export function bodyRows(table: usize, want: i32): void {
  const count = getInteger(table, BodyTable.ENTRY_COUNT);
  const list = entryOf(table, BodyTable.MARKER_LIST, MarkerEntry.LENGTH, 0);
  const frames = addressOf(table, BodyTable.FRAMES);
  const markers = addressOf(table, BodyTable.MARKERS);
  const locals = addressOf(table, BodyTable.LOCALS);
  const constants = addressOf(table, BodyTable.DATA);
  const jacobian = addressOf(table, BodyTable.JACOBIAN);
  const phis = addressOf(table, BodyTable.PHI);
  const phiDots = addressOf(table, BodyTable.PHI_DOT);
  const gammas = addressOf(table, BodyTable.GAMMA);
  let entry = entryOf(table, BodyTable.ENTRY_LIST, RowEntry.LENGTH, 0);
  for (let index = 0; index < count; index++) {
    const a = getInteger(entry, RowEntry.A), b = getInteger(entry, RowEntry.B);
    const A = at(markers, MarkerFrame.LENGTH * a), B = at(markers, MarkerFrame.LENGTH * b);
    const row = getInteger(entry, RowEntry.ROW);
    const phi = at(phis, row), phiDot = at(phiDots, row), gamma = at(gammas, row);
    const rowA = at(jacobian, getInteger(entry, RowEntry.JACOBIAN_A));
    const rowB = at(jacobian, getInteger(entry, RowEntry.JACOBIAN_B));
    switch (getInteger(entry, RowEntry.KIND)) {
      case RowKind.COINCIDE:
        coincide(
          want, A, B, frameBy(list, frames, a), frameBy(list, frames, b),
          at(locals, MarkerLocal.LENGTH * a), at(locals, MarkerLocal.LENGTH * b),
          rowA, rowB, phi, phiDot, gamma,
        );
        break;
      case RowKind.DOT1:
        dot1(
          want, axisBy(entry, RowEntry.AXIS_A, A), axisBy(entry, RowEntry.AXIS_B, B),
          frameBy(list, frames, a), frameBy(list, frames, b), rowA, rowB, phi, phiDot, gamma,
        );
        break;
      case RowKind.DOT2:
        dot2(
          want, axisBy(entry, RowEntry.AXIS_A, A), A, B,
          frameBy(list, frames, a), frameBy(list, frames, b), dataBy(entry, constants),
          rowA, rowB, phi, phiDot, gamma,
        );
        break;
      case RowKind.DISTANCE:
        distance(
          want, A, B, frameBy(list, frames, a), frameBy(list, frames, b), dataBy(entry, constants),
          rowA, rowB, phi, phiDot, gamma,
        );
        break;
      case RowKind.COUPLE:
        couple(
          want, sensorOf(table, a), b < 0 ? 0 : sensorOf(table, b), dataBy(entry, constants),
          rowA, rowB, at(jacobian, getInteger(entry, RowEntry.JACOBIAN_C)),
          at(jacobian, getInteger(entry, RowEntry.JACOBIAN_D)), phi, phiDot, gamma,
        );
        break;
      case RowKind.WHEEL_HEIGHT:
        wheelHeight(
          want, getInteger(entry, RowEntry.AXIS_B), A, B, frameBy(list, frames, a),
          frameBy(list, frames, b), dataBy(entry, constants), rowA, rowB, phi, phiDot, gamma,
        );
        break;
      case RowKind.ROLLING:
        rolling(
          want, table, entry, A, B, frameBy(list, frames, a), frameBy(list, frames, b),
          rowA, rowB, phi, phiDot, gamma,
        );
        break;
      case RowKind.KNIFE_EDGE:
        knifeEdge(
          want, axisBy(entry, RowEntry.AXIS_A, A), A, frameBy(list, frames, a),
          rowA, phi, phiDot, gamma,
        );
        break;
    }
    entry += RowEntry.LENGTH << 2;
  }
  const asPrinted = getInteger(table, BodyTable.PLAIN) == PLAIN_ROWS;
  if (asPrinted && want & Want.JACOBIAN) plainRows(table);
}

/** The BodyFrame of a marker's body. */
// @ts-ignore: decorator
@inline
function frameBy(list: usize, frames: usize, marker: i32): usize {
  const body = getInteger(list, MarkerEntry.LENGTH * marker + MarkerEntry.BODY);
  return at(frames, BodyFrame.LENGTH * body);
}

/** The axis of a marker selected by a field of the entry. */
// @ts-ignore: decorator
@inline
function axisBy(entry: usize, field: i32, marker: usize): usize {
  return at(marker, MarkerFrame.AXES + 3 * getInteger(entry, field));
}

// @ts-ignore: decorator
@inline
function dataBy(entry: usize, constants: usize): usize {
  return at(constants, getInteger(entry, RowEntry.DATA));
}
