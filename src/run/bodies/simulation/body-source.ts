import type { StateData, System } from "../../../interfaces/index.js";
import type { Difference } from "../../../model/compare.js";
import type { ModelSettings, NamedNumber } from "../../../model/settings.js";
import type { ModelReport } from "../coordinates/tree-report.js";
import type { ReadModel } from "../probe/probe.js";

/** Source of a simulation: a compiled model. */
export interface BodySource extends ReadModel {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  readonly report: ModelReport;
  /** Values that were set. */
  readonly settings: ModelSettings;
  /** Parameters by name, with their present values. */
  readonly parameters: readonly NamedNumber[];
  /** Returns the settings after one more call of `set`. */
  settingsAfter(where: string, given: readonly unknown[]): ModelSettings;
  /** Returns a copy with these settings, and the kind of difference. */
  withSettings(settings: object): { model: BodySource; difference: Difference };
  /** Returns a copy whose initial state is the given state; its couplings hold their values of that state. */
  withLocks(state: Omit<StateData, "time">): BodySource;
  /** Creates a system with memory of its own, in the integrated coordinates. */
  system(): System;
}
