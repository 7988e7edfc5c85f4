import type { Model } from "../../../src/model/mechanism.js";

/** A predefined model of rigid bodies, and the source of its data. */
export interface BenchmarkModel {
  /** Its name. */
  readonly name: string;
  /** A description in one sentence. */
  readonly description: string;
  /** Source of the model. */
  readonly reference: string;
  /** True if explicit methods need steps of microseconds, as the model is stiff, or small and fast. */
  readonly stiff?: true;
  /** Builds a new model. */
  build(): Model;
}

/** A reference state of a model: positions and velocities as in a simulation. */
export interface StateReference {
  /** Time of the state. */
  readonly time: number;
  /** Positions. */
  readonly q: readonly number[];
  /** Velocities. */
  readonly v: readonly number[];
}

/** Values of one row of a reference table. */
export type ReferenceRow = readonly number[];
