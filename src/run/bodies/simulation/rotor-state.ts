import {
  BODY_POSITIONS,
  BODY_VELOCITIES,
  Sensor,
  Want,
} from "../../../../assembly/layout-bodies.js";
import type { StateData } from "../../../seam/index.js";
import { angleCount } from "../../../systems/bodies/system/angle-continuation.js";
import { currentState } from "../probe/current-state.js";
import { Probe, type ReadModel } from "../probe/probe.js";

/**
 * Rotors turn with what their motors move: with the angle, displacement or length s of a motor the coordinate of its rotor is
 * x = sqrt(J) n s less what their coupling holds. Writes x and x' for the bodies of a state. Left where they were, projection onto the
 * couplings would share the difference out between bodies and rotors, by their masses.
 */
export function writeRotors(source: ReadModel, state: StateData): void {
  const { data, plan } = source;
  const rotors = data.forces.filter(({ rotor }) => rotor !== undefined);
  if (rotors.length === 0) return;
  const probe = new Probe(source, () => currentState(plan, state));
  probe.load();
  const { quantities } = probe.system;
  quantities.requireSensors(Want.PHI | Want.RATES);
  const { sensors } = quantities.arrays;
  for (const [i, { a, rotor }] of rotors.entries()) {
    const own = data.sensors.length + i;
    const coupling = plan.couplings.findIndex((each) => each.sensors.includes(own));
    const held = state.turns[angleCount(plan) + coupling]!;
    const factor = Math.sqrt(rotor!);
    const [body, axis] = [data.bodies.length + Math.floor(i / 3), i % 3];
    const at = Sensor.LENGTH * a;
    state.q[BODY_POSITIONS * body + axis] = factor * sensors[at + Sensor.VALUE]! - held;
    state.v[BODY_VELOCITIES * body + axis] = factor * sensors[at + Sensor.RATE]!;
  }
}
