import { Want } from "../../../../assembly/layout-bodies.js";
import type { BodyQuantities } from "./quantities.js";

/** Values and rates of all sensors at the trial state, with their Jacobians on request. */
export function sensorRecords(quantities: BodyQuantities, withJacobians: boolean): Float64Array {
  quantities.requireSensors(Want.PHI | Want.RATES | (withJacobians ? Want.JACOBIAN : 0));
  return quantities.arrays.sensors;
}
