import type { State, SystemSource } from "../../../interfaces/index.js";
import type { ModelData } from "../../../model/model-data.js";
import type { ModelSettings } from "../../../model/settings.js";
import type { Equations } from "../../../systems/equations/equations.js";
import type { EquationState } from "../../../systems/equations/state.js";

/** Anything that can be solved: a compiled mechanism, equations, an ode, or any object that creates systems. */
export type Source = Equations | SystemSource;

/** A source whose values can be set: a compiled mechanism. */
export interface ChangeableSource extends SystemSource {
  /** Returns the settings after a call of `set` with these arguments, as plain data. Checks the arguments. */
  settingsAfter(where: string, given: readonly unknown[]): object;
  /** Returns a copy with these settings. */
  withSettings(settings: object): { readonly model: ChangeableSource };
  /** Converts a state of the same mechanism with other values to the coordinates of this one. */
  stateFrom(source: object, state: Pick<State, "q" | "v">): Pick<State, "q" | "v">;
}

/** A compiled mechanism, whose joints can be locked. */
export interface HeldSource {
  readonly data: ModelData;
  readonly settings: ModelSettings;
}

export function isChangeable(source: Source): source is ChangeableSource {
  return typeof (source as Partial<ChangeableSource>).settingsAfter === "function";
}

/** State type of a source: with bodies and joints by name for mechanisms, with multipliers for equations. */
export type StateOf<S> = S extends { state(...data: never[]): infer T extends State }
  ? T
  : S extends Equations
    ? EquationState
    : State;
