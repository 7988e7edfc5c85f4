import type { ModelData } from "../../../describe/model/model-data.js";
import type { ModelSettings } from "../../../describe/settings.js";
import type { State, SystemSource } from "../../../seam/index.js";
import type { Equations } from "../../../systems/equations/equations.js";
import type { EquationState } from "../../../systems/equations/state.js";

/** What can be solved: a compiled mechanism, equations, an ode, or anything that makes systems. */
export type Source = Equations | SystemSource;

/** A source whose numbers can be set: a compiled mechanism. */
export interface ChangeableSource extends SystemSource {
  /** What its settings become by a call of `set` with these arguments: plain data. Checks them. */
  settingsAfter(where: string, given: readonly unknown[]): object;
  /** A copy with these settings. */
  withSettings(settings: object): { readonly model: ChangeableSource };
  /** A state of the same mechanism with other numbers, in the numbers of this one. */
  stateFrom(source: object, state: Pick<State, "q" | "v">): Pick<State, "q" | "v">;
}

/** A compiled mechanism, whose joints can be held. */
export interface HeldSource {
  readonly data: ModelData;
  readonly settings: ModelSettings;
}

export function isChangeable(source: Source): source is ChangeableSource {
  return typeof (source as Partial<ChangeableSource>).settingsAfter === "function";
}

/** The states of a source: with bodies and joints by name where it has them, with multipliers where it is equations. */
export type StateOf<S> = S extends { state(...data: never[]): infer T extends State }
  ? T
  : S extends Equations
    ? EquationState
    : State;
