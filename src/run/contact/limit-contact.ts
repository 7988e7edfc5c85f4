import { BODY_VELOCITIES, Sensor } from "../../../assembly/layout-bodies.js";
import { GROUND, type ModelData } from "../../model/model-data.js";
import type { ImpactContact } from "./impulses.js";
import type { Limit } from "./joint-limits.js";

/** Returns the impact contact of a limit: the covector of its closing motion, and its rate. */
export function limitContact(
  { sensors, markers }: Pick<ModelData, "sensors" | "markers">,
  { sensor, side }: Limit,
  restitution: number,
): ImpactContact {
  const { a, b } = sensors[sensor]!;
  const ends = [
    { body: markers[a]!.body, from: Sensor.LENGTH * sensor + Sensor.JACOBIAN_A },
    { body: markers[b]!.body, from: Sensor.LENGTH * sensor + Sensor.JACOBIAN_B },
  ].filter(({ body }) => body !== GROUND);
  return {
    restitution,
    closing(bodies, out) {
      const records = bodies.sensors(true);
      out.fill(0);
      for (const { body, from } of ends) {
        for (let i = 0; i < BODY_VELOCITIES; i++) {
          const slot = BODY_VELOCITIES * body + i;
          out[slot] = out[slot]! + side * records[from + i]!;
        }
      }
      return side * records[Sensor.LENGTH * sensor + Sensor.RATE]!;
    },
  };
}
