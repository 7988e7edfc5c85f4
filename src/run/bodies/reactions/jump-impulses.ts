// Impulses of rows where velocities have jumped by d: M d = J^T L has the least L = S^+ J d, S = J M^-1 J^T. The multipliers
// of the motion are affine in their right-hand side r, S^+ (r - J M^-1 Q): their difference for J d and for zero is L.

import { rowsAt } from "../../public/given-state.js";
import type { ReadContext } from "./joint-reading.js";

/** Impulses that are less than this part of the largest are rounding. */
const ROUNDING = 1e-12;

/** By the names of rows, from the velocities before; those of rows that carry none are left out. */
export function jumpImpulses(
  { probe, model, present }: Pick<ReadContext, "probe" | "model" | "present">,
  before: Float64Array,
): Record<string, number> {
  const { system, arena, rows, otherRows, vector } = probe;
  probe.load();
  const jump = arena.floats(vector);
  const { v } = present();
  for (let i = 0; i < jump.length; i++) jump[i] = v[i]! - before[i]!;
  const found = multipliersFor(() =>
    system.constraints.jacobianTimes(vector.address, rows.address),
  );
  const none = multipliersFor(() => arena.floats(rows).fill(0));
  const impulses = found.map((value, row) => value - none[row]!);
  const least = ROUNDING * impulses.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const named = model.plan.rowNames.map((name, row) => [name, impulses[row]!] as const);
  return Object.fromEntries(named.filter(([, impulse]) => Math.abs(impulse) > least));

  function multipliersFor(write: () => void): Float64Array {
    write();
    const solver = system.dynamics.solver("auto");
    solver.factor();
    solver.multipliers(rows.address, otherRows.address);
    return rowsAt(arena, system, otherRows.address).slice();
  }
}
