import { placeOf, reading } from "../checking/index.js";
import { NodriftError } from "../errors.js";
import { Simulation } from "./simulation.js";

/** Refuses what is no simulation. */
export function requireSimulation(where: string, given: unknown): void {
  const place = placeOf(where, "STEP", "the simulation");
  if (reading(place, () => given instanceof Simulation)) return;
  throw new NodriftError("STEP", `${where} takes a simulation: what simulate(...) returns`);
}
