import { SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import type { System } from "../index.js";
import type { Projector } from "./projector.js";

/** Constraint error treated as zero. */
const CONSISTENCY_TOLERANCE = 1e-10;

/**
 * Projects the given initial state onto the constraints: positions first, then velocities. A state that satisfies them
 * to rounding keeps its bits. Throws an error that names the worst rows if there is no consistent state nearby.
 */
export function assemble(
  system: System,
  projector: Projector,
  t: number,
  read: (rows: Address) => Float64Array,
  held: readonly string[] = [],
): void {
  const position = projector.positions(t);
  if (!(position <= CONSISTENCY_TOLERANCE))
    throw failure(system, t, "positions", position, read(system.constraints.phi()), held);
  const velocity = projector.velocities(t);
  if (!(velocity <= CONSISTENCY_TOLERANCE))
    throw failure(system, t, "velocities", velocity, read(system.constraints.phiDot()), held);
}

function failure(
  system: System,
  t: number,
  what: "positions" | "velocities",
  residual: number,
  values: Float64Array,
  held: readonly string[],
): SimulationError {
  const names = held.map((name) => `"${name}"`).join(", ");
  const advice =
    held.length > 0 ? `Hold fewer than ${names}.` : "Do the constraints contradict each other?";
  const worst = Array.from(values, (value, row) => ({
    value,
    name: system.constraints.rowNames[row],
  }))
    .filter(({ value }) => !(Math.abs(value) <= CONSISTENCY_TOLERANCE))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, 3)
    .map(({ value, name }) => `"${name}" ${value.toExponential(2)}`);
  return new SimulationError(
    "ASSEMBLY",
    t,
    `the given ${what} violate the constraints at t = ${t} and projection found no consistent state nearby: ` +
      `residual ${residual.toExponential(2)} (${worst.join(", ")}). ${advice} ` +
      'To use the start unchanged, pass start: "asGiven"',
  );
}
