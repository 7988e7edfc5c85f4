import { NodriftError } from "../errors.js";
import { Simulation } from "./simulation.js";

/** Refuses what is no simulation. */
export function requireSimulation(where: string, given: unknown): void {
  if (given instanceof Simulation) return;
  throw new NodriftError("STEP", `${where} takes a simulation: what simulate(...) returns`);
}
