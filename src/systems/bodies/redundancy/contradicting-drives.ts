// Prescribed motions that contradict each other. Where a combination x of rows vanishes, x^T Phi must
// stay zero whatever moves: x . gamma = 0, for J a = gamma to have a solution. If it contains only
// couplings and drives, which are sums of sensors less a function of time, x^T Phi is a function of time
// alone, and can be checked ahead.

import { couplesSensors } from "../../../describe/model/kinds.js";
import type { Drive, RowData } from "../../../describe/model/model-data.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Plan } from "../plan/plan.js";
import type { Examined } from "./nearby-poses.js";
import type { NullVector } from "./null-vectors.js";

/** Error of second derivatives computed by finite differences. */
const TOLERANCE = 1e-5;
/** Seconds after the start at which drives are checked ahead. */
const AHEAD = [0.01, 0.03, 0.1, 0.21, 0.5, 0.83, 1.3, 2.1, 3.7, 5.9, 10.3, 17.1];

interface DrivenRow {
  readonly joint: string;
  readonly row: RowData;
}

/** Throws when drives contradict each other at the start, or at the later times checked. */
export function checkDrives(
  model: Examined,
  start: readonly NullVector[],
  generic: readonly NullVector[],
): void {
  const { plan, time } = model;
  if (plan.drives.length === 0) return;
  const driven = drivenRows(plan);
  const withDrives = (vectors: readonly NullVector[]) =>
    vectors.filter(({ rows }) => rows.some((row) => isDrive(driven.get(row)?.row)));
  checkAccelerations(model, withDrives(start), driven);
  for (const vector of withDrives(generic)) {
    const rows = vector.rows.map((row) => driven.get(row)?.row);
    if (!rows.every((row) => row !== undefined && couplesSensors(row))) continue;
    const first = total(vector, driven, time);
    for (const ahead of AHEAD) {
      const then = total(vector, driven, time + ahead);
      if (Math.abs(then.sum - first.sum) > TOLERANCE * (then.size + first.size)) {
        throw contradiction(plan, vector, driven, time + ahead);
      }
    }
  }
}

/** Rows that have a prescribed value, with their joints. */
function drivenRows({ blocks, model }: Plan): Map<number, DrivenRow> {
  const driven = new Map<number, DrivenRow>();
  for (const { block, firstRow, joint } of blocks) {
    let row = firstRow;
    for (const data of block.rows) {
      if (data.names.length === 1) driven.set(row, { joint: model.joints[joint]!.name, row: data });
      row += data.names.length;
    }
  }
  return driven;
}

function isDrive(row: RowData | undefined): boolean {
  return typeof row?.prescribed === "object";
}

/** x . f(t), and how large its terms are. Undefined values are ignored. */
function total(
  { rows, values }: NullVector,
  driven: ReadonlyMap<number, DrivenRow>,
  t: number,
): { sum: number; size: number } {
  let [sum, size] = [0, 0];
  rows.forEach((row, i) => {
    const prescribed = driven.get(row)?.row.prescribed;
    if (typeof prescribed !== "object") return;
    const term = values[i]! * driveAt(prescribed, t);
    sum += term;
    size += Math.abs(term);
  });
  return { sum, size };
}

function driveAt({ value }: Drive, t: number): number {
  try {
    return value(t);
  } catch {
    return Number.NaN;
  }
}

/** x . gamma = 0 at the start. */
function checkAccelerations(
  { plan, q, v, time, make }: Examined,
  vectors: readonly NullVector[],
  driven: ReadonlyMap<number, DrivenRow>,
): void {
  if (vectors.length === 0) return;
  const system = make(plan);
  system.workspace.seal();
  system.quantities.arrays.q.set(q);
  system.quantities.arrays.v.set(v);
  system.at(time);
  system.constraints.gamma();
  const { gamma } = system.quantities.arrays;
  for (const vector of vectors) {
    let [sum, size] = [0, 0];
    vector.rows.forEach((row, i) => {
      sum += vector.values[i]! * gamma[row]!;
      size += Math.abs(vector.values[i]! * gamma[row]!);
    });
    const values = total(vector, driven, time).size;
    if (Math.abs(sum) > TOLERANCE * (size + values)) {
      throw contradiction(plan, vector, driven, time);
    }
  }
}

function contradiction(
  { model }: Plan,
  { rows }: NullVector,
  driven: ReadonlyMap<number, DrivenRow>,
  t: number,
): NodriftError {
  const own = rows.filter((row) => isDrive(driven.get(row)?.row));
  const names = [...new Set(own.map((row) => `"${driven.get(row)!.joint}"`))];
  const others = rows.flatMap((row) => {
    const name = driven.get(row) && `"${driven.get(row)!.joint}"`;
    return name && !names.includes(name) ? [name] : [];
  });
  const against =
    names.length > 1
      ? `the drives ${names.join(" and ")} contradict each other`
      : `the drive ${names[0]} contradicts ${[...new Set(others)].join(", ")}`;
  return new NodriftError(
    "ASSEMBLY",
    `${model.name}: ${against} at t = ${t}: the same motion is prescribed twice with ` +
      "different values. Remove one drive, or make the functions agree",
  );
}
