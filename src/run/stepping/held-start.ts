import { NodriftError } from "../../base/errors.js";
import type { SystemSource } from "../../interfaces/index.js";
import { assemble, bindProjector } from "../../interfaces/projection/projector.js";
import type { Equations } from "../../systems/equations/equations.js";
import { heldSolver } from "../../systems/equations/held-coordinates-solver.js";
import type { EquationSystem } from "../../systems/equations/system.js";
import { checkState } from "./options.js";
import { systemOf } from "./source.js";

/** Projection of an initial state onto the constraints by Newton's iteration. */
export const ASSEMBLY = { iterations: 50, tolerance: 1e-13, stoppable: true } as const;

/** An initial state with some coordinates of q and v held. */
export interface HeldStart {
  readonly q: ArrayLike<number>;
  readonly v: ArrayLike<number>;
  readonly time: number;
  /** Names of the held coordinates. */
  readonly hold: readonly string[];
}

/**
 * Projects the other coordinates onto the constraints, in a separate system, so that the run needs no memory for it.
 * Held coordinates keep their bits.
 */
export function heldStart(
  source: Equations | SystemSource,
  { q, v, time, hold }: HeldStart,
): { readonly q: Float64Array; readonly v: Float64Array } {
  const held = heldOf(source, hold);
  const system = systemOf(source) as EquationSystem;
  checkState("q", q, system.coordinates.velocityNames);
  checkState("v", v, system.coordinates.velocityNames);
  const { workspace, state } = system;
  const { positions, velocities } = system.coordinates;
  const { rows } = system.constraints;
  const projector = bindProjector(
    system,
    ASSEMBLY,
    heldSolver(system, system.matrices.dense, held),
  );
  const arena = workspace.seal();
  const found = arena.floats({ name: "state", address: state.q, slots: positions + velocities });
  found.set(Array.from(q));
  found.set(Array.from(v), positions);
  const read = (address: number) => arena.floats({ name: "rows", address, slots: rows });
  assemble(system, projector, time, read, hold);
  return { q: found.slice(0, positions), v: found.slice(positions) };
}

/** Returns the indices of the held coordinates; throws for names that the equations do not have. */
function heldOf(source: Equations | SystemSource, hold: unknown): ReadonlySet<number> {
  if (!Array.isArray(hold)) {
    throw new NodriftError("STEP", "hold must be a list of names of coordinates");
  }
  if (!("coordinateNames" in source)) {
    throw new NodriftError(
      "STEP",
      "hold is for systems given by equations; bodies are held when a model is made ready: " +
        'compile(model, { hold: ["crank"] })',
    );
  }
  const { coordinateNames } = source as Pick<Equations, "coordinateNames">;
  return new Set(
    hold.map((name) => {
      const index = coordinateNames.indexOf(name);
      if (index >= 0) return index;
      const there = coordinateNames.join(", ");
      throw new NodriftError("STEP", `hold: no coordinate is named "${name}"; there are: ${there}`);
    }),
  );
}

/** Throws if coordinates are held although all are used unchanged. */
export function checkHold(hold: unknown, start: "assemble" | "asGiven" | undefined): void {
  if (hold === undefined || start !== "asGiven") return;
  throw new NodriftError("STEP", 'hold and start: "asGiven" exclude each other: give one');
}
