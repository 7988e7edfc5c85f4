// Displacement along z of A: z_A . d, the g of dot2.ts without the prescribed part.

import { MarkerFrame, Sensor, Want } from "../layout-bodies";
import { at, set } from "../math/slots";
import { along, alongGamma, alongRate, setAlongRows } from "./dot2";

export function displacement(
  want: i32, A: usize, B: usize, bodyA: usize, bodyB: usize, sensor: usize,
): void {
  const z = at(A, MarkerFrame.AXES + 6);
  if (want & Want.PHI) set(sensor, Sensor.VALUE, along(z, A, B));
  if (want & Want.JACOBIAN) {
    const rowA = at(sensor, Sensor.JACOBIAN_A), rowB = at(sensor, Sensor.JACOBIAN_B);
    setAlongRows(z, A, B, bodyA, bodyB, rowA, rowB);
  }
  if (want & Want.RATES) {
    set(sensor, Sensor.RATE, alongRate(z, A, B, bodyA));
    set(sensor, Sensor.GAMMA, alongGamma(z, A, B, bodyA));
  }
}
