// What driven motions cost.

import { DistanceData, RowKind } from "../../../../assembly/layout-bodies.js";
import type { ReadModel } from "../probe/probe.js";
import type { Reactions } from "./reactions.js";

/** What forces of drives are read from. */
interface DrivenContext {
  readonly model: Pick<ReadModel, "plan" | "data">;
  readonly reactions: Pick<Reactions, "multipliers">;
}

/**
 * The force or torque of each drive at the present state, by name: positive where it acts along its angle,
 * displacement or length, so that it times the rate is the power it gives. The multiplier of the row is
 * that, but for a length: its row (d . d - L^2) / (2 L0) has the rate |d| / L0 times that of the length.
 */
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
    const { kind, prescribed, constants } = row;
    const value = typeof prescribed === "object" ? prescribed.value(t) : (prescribed ?? 0);
    const rate = kind === RowKind.DISTANCE ? value * constants[DistanceData.SCALE]! : 1;
    return [[name, values[firstRow]! * rate]];
  });
  // Assigned to an object one by one, that of a drive named "__proto__" would vanish.
  return Object.fromEntries(forces);
}
