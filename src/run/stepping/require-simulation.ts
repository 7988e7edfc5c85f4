import { locationOf, reading } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { Simulation } from "./simulation.js";

/** Throws unless the value is a simulation (duck-typed). */
export function requireSimulation(where: string, given: unknown): void {
  const location = locationOf(where, "STEP", "the simulation");
  if (reading(location, () => isSimulationLike(given))) return;
  throw new NodriftError("STEP", `${where} takes a simulation: what simulate(...) returns`);
}

function isSimulationLike(given: unknown): boolean {
  const { q, v, time, step, advance } = (given ?? {}) as Partial<Simulation>;
  return (
    ArrayBuffer.isView(q) &&
    ArrayBuffer.isView(v) &&
    Number.isFinite(time) &&
    Number.isFinite(step) &&
    typeof advance === "function"
  );
}
