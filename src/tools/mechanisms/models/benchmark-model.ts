import type { Model } from "../../../describe/mechanism.js";

/** A ready model of rigid bodies, and where its data come from. */
export interface BenchmarkModel {
  readonly name: string;
  readonly description: string;
  readonly reference: string;
  /** Explicit methods need steps of microseconds for it, however smooth its motion is. */
  readonly stiff?: true;
  /** A new model, as described. */
  build(): Model;
}

/** A state of a model that is known: positions and velocities as a simulation has them. */
export interface StateReference {
  readonly time: number;
  readonly q: readonly number[];
  readonly v: readonly number[];
}

/** A number for each line. */
export type ReferenceRow = readonly number[];
