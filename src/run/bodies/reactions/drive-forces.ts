// What driven motions cost.

import { DistanceData, RowKind } from "../../../../assembly/layout-bodies.js";
import type { RowData } from "../../../describe/model/model-data.js";
import type { ReadModel } from "../probe/probe.js";
import type { Reactions } from "./reactions.js";

/**
 * The force or torque of a drive for a multiplier of 1 of its row, positive where it acts along its angle, displacement or
 * length, so that it times the rate is the power it gives: 1, but for a length, whose row (d . d - L^2) / (2 L0) has the
 * rate |d| / L0 times that of the length.
 */
export function driveFactor({ kind, prescribed, constants }: RowData, t: number): number {
  if (kind !== RowKind.DISTANCE) return 1;
  const value = typeof prescribed === "object" ? prescribed.value(t) : (prescribed ?? 0);
  return value * constants[DistanceData.SCALE]!;
}

/** What forces of drives are read from. */
interface DrivenContext {
  readonly model: Pick<ReadModel, "plan" | "data">;
  readonly reactions: Pick<Reactions, "multipliers">;
}

/** The force or torque of each drive at the present state, by name. */
export function driveForces(
  { model, reactions }: DrivenContext,
  t: number,
): Record<string, number> {
  const { plan } = model;
  const { values } = reactions.multipliers();
  const forces = plan.blocks.flatMap(({ block, firstRow, joint }): [string, number][] => {
    const { name, isDrive } = plan.model.joints[joint]!;
    const [row] = block.rows;
    if (!isDrive || !row) return [];
    return [[name, values[firstRow]! * driveFactor(row, t)]];
  });
  // Assigned to an object one by one, that of a drive named "__proto__" would vanish.
  return Object.fromEntries(forces);
}
