// From coordinates to frames: every body's pose and velocity in the world, then every marker's.
//
//   p = r + s,   s = R s',   p' = r' + w x s,   p'' = r'' + (R w'_body) x s + w x (w x s)
//
// with w in the world. The last term is the marker's drift.

import {
  BODY_POSITIONS, BODY_VELOCITIES, BodyFrame, BodyTable, MarkerEntry, MarkerFrame, MarkerLocal,
  Want,
} from "../layout-bodies";
import { Status } from "../layout";
import { at, get, getInteger, set } from "../math/slots";
import { setRotation } from "../rotation/matrix";
import { squareOf, squareStatus } from "../rotation/quaternion";
import { addressOf, entryOf } from "./table";
import { rotate, rotateThree, setThree } from "./vector";

/**
 * Frames of all bodies and of the markers in use at the trial state, of all markers if
 * all sensors are wanted; velocities only if rates are. SINGULAR or NON_FINITE name a body
 * whose Euler parameters define no rotation.
 */
export function bodyKinematics(table: usize, want: i32): i32 {
  const rates = want & Want.RATES ? 1 : 0;
  if (!getInteger(table, BodyTable.FRAMES_GIVEN)) {
    const status = bodyFrames(table, rates);
    if (status != Status.OK) return status;
  }
  markerFrames(table, rates, (want & Want.ALL_SENSORS) != 0);
  return Status.OK;
}

/** Frames of all bodies. */
function bodyFrames(table: usize, rates: i32): i32 {
  const bodies = getInteger(table, BodyTable.BODY_COUNT);
  const q = addressOf(table, BodyTable.POSITIONS);
  const v = addressOf(table, BodyTable.VELOCITIES);
  const plain = getInteger(table, BodyTable.PLAIN);
  let frame = addressOf(table, BodyTable.FRAMES);
  for (let body = 0; body < bodies; body++) {
    const status = poseOf(body, at(q, BODY_POSITIONS * body), frame);
    if (status != Status.OK) return status;
    if (plain) plainRotation(at(q, BODY_POSITIONS * body + 3), frame);
    if (rates) velocityOf(at(v, BODY_VELOCITIES * body), frame);
    frame = at(frame, BodyFrame.LENGTH);
  }
  return Status.OK;
}

// @ts-ignore: decorator
@inline
function poseOf(body: i32, q: usize, frame: usize): i32 {
  const e = at(q, 3);
  const square = squareOf(e);
  const status = squareStatus(square, body);
  if (status != Status.OK) return status;
  setRotation(e, square, frame);
  for (let i = 0; i < 3; i++) set(frame, BodyFrame.POINT + i, get(q, i));
  return Status.OK;
}

/**
 * R = (2 e0^2 - 1) I + 2 (e e^T + e0 [e x]), a rotation for unit e only (Haug, Computer Aided
 * Kinematics and Dynamics, 1989): for codes that integrate Euler parameters as other coordinates.
 */
function plainRotation(e: usize, frame: usize): void {
  const e0 = get(e, 0), e1 = get(e, 1), e2 = get(e, 2), e3 = get(e, 3);
  const first = 2.0 * e0 * e0 - 1.0;
  set(frame, 0, first + 2.0 * e1 * e1);
  set(frame, 1, 2.0 * (e1 * e2 + e0 * e3));
  set(frame, 2, 2.0 * (e1 * e3 - e0 * e2));
  set(frame, 3, 2.0 * (e1 * e2 - e0 * e3));
  set(frame, 4, first + 2.0 * e2 * e2);
  set(frame, 5, 2.0 * (e2 * e3 + e0 * e1));
  set(frame, 6, 2.0 * (e1 * e3 + e0 * e2));
  set(frame, 7, 2.0 * (e2 * e3 - e0 * e1));
  set(frame, 8, first + 2.0 * e3 * e3);
}

// @ts-ignore: decorator
@inline
function velocityOf(v: usize, frame: usize): void {
  rotate(frame, at(v, 3), at(frame, BodyFrame.OMEGA));
  for (let i = 0; i < 3; i++) set(frame, BodyFrame.VELOCITY + i, get(v, i));
}

function markerFrames(table: usize, rates: i32, all: bool): void {
  const count = getInteger(table, BodyTable.MARKER_COUNT);
  const frames = addressOf(table, BodyTable.FRAMES);
  let entry = entryOf(table, BodyTable.MARKER_LIST, MarkerEntry.LENGTH, 0);
  let local = addressOf(table, BodyTable.LOCALS);
  let marker = addressOf(table, BodyTable.MARKERS);
  for (let m = 0; m < count; m++) {
    if (all || getInteger(entry, MarkerEntry.USED)) {
      markerFrame(frames, entry, local, marker, rates);
    }
    entry += MarkerEntry.LENGTH << 2;
    local = at(local, MarkerLocal.LENGTH);
    marker = at(marker, MarkerFrame.LENGTH);
  }
}

// @ts-ignore: decorator
@inline
function markerFrame(frames: usize, entry: usize, local: usize, marker: usize, rates: i32): void {
  const body = at(frames, BodyFrame.LENGTH * getInteger(entry, MarkerEntry.BODY));
  markerPlace(body, local, marker, rates);
  if (getInteger(entry, MarkerEntry.HAS_AXES)) {
    rotateThree(body, at(local, MarkerLocal.AXES), at(marker, MarkerFrame.AXES));
  }
}

/** The pose of one marker by the frame of its body. */
export function poseMarker(table: usize, index: i32): void {
  markerFrame(
    addressOf(table, BodyTable.FRAMES),
    entryOf(table, BodyTable.MARKER_LIST, MarkerEntry.LENGTH, index),
    at(addressOf(table, BodyTable.LOCALS), MarkerLocal.LENGTH * index),
    at(addressOf(table, BodyTable.MARKERS), MarkerFrame.LENGTH * index),
    0,
  );
}

/** Point and arm; with rates velocity = r' + w x s and drift = w x (w x s). All in registers. */
// @ts-ignore: decorator
@inline
function markerPlace(body: usize, local: usize, marker: usize, rates: i32): void {
  const x0 = get(local, 0), x1 = get(local, 1), x2 = get(local, 2);
  const s0 = get(body, 0) * x0 + get(body, 3) * x1 + get(body, 6) * x2;
  const s1 = get(body, 1) * x0 + get(body, 4) * x1 + get(body, 7) * x2;
  const s2 = get(body, 2) * x0 + get(body, 5) * x1 + get(body, 8) * x2;
  setThree(at(marker, MarkerFrame.ARM), s0, s1, s2);
  const point = at(body, BodyFrame.POINT);
  setThree(
    at(marker, MarkerFrame.POINT), get(point, 0) + s0, get(point, 1) + s1, get(point, 2) + s2,
  );
  if (!rates) return;
  const omega = at(body, BodyFrame.OMEGA), velocity = at(body, BodyFrame.VELOCITY);
  const w0 = get(omega, 0), w1 = get(omega, 1), w2 = get(omega, 2);
  const u0 = w1 * s2 - w2 * s1, u1 = w2 * s0 - w0 * s2, u2 = w0 * s1 - w1 * s0;
  setThree(
    at(marker, MarkerFrame.VELOCITY),
    get(velocity, 0) + u0, get(velocity, 1) + u1, get(velocity, 2) + u2,
  );
  setThree(
    at(marker, MarkerFrame.DRIFT), w1 * u2 - w2 * u1, w2 * u0 - w0 * u2, w0 * u1 - w1 * u0,
  );
}
