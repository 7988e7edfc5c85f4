// The forces behind given accelerations.

import { locationOf, show } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import { stateNumbers } from "../../stepping/options.js";
import type { ReadContext } from "../reactions/joint-reading.js";

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
