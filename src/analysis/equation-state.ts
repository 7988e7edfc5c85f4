// State handling shared by tools that evaluate equations at single states.

import { argument, finite, locationOf, reading, refuseMore, show } from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import { checkState } from "../run/stepping/options.js";
import { isEquations } from "../run/stepping/source.js";
import type { Equations } from "../systems/equations/equations.js";
import type { EquationSystem } from "../systems/equations/system.js";

/** A state, such as a simulation. */
export interface StateLike {
  readonly q: ArrayLike<number>;
  readonly v: ArrayLike<number>;
  readonly time?: number;
}

/** Throws unless a value was created by `equations()`. */
export function requireEquations(
  where: string,
  given: Equations,
  more: readonly undefined[],
): Equations {
  refuseMore(where, "DESCRIPTION", more, "it takes equations");
  const place = locationOf(where, "DESCRIPTION", "the equations");
  if (!reading(place, () => isEquations(given))) {
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: the argument must be a result of equations({ ... })`,
    );
  }
  return given;
}

/** Sets the trial state of a system to a given state. */
export function placeState(where: string, system: EquationSystem, state: StateLike): void {
  if (typeof state !== "object" || state === null) {
    throw new NodriftError("STEP", `the state is ${show(state)}; use { q, v, time }`);
  }
  const { q, v, time = 0 } = state;
  const names = system.coordinates.velocityNames;
  argument(where, "STEP", "time", time, finite);
  checkState("q", q, names);
  checkState("v", v, names);
  system.views.q.set(q);
  system.views.v.set(v);
  system.at(time);
}
