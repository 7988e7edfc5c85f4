// Forces and torques of drives.

import { DistanceData, RowKind } from "../../../../assembly/layout-bodies.js";
import type { RowData } from "../../../model/model-data.js";
import type { ReadModel } from "../probe/probe.js";
import type { Reactions } from "./reactions.js";

/**
 * Returns the force or torque of a drive for a multiplier of 1 of its row, positive if it acts along its angle,
 * displacement or length; its product with the rate is the power delivered. It is 1 except for a length, whose row
 * (d . d - L^2) / (2 L0) has the rate |d| / L0 times that of the length.
 */
export function driveFactor({ kind, prescribed, constants }: RowData, t: number): number {
  if (kind !== RowKind.DISTANCE) return 1;
  const value = typeof prescribed === "object" ? prescribed.value(t) : (prescribed ?? 0);
  return value * constants[DistanceData.SCALE]!;
}

/** Data from which forces of drives are read. */
interface DrivenContext {
  readonly model: Pick<ReadModel, "plan" | "data">;
  readonly reactions: Pick<Reactions, "multipliers">;
}

/** Returns the force or torque of each drive at the present state, by name. */
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
  // Plain assignment would drop a drive named "__proto__".
  return Object.fromEntries(forces);
}
