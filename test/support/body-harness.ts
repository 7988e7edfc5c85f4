// A small mechanism laid out by hand, for the kernels of the bodies module and their derivatives in
// the stiff module alone, without the model compiler.

import { readFileSync } from "node:fs";
import {
  AngleData,
  BODY_POSITIONS,
  BODY_VELOCITIES,
  BodyFrame,
  BodyTable,
  DERIVATIVE_SCRATCH,
  MarkerEntry,
  MarkerFrame,
  MarkerLocal,
  RowEntry,
  RowKind,
  Sensor,
  SensorEntry,
  type SensorKind,
} from "../../assembly/layout-bodies.js";
import { fullPattern } from "./block-matrix.js";

export { RowKind, Sensor, SensorKind, Turn, Want } from "../../assembly/layout-bodies.js";

/** Body index of the ground. */
export const GROUND = -1;

export interface MarkerSpec {
  readonly body: number;
  /** Vector from the centre of mass, in the axes of the body. */
  readonly arm: readonly number[];
  /** 3 x 3, column-major. */
  readonly axes: readonly number[];
}

export interface RowSpec {
  readonly kind: RowKind;
  /** Markers, or sensors for COUPLE. */
  readonly a: number;
  readonly b: number;
  readonly axisA?: number;
  readonly axisB?: number;
  readonly data?: readonly number[];
}

export interface SensorSpec {
  readonly kind: SensorKind;
  readonly a: number;
  readonly b: number;
}

export interface MechanismSpec {
  readonly bodies: number;
  readonly markers: readonly MarkerSpec[];
  readonly sensors?: readonly SensorSpec[];
  readonly rows: readonly RowSpec[];
}

/** The kernels called by the tests. */
export interface BodyKernels {
  bodyKinematics(table: number, want: number): number;
  bodySensors(table: number, want: number): void;
  bodyContinue(table: number): void;
  bodyEvaluate(table: number, want: number): number;
  bodyConstraintStiffness(table: number, blocks: number, lambda: number, out: number): void;
  bodyRowDerivatives(table: number, a: number, rate: number, bias: number, gyro: number): void;
  bodyTurnDerivatives(table: number, a: number, rate: number, bias: number, gyro: number): void;
  bodyPositionRate(table: number, v: number, scale: number, add: number, out: number): void;
  bodyPositionBias(table: number, out: number): void;
  bodyAngularRate(table: number, v: number): number;
  bodySpeedRange(table: number, v: number): number;
  bodyDisplace(table: number, q: number, scale: number, by: number, turn: number): number;
}

const modules = ["bodies", "stiff"].map((name) => {
  const file = `../../build/${name}-${process.env.NODRIFT_WASM}.wasm`;
  return new WebAssembly.Module(readFileSync(new URL(file, import.meta.url)));
});
const FIRST_BYTE = 65536;
const PAGES = 16;

export type Mechanism = ReturnType<typeof mechanism>;

/** Lays out a mechanism with zero state, and returns views of the memory of the kernels. */
export function mechanism(spec: MechanismSpec) {
  const memory = new WebAssembly.Memory({ initial: PAGES });
  const abort = () => {
    throw new Error("a kernel's assertion failed");
  };
  const instances = modules.map(
    (wasm) => new WebAssembly.Instance(wasm, { env: { memory, abort } }).exports,
  );
  const kernels = Object.assign({}, ...instances) as BodyKernels;
  const sensors = spec.sensors ?? [];
  const blocks = blocksOf(spec);
  const rowCount = spec.rows.reduce((sum, { kind }) => sum + rowsOf(kind), 0);
  let end = FIRST_BYTE;
  const take = (slots: number) => {
    const address = end;
    end += 8 * slots;
    return new Float64Array(memory.buffer, address, slots);
  };
  const width = BODY_VELOCITIES * spec.bodies;
  const views = {
    q: take(BODY_POSITIONS * spec.bodies),
    v: take(width),
    a: take(width),
    frames: take(BodyFrame.LENGTH * (spec.bodies + 1)),
    locals: take(MarkerLocal.LENGTH * spec.markers.length),
    markers: take(MarkerFrame.LENGTH * spec.markers.length),
    sensors: take(Sensor.LENGTH * sensors.length),
    data: take(AngleData.LENGTH * sensors.length + DATA_SLOTS * spec.rows.length),
    phi: take(rowCount),
    phiDot: take(rowCount),
    gamma: take(rowCount),
    blocks: take(blocks.slots),
    rate: take(blocks.slots),
    bias: take(blocks.slots),
    gyro: take(blocks.slots),
    lambda: take(rowCount),
    stiffness: take(width * width),
    turns: take(3 * TURN_SLOTS * spec.bodies),
    positionRate: take(BODY_POSITIONS * spec.bodies),
    scratch: take(DERIVATIVE_SCRATCH),
  };
  for (const column of [0, 4, 8]) views.frames[BodyFrame.LENGTH * spec.bodies + column] = 1;
  for (const [index, { arm, axes }] of spec.markers.entries()) {
    views.locals.set([...arm, ...axes], MarkerLocal.LENGTH * index);
  }
  for (const [index, { data = [] }] of spec.rows.entries()) {
    views.data.set(data, AngleData.LENGTH * sensors.length + DATA_SLOTS * index);
  }
  const all = fullPattern(spec.bodies);
  const pattern = new Int32Array(memory.buffer, take(all.length).byteOffset, all.length);
  pattern.set(all);
  const table = end;
  new Int32Array(memory.buffer, table).set(tableOf(spec, blocks, views, rowCount));
  const jacobian = () => denseOf(views.blocks);
  return { ...views, pattern, kernels, table, spec, width, rowCount, jacobian, denseOf };

  /** Converts the Jacobian, or a matrix in its layout, to dense rows. */
  function denseOf(sparse: Float64Array): Float64Array[] {
    const dense = Array.from({ length: rowCount }, () => new Float64Array(width));
    for (const { body, slot, row, rows } of blocks.list) {
      for (let i = 0; i < rows; i++) {
        const from = slot + BODY_VELOCITIES * i;
        dense[row + i].set(sparse.subarray(from, from + BODY_VELOCITIES), BODY_VELOCITIES * body);
      }
    }
    return dense;
  }
}

/** Derivatives of four Euler parameters by three axes. */
const TURN_SLOTS = 12;

/** Slots of DATA for an entry; sensors have an AngleData each, before those of the rows. */
const DATA_SLOTS = 5;

/** Slot of the constants of a row in DATA. */
export function dataSlot(spec: MechanismSpec, entry: number): number {
  return AngleData.LENGTH * (spec.sensors ?? []).length + DATA_SLOTS * entry;
}

function rowsOf(kind: RowKind): number {
  return kind === RowKind.COINCIDE ? 3 : 1;
}

/** Jacobian blocks of all entries: four slots each, in which bodies may repeat. */
function blocksOf(spec: MechanismSpec) {
  let slots = 3 * BODY_VELOCITIES;
  let row = 0;
  const list: { body: number; slot: number; row: number; rows: number }[] = [];
  const ofEntries = spec.rows.map(({ kind, a, b }) => {
    const rows = rowsOf(kind);
    const own = new Map([[GROUND, 0]]);
    const slotOf = (body: number) => {
      if (!own.has(body)) {
        own.set(body, slots);
        list.push({ body, slot: slots, row, rows });
        slots += rows * BODY_VELOCITIES;
      }
      return own.get(body)!;
    };
    const markers = kind === RowKind.COUPLE ? [a, b].flatMap((at) => markersOf(spec, at)) : [a, b];
    const entry = { row, slots: markers.map((at) => slotOf(spec.markers[at]?.body ?? GROUND)) };
    row += rows;
    return entry;
  });
  return { slots, list, ofEntries };
}

function markersOf(spec: MechanismSpec, sensor: number): number[] {
  const found = spec.sensors?.[sensor];
  return found ? [found.a, found.b] : [-1, -1];
}

type Views = Record<string, Float64Array>;

function tableOf(
  spec: MechanismSpec,
  blocks: ReturnType<typeof blocksOf>,
  views: Views,
  rowCount: number,
): Int32Array {
  const sensors = spec.sensors ?? [];
  const markerList = BodyTable.LENGTH;
  const entryList = markerList + MarkerEntry.LENGTH * spec.markers.length;
  const sensorList = entryList + RowEntry.LENGTH * spec.rows.length;
  const forceList = sensorList + SensorEntry.LENGTH * sensors.length;
  const table = new Int32Array(forceList);
  table.set([spec.bodies, spec.markers.length, spec.rows.length, sensors.length, 0, rowCount]);
  table.set([markerList, entryList, sensorList, forceList], BodyTable.MARKER_LIST);
  const addresses: [BodyTable, Float64Array][] = [
    [BodyTable.POSITIONS, views.q],
    [BodyTable.VELOCITIES, views.v],
    [BodyTable.FRAMES, views.frames],
    [BodyTable.LOCALS, views.locals],
    [BodyTable.MARKERS, views.markers],
    [BodyTable.SENSORS, views.sensors],
    [BodyTable.DATA, views.data],
    [BodyTable.PHI, views.phi],
    [BodyTable.PHI_DOT, views.phiDot],
    [BodyTable.GAMMA, views.gamma],
    [BodyTable.JACOBIAN, views.blocks],
    [BodyTable.VELOCITY_SCRATCH, views.scratch],
  ];
  for (const [field, view] of addresses) table[field] = view.byteOffset;
  for (const [index, { body }] of spec.markers.entries()) {
    const number = body === GROUND ? spec.bodies : body;
    table.set([number, 1, 1], markerList + MarkerEntry.LENGTH * index);
  }
  for (const [index, { kind, a, b, axisA = 0, axisB = 0 }] of spec.rows.entries()) {
    const { row, slots } = blocks.ofEntries[index];
    const at = entryList + RowEntry.LENGTH * index;
    table.set([kind, row, a, b, axisA, axisB, ...slots], at);
    table[at + RowEntry.DATA] = dataSlot(spec, index);
  }
  for (const [index, { kind, a, b }] of sensors.entries()) {
    table.set([kind, a, b, AngleData.LENGTH * index, 1], sensorList + SensorEntry.LENGTH * index);
  }
  return table;
}
