import { locationOf, reading } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { Simulation } from "./simulation.js";

/** Throws unless the value is a simulation (duck-typed). */
export function requireSimulation(where: string, given: unknown): void {
  const place = locationOf(where, "STEP", "the simulation");
  if (reading(place, () => doesAsOne(given))) return;
  throw new NodriftError("STEP", `${where} takes a simulation: what simulate(...) returns`);
}

function doesAsOne(given: unknown): boolean {
  const { q, v, time, step, advance } = (given ?? {}) as Partial<Simulation>;
  return (
    ArrayBuffer.isView(q) &&
    ArrayBuffer.isView(v) &&
    Number.isFinite(time) &&
    Number.isFinite(step) &&
    typeof advance === "function"
  );
}
