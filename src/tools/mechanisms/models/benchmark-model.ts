import type { Model } from "../../../describe/mechanism.js";

/** A ready model of rigid bodies, and where its data come from. */
export interface BenchmarkModel {
  /** Its name. */
  readonly name: string;
  /** What it is, in a sentence. */
  readonly description: string;
  /** Where it comes from. */
  readonly reference: string;
  /** Explicit methods need steps of microseconds for it: stiff, or small and fast. */
  readonly stiff?: true;
  /** A new model, as described. */
  build(): Model;
}

/** A state of a model that is known: positions and velocities as a simulation has them. */
export interface StateReference {
  /** Time of the state. */
  readonly time: number;
  /** Positions. */
  readonly q: readonly number[];
  /** Velocities. */
  readonly v: readonly number[];
}

/** A number for each line. */
export type ReferenceRow = readonly number[];
