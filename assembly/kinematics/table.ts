// Lookup in the table of a mechanism.

import {
  BODY_VELOCITIES, BodyFrame, BodyTable, MarkerEntry, MarkerFrame, Sensor,
} from "../layout-bodies";
import { at, getInteger } from "../math/slots";

/** An address in the head of the table. */
// @ts-ignore: decorator
@inline
export function addressOf(table: usize, field: i32): usize {
  return <usize>getInteger(table, field);
}

/** Entry `index` of a list, where `length` integers describe one. */
// @ts-ignore: decorator
@inline
export function entryOf(table: usize, list: i32, length: i32, index: i32): usize {
  return table + ((<usize>(getInteger(table, list) + index * length)) << 2);
}

/** Index of a marker's body. */
// @ts-ignore: decorator
@inline
export function bodyOf(table: usize, marker: i32): i32 {
  return getInteger(
    entryOf(table, BodyTable.MARKER_LIST, MarkerEntry.LENGTH, marker), MarkerEntry.BODY,
  );
}

/** The BodyFrame of a body. */
// @ts-ignore: decorator
@inline
export function frameOf(table: usize, body: i32): usize {
  return at(addressOf(table, BodyTable.FRAMES), BodyFrame.LENGTH * body);
}

/** The MarkerFrame of a marker. */
// @ts-ignore: decorator
@inline
export function markerOf(table: usize, marker: i32): usize {
  return at(addressOf(table, BodyTable.MARKERS), MarkerFrame.LENGTH * marker);
}

/** The Sensor record of a sensor. */
// @ts-ignore: decorator
@inline
export function sensorOf(table: usize, sensor: i32): usize {
  return at(addressOf(table, BodyTable.SENSORS), Sensor.LENGTH * sensor);
}

/** The six generalised forces of a body. */
// @ts-ignore: decorator
@inline
export function loadOf(table: usize, body: i32): usize {
  return at(addressOf(table, BodyTable.FORCES), BODY_VELOCITIES * body);
}
