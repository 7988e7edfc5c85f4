import { locationOf, reading, show } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { System, SystemSource } from "../../interfaces/index.js";
import { assemble, bindProjector } from "../../interfaces/projection/projector.js";
import {
  type Equations,
  equationParts,
  type RowSwitching,
  rowSwitching,
} from "../../systems/equations/equations-types.js";
import type { EquationSystem } from "../../systems/equations/system.js";
import { ASSEMBLY } from "../public/public-view.js";
import { checkState } from "./options.js";

/**
 * Throws for values that are no system: a model that is not compiled, a promise that is not awaited, a bare
 * description.
 */
export function checkSource(where: string, source: unknown, example: string): void {
  const location = locationOf(where, "STEP", "the first argument");
  const fits = reading(location, () => makesSystems(source) || isEquations(source));
  if (fits) return;
  throw new NodriftError(
    "STEP",
    `${where}: the first argument is not a system: give a compiled model or equations, as in ${example}`,
  );
}

function makesSystems(source: unknown): source is SystemSource {
  return isObject(source) && typeof source.system === "function";
}

/** Whether a value was made by `equations`. */
export function isEquations(source: unknown): source is Equations {
  if (!isObject(source) || !isObject(source.description) || !isObject(source.mass)) return false;
  if (!(equationParts in source)) return false;
  const lists = ["coordinateNames", "holonomicNames", "nonholonomicNames", "differentiated"];
  return (
    typeof source.description.forces === "function" &&
    lists.every((list) => Array.isArray(source[list]))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Returns the switching rows of a source; undefined if none switches. */
export function switchingOf(source: Equations | SystemSource): RowSwitching | undefined {
  return (source as { readonly [rowSwitching]?: RowSwitching })[rowSwitching];
}

/** Returns a new system of a checked source, with memory of its own. */
export function systemOf(source: Equations | SystemSource): System {
  if (!makesSystems(source)) return source[equationParts].system(source);
  const made: unknown = source.system();
  if (isObject(made) && isObject(made.workspace) && isObject(made.coordinates)) {
    return made as unknown as System;
  }
  throw new NodriftError("DESCRIPTION", `system() returned ${show(made)}, which is not a system`);
}

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
  const solver = system.dynamics.holding(system.matrices.dense, held);
  const projector = bindProjector(system, ASSEMBLY, solver);
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
