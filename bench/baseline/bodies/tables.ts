// A mechanism for the JavaScript baseline: the memory of the kernels, and their tables with every
// index of a marker, body or block converted to its slot in advance. The loops then only add constants
// to the slots they read.

import {
  BodyFrame,
  BodyTable,
  MarkerEntry,
  MarkerFrame,
  MarkerLocal,
  RowEntry,
  RowKind,
  Sensor,
  SensorEntry,
  SensorKind,
} from "nodrift/kernels";
import { BlockTables } from "./block-tables.js";
import { ANGLE_LENGTH, constants, ENTRY_LENGTH, MARKER_LENGTH } from "./constants.js";

type Floats = Float64Array<ArrayBuffer>;
type Integers = Int32Array<ArrayBuffer>;

const KINDS: readonly number[] = [RowKind.COINCIDE, RowKind.DOT1, RowKind.DOT2];

/** Slots of all arrays. */
export class BodyTables {
  readonly constants = constants;
  /** The whole memory. */
  readonly floats: Floats;
  readonly bodies: number;
  readonly rows: number;
  readonly positions: number;
  readonly velocities: number;
  readonly frames: number;
  readonly masses: number;
  readonly locals: number;
  readonly markers: number;
  readonly phi: number;
  readonly phiDot: number;
  readonly gamma: number;
  readonly forces: number;
  readonly residual: number;
  readonly step: number;
  readonly markerList: Integers;
  readonly entryList: Integers;
  readonly angleList: Integers;
  readonly blocks: BlockTables;

  constructor(buffer: ArrayBuffer, table: number) {
    const head = new Int32Array(buffer, table);
    const slot = (field: BodyTable) => head[field] >> 3;
    this.floats = new Float64Array(buffer);
    this.bodies = head[BodyTable.BODY_COUNT];
    this.rows = head[BodyTable.ROW_COUNT];
    this.positions = slot(BodyTable.POSITIONS);
    this.velocities = slot(BodyTable.VELOCITIES);
    this.frames = slot(BodyTable.FRAMES);
    this.masses = slot(BodyTable.MASSES);
    this.locals = slot(BodyTable.LOCALS);
    this.markers = slot(BodyTable.MARKERS);
    this.phi = slot(BodyTable.PHI);
    this.phiDot = slot(BodyTable.PHI_DOT);
    this.gamma = slot(BodyTable.GAMMA);
    this.forces = slot(BodyTable.FORCES);
    this.residual = slot(BodyTable.ROW_SCRATCH);
    this.step = slot(BodyTable.VELOCITY_SCRATCH);
    if (head[BodyTable.FORCE_COUNT] > 0) {
      throw new Error("the JavaScript baseline knows no force but gravity");
    }
    this.markerList = this.#markerList(head);
    this.entryList = this.#entryList(head, slot(BodyTable.JACOBIAN), slot(BodyTable.DATA));
    this.angleList = this.#angleList(head, slot(BodyTable.SENSORS), slot(BodyTable.DATA));
    this.blocks = new BlockTables(buffer, head);
  }

  /** The integers of entry `index` in one of the lists. */
  #entry(head: Integers, list: BodyTable, length: number, index: number): Integers {
    const first = head[list] + index * length;
    return head.subarray(first, first + length);
  }

  #frameOf(head: Integers, marker: number): number {
    const entry = this.#entry(head, BodyTable.MARKER_LIST, MarkerEntry.LENGTH, marker);
    return this.frames + BodyFrame.LENGTH * entry[MarkerEntry.BODY];
  }

  #markerOf(marker: number): number {
    return this.markers + MarkerFrame.LENGTH * marker;
  }

  #axisOf(marker: number, axis: number): number {
    return this.#markerOf(marker) + MarkerFrame.AXES + 3 * axis;
  }

  #markerList(head: Integers): Integers {
    const count = head[BodyTable.MARKER_COUNT];
    const list = new Int32Array(MARKER_LENGTH * count);
    for (let marker = 0; marker < count; marker++) {
      const entry = this.#entry(head, BodyTable.MARKER_LIST, MarkerEntry.LENGTH, marker);
      list[MARKER_LENGTH * marker] = this.#frameOf(head, marker);
      list[MARKER_LENGTH * marker + 1] = entry[MarkerEntry.HAS_AXES];
    }
    return list;
  }

  #entryList(head: Integers, jacobian: number, data: number): Integers {
    const count = head[BodyTable.ENTRY_COUNT];
    const list = new Int32Array(ENTRY_LENGTH * count);
    for (let index = 0; index < count; index++) {
      const entry = this.#entry(head, BodyTable.ENTRY_LIST, RowEntry.LENGTH, index);
      const kind = entry[RowEntry.KIND];
      if (!KINDS.includes(kind)) {
        throw new Error(`the JavaScript baseline has no rows of kind ${RowKind[kind]}`);
      }
      const [a, b] = [entry[RowEntry.A], entry[RowEntry.B]];
      const fields = [
        kind,
        entry[RowEntry.ROW],
        this.#markerOf(a),
        this.#markerOf(b),
        this.#frameOf(head, a),
        this.#frameOf(head, b),
        this.locals + MarkerLocal.LENGTH * a,
        this.locals + MarkerLocal.LENGTH * b,
        this.#axisOf(a, entry[RowEntry.AXIS_A]),
        this.#axisOf(b, entry[RowEntry.AXIS_B]),
        jacobian + entry[RowEntry.JACOBIAN_A],
        jacobian + entry[RowEntry.JACOBIAN_B],
        data + entry[RowEntry.DATA],
      ];
      list.set(fields, ENTRY_LENGTH * index);
    }
    return list;
  }

  #angleList(head: Integers, sensors: number, data: number): Integers {
    const count = head[BodyTable.SENSOR_COUNT];
    const list = new Int32Array(ANGLE_LENGTH * count);
    for (let index = 0; index < count; index++) {
      const entry = this.#entry(head, BodyTable.SENSOR_LIST, SensorEntry.LENGTH, index);
      if (entry[SensorEntry.KIND] !== SensorKind.ANGLE) {
        throw new Error("the JavaScript baseline has no sensors but angles");
      }
      const [a, b] = [entry[SensorEntry.A], entry[SensorEntry.B]];
      const fields = [
        this.#axisOf(a, 0),
        this.#axisOf(b, 0),
        this.#frameOf(head, a),
        this.#frameOf(head, b),
        sensors + Sensor.LENGTH * index,
        data + entry[SensorEntry.DATA],
      ];
      list.set(fields, ANGLE_LENGTH * index);
    }
    return list;
  }
}
