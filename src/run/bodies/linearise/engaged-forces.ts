// Forces that act only now and then, as if they acted: a tyre in the air, a stop that is not touched, friction that slides, a motor at
// its limit. A method is chosen before the motion, and has to be stable for all that the motion may meet.

import {
  ForceKind,
  FrictionData,
  Sensor,
  SensorKind,
  StopData,
  TyreData,
  Want,
} from "../../../../assembly/layout-bodies.js";
import { MotorData } from "../../../../assembly/layout-motor.js";
import type { ForceData } from "../../../describe/model/model-data.js";
import { power } from "../../../ground/algebra/portable-power.js";
import { column, dot, norm, subtract } from "../../../ground/algebra/vectors.js";
import { poseOfBody, poseOfMarker } from "../probe/pose-reading.js";
import type { ReadContext } from "../reactions/joint-reading.js";

/** How deep a stop is pressed in the state that is looked at, in radians or lengths of the model: more than differences go. */
const PRESSED = 2 ** -6;

/** Writes constants with which they act, in the memory of the reader. Gives what undoes that. */
export function engageForces(context: ReadContext): () => void {
  const { model, probe } = context;
  const { forces } = model.data;
  probe.load();
  probe.system.dynamics.forces();
  probe.system.quantities.requireSensors(Want.PHI | Want.RATES);
  const { data } = probe.system.quantities.arrays;
  const before = data.slice();
  const energy = impactEnergy(context);
  for (const [i, force] of forces.entries()) {
    const slot = model.plan.forceSlots[i]!;
    engage(context, force, data.subarray(slot, slot + force.constants.length), energy);
  }
  return () => data.set(before);
}

function engage(
  { model, probe, present }: ReadContext,
  { kind, a, b }: ForceData,
  law: Float64Array,
  energy: number,
): void {
  switch (kind) {
    case ForceKind.TYRE: {
      if (law[TyreData.CANNOT_PULL] === 0) return;
      const [road, wheel] = [a, b].map((marker) => poseOfMarker(model.data, present(), marker));
      const height = dot(column(road!.axes, 2), subtract(wheel!.point, road!.point));
      // Pressed by nothing: a tyre that pulled by metres would have a stiffness of its own across.
      law[TyreData.RADIUS] = height - law[TyreData.HEIGHT]!;
      law[TyreData.CANNOT_PULL] = 0;
      return;
    }
    case ForceKind.STOP: {
      const stiffness = law[StopData.STIFFNESS]!;
      if (stiffness === 0) return;
      // The depth at which k x^n has taken up the energy, and the slopes of the law there; both by a linear stop.
      const n = law[StopData.EXPONENT]!;
      const depth = power(((n + 1) * energy) / stiffness, 1 / (n + 1));
      const isAngle = model.data.sensors[a]!.kind === SensorKind.ANGLE;
      const pressed = PRESSED * (isAngle ? 1 : model.length);
      law[StopData.STIFFNESS] = n * stiffness * power(depth, n - 1);
      law[StopData.EXPONENT] = 1;
      law[StopData.DAMPING]! *= depth / (n * pressed);
      const { sensors } = probe.system.quantities.arrays;
      law[StopData.UPPER] = sensors[Sensor.LENGTH * a + Sensor.VALUE]! - pressed;
      return;
    }
    case ForceKind.FRICTION: {
      // Its slope where it sticks: see assembly/forces/friction.ts.
      const [coulomb, still] = [law[FrictionData.COULOMB]!, law[FrictionData.STATIC]!];
      const slope = 4 * coulomb + (16 / 9) * (still - coulomb);
      law[FrictionData.VISCOUS]! += (law[FrictionData.LOAD]! * slope) / law[FrictionData.SPEED]!;
      return;
    }
    case ForceKind.MOTOR:
      law.fill(Number.MAX_VALUE, MotorData.MOST_TORQUE, MotorData.MOST_POWER + 1);
  }
}

/** Of everything that moves, at the present speeds or after a fall by a length of the model. The stiffness of Hertz's law is its fifth root. */
function impactEnergy({ model, present }: ReadContext): number {
  const { bodies, gravity } = model.data;
  const fall = 2 * norm(gravity) * model.length;
  const energy = bodies.reduce((sum, { mass }, i) => {
    const { velocity, omega } = poseOfBody(model.data, present(), i);
    const speed = norm(velocity) + model.length * norm(omega);
    return sum + (mass * (speed * speed + fall)) / 2;
  }, 0);
  return energy > 0 ? energy : 1;
}
