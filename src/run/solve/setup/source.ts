import type { State, SystemSource } from "../../../seam/index.js";
import type { Equations } from "../../../systems/equations/equations.js";
import type { EquationState } from "../../../systems/equations/state.js";

/** What can be solved: a compiled mechanism, equations, an ode, or anything that makes systems. */
export type Source = Equations | SystemSource;

/** The states of a source: with bodies and joints by name where it has them, with multipliers where it is equations. */
export type StateOf<S> = S extends { state(...data: never[]): infer T extends State }
  ? T
  : S extends Equations
    ? EquationState
    : State;
