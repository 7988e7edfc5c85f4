// One law of force by itself: the kernels are given a table with no other in it.

import { BodyTable, ForceEntry, ForcePart } from "../../../../assembly/layout-bodies.js";

/** Forces without gravity and gyroscopic torques. */
export const LAWS_ALONE = ForcePart.CONSERVATIVE | ForcePart.OTHER | ForcePart.WITHOUT_GRAVITY;

/** What is changed in the table. */
const TOUCHED = [BodyTable.FORCE_COUNT, BodyTable.FORCE_LIST, BodyTable.BODY_COUNT] as const;

/** Acts with one law in the table, or with none; the table is as before when this returns. */
export function withLawAlone<Result>(
  fields: Int32Array,
  law: number | undefined,
  act: (leaveBodiesOut: () => void) => Result,
): Result {
  const before = TOUCHED.map((field) => fields[field]!);
  fields[BodyTable.FORCE_COUNT] = law === undefined ? 0 : 1;
  fields[BodyTable.FORCE_LIST]! += ForceEntry.LENGTH * (law ?? 0);
  try {
    return act(() => {
      fields[BodyTable.BODY_COUNT] = 0;
    });
  } finally {
    TOUCHED.forEach((field, i) => {
      fields[field] = before[i]!;
    });
  }
}
