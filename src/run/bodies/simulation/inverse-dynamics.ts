// What motions cost: forces of drives, and those behind given accelerations.

import { DistanceData, RowKind } from "../../../../assembly/layout-bodies.js";
import { locationOf, show } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import { stateNumbers } from "../../stepping/options.js";
import type { ReadContext } from "../reactions/joint-reading.js";

/**
 * The force or torque of each drive at the present state, by name: positive where it acts along its angle,
 * displacement or length, so that it times the rate is the power it gives. The multiplier of the row is
 * that, but for a length: its row (d . d - L^2) / (2 L0) has the rate |d| / L0 times that of the length.
 */
export function driveForces({ model, reactions }: ReadContext, t: number): Record<string, number> {
  const { plan, data } = model;
  const { values } = reactions.multipliers();
  const forces = plan.blocks.flatMap(({ block, firstRow, joint }): [string, number][] => {
    const { name, isDrive } = data.joints[joint]!;
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

/**
 * M a - Q: what must act on the bodies, besides the forces of the model, for them to accelerate so. Six
 * numbers for each body: force in the world, and torque about the centre of mass in the body's axes.
 */
export function inverseDynamics(
  { probe, reactions }: ReadContext,
  given?: ArrayLike<number>,
): Float64Array {
  const accelerations =
    given === undefined
      ? reactions.accelerations()
      : stateNumbers.read(given, locationOf("inverseDynamics", "STEP", "accelerations"));
  const { system, arena, vector } = probe;
  const { velocities, velocityNames: coordinateNames } = system.coordinates;
  if (accelerations.length !== velocities) {
    throw new NodriftError(
      "STEP",
      `inverseDynamics: ${accelerations.length} accelerations are given; the bodies have ${velocities}`,
    );
  }
  const bad = Array.from(accelerations).findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    throw new NodriftError(
      "STEP",
      `inverseDynamics: the acceleration of "${coordinateNames[bad]}" is ${show(accelerations[bad])}`,
    );
  }
  const values = Float64Array.from(accelerations);
  probe.load();
  const view = arena.floats(vector);
  view.set(values);
  system.dynamics.massTimes(vector.address, vector.address);
  arena.kernels.axpy(velocities, -1, system.dynamics.forces(), vector.address, vector.address);
  return view.slice();
}
