import { BODY_VELOCITIES, Prescribed } from "../../../../assembly/layout-bodies.js";
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
    const slots = this.sparse.jacobianSlotOf[index]!;
    const { markers, sensors, joints } = this.model;
    let offset = 0;
    for (const row of block.rows) {
      const slotOf = (marker: number | undefined) => {
        const body = marker === undefined ? GROUND : (markers[marker]?.body ?? GROUND);
        const place = bodies.indexOf(body);
        return place < 0 ? this.sparse.jacobianSlots : slots[place]! + BODY_VELOCITIES * offset;
      };
      const [one, two] = markerPairs(row, sensors);
      const data = this.#storeRow(row, `${joints[joint]?.name}: ${row.names[0]}`);
      // In the order of RowEntry.
      this.entries.push(row.kind, firstRow + offset, row.a, row.b, row.axisA, row.axisB);
      this.entries.push(
        slotOf(one?.[0]),
        slotOf(one?.[1]),
        slotOf(two?.[0]),
        slotOf(two?.[1]),
        data,
      );
      offset += row.names.length;
    }
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
