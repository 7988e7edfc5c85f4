import type { Difference } from "../../../describe/model/compare.js";
import type { ModelSettings, NamedNumber } from "../../../describe/settings.js";
import type { StateData, System } from "../../../seam/index.js";
import type { ModelReport } from "../coordinates/model-report.js";
import type { ReadModel } from "../probe/probe.js";

/** What a simulation is made from: a compiled model. */
export interface BodySource extends ReadModel {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  readonly report: ModelReport;
  /** What has been set of its numbers. */
  readonly settings: ModelSettings;
  /** Parameters by name, with what they are now. */
  readonly parameters: readonly NamedNumber[];
  /** The settings after one more call of `set`. */
  settingsAfter(where: string, given: readonly unknown[]): ModelSettings;
  /** A copy with these settings, and what differs in it. */
  withSettings(settings: object): { model: BodySource; difference: Difference };
  /** A copy that starts in a state, whose couplings hold what they hold there. */
  holding(state: Omit<StateData, "time">): BodySource;
  /** A system with memory of its own, in the coordinates that are integrated. */
  system(): System;
}
