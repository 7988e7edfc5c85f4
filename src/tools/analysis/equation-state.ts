// What tools that look at equations state by state share.

import {
  argument,
  finite,
  locationOf,
  reading,
  refuseMore,
  show,
} from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { checkState } from "../../run/stepping/options.js";
import { isEquations } from "../../run/stepping/source.js";
import type { Equations } from "../../systems/equations/equations.js";
import type { EquationSystem } from "../../systems/equations/system.js";

/** A state; a simulation is one. */
export interface StateLike {
  readonly q: ArrayLike<number>;
  readonly v: ArrayLike<number>;
  readonly time?: number;
}

/** Refuses what `equations()` has not made. */
export function requireEquations(
  where: string,
  given: Equations,
  more: readonly undefined[],
): Equations {
  refuseMore(where, "DESCRIPTION", more, "it takes equations");
  const place = locationOf(where, "DESCRIPTION", "the equations");
  if (!reading(place, () => isEquations(given))) {
    throw new NodriftError("DESCRIPTION", `${where} takes what equations({ ... }) returns`);
  }
  return given;
}

/** Makes a given state the trial state. */
export function placeState(where: string, system: EquationSystem, state: StateLike): void {
  if (typeof state !== "object" || state === null) {
    throw new NodriftError("STEP", `the state is ${show(state)}; give { q, v, time }`);
  }
  const { q, v, time = 0 } = state;
  const names = system.coordinates.velocityNames;
  argument(where, "STEP", "time", time, finite);
  checkState("q", q, names);
  checkState("v", v, names);
  system.quantities.views.q.set(q);
  system.quantities.views.v.set(v);
  system.at(time);
}
