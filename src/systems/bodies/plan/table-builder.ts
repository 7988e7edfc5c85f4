import { BODY_VELOCITIES, Prescribed, RowEntry } from "../../../../assembly/layout-bodies.js";
import type { SparsePlan } from "../../../base/sparse/symbolic.js";
import { record } from "../../../base/sparse/symbolic.js";
import { couplesSensors, isPrescribed, markerPairs, sensorsOf } from "../../../model/kinds.js";
import {
  type BlockData,
  type Drive,
  GROUND,
  type ModelData,
  type RowData,
} from "../../../model/model-data.js";

/** Rows that are eliminated together. */
export interface PlannedBlock {
  /** Index of the joint. */
  readonly joint: number;
  readonly block: BlockData;
  /** Moving bodies, each once. */
  readonly bodies: readonly number[];
  readonly firstRow: number;
  readonly rows: number;
  /** Whether the block is outside the spanning tree of the joints, so that its rows may be redundant. */
  readonly closing: boolean;
}

/** A prescribed value that changes with time: `Prescribed` in DATA. */
export interface PlannedDrive {
  readonly slot: number;
  readonly drive: Drive;
  readonly name: string;
}

/** A sum of sensors held at its initial value, a slot in DATA. */
export interface PlannedCoupling {
  readonly slot: number;
  readonly sensors: readonly number[];
  readonly name: string;
}

/** Collects entries and their constants. */
export class TableBuilder {
  readonly entries: number[] = [];
  readonly data: number[] = [];
  readonly drives: PlannedDrive[] = [];
  readonly couplings: PlannedCoupling[] = [];

  constructor(
    readonly model: ModelData,
    readonly sparse: SparsePlan,
  ) {}

  store(values: readonly number[]): number {
    const slot = this.data.length;
    this.data.push(...values);
    return slot;
  }

  addBlock({ block, bodies, firstRow, joint }: PlannedBlock, index: number): void {
    const slots = this.sparse.jacobianSlotOf[index] ?? [];
    let offset = 0;
    for (const row of block.rows) {
      const slotOf = (marker: number | undefined) => {
        const body = marker === undefined ? GROUND : (this.model.markers[marker]?.body ?? GROUND);
        const place = bodies.indexOf(body);
        return place < 0
          ? this.sparse.jacobianSlots
          : (slots[place] as number) + BODY_VELOCITIES * offset;
      };
      const name = `${this.model.joints[joint]?.name}: ${row.names[0]}`;
      this.#addRow(row, firstRow + offset, slotOf, name);
      offset += row.names.length;
    }
  }

  #addRow(
    row: RowData,
    first: number,
    slotOf: (marker: number | undefined) => number,
    name: string,
  ): void {
    const { kind, a, b, axisA, axisB } = row;
    const [one, two] = markerPairs(row, this.model.sensors);
    this.entries.push(
      ...record(RowEntry.LENGTH, [
        [RowEntry.KIND, kind],
        [RowEntry.ROW, first],
        [RowEntry.A, a],
        [RowEntry.B, b],
        [RowEntry.AXIS_A, axisA],
        [RowEntry.AXIS_B, axisB],
        [RowEntry.JACOBIAN_A, slotOf(one?.[0])],
        [RowEntry.JACOBIAN_B, slotOf(one?.[1])],
        [RowEntry.JACOBIAN_C, slotOf(two?.[0])],
        [RowEntry.JACOBIAN_D, slotOf(two?.[1])],
        [RowEntry.DATA, this.#storeRow(row, name)],
      ]),
    );
  }

  #storeRow(row: RowData, name: string): number {
    const { constants, prescribed } = row;
    if (!isPrescribed(row)) return this.store(constants);
    const value = typeof prescribed === "number" ? prescribed : 0;
    const held = record(Prescribed.LENGTH, [[Prescribed.VALUE, value]]);
    const slot = this.store([...held, ...constants]);
    if (typeof prescribed === "object") this.drives.push({ slot, drive: prescribed, name });
    if (couplesSensors(row) && prescribed === undefined) {
      this.couplings.push({ slot, sensors: sensorsOf(row), name });
    }
    return slot;
  }
}
