// Common interface of all sources of a view: drawing, controls and the inspector do not depend on the kind of source.

import type { GrabOptions, ModelData, NamedNumber } from "../bodies.js";
import type { Frames } from "../draw/scene-data.js";
import type { LiveGrip } from "./source.js";

/** Values of parts by name, from a simulation or a state. */
export interface Readings {
  body(name: string): {
    readonly centreOfMass: readonly number[];
    readonly centreVelocity: readonly number[];
    readonly angularVelocity: readonly number[];
    readonly kineticEnergy: number;
  };
  joint(name: string): {
    force(): readonly number[];
    torque(): readonly number[];
    readonly angle: number | undefined;
    readonly displacement: number | undefined;
    readonly length: number | undefined;
    readonly driveForce: number | undefined;
  };
  force(name: string): {
    force(): readonly number[];
    torque(): readonly number[];
    readonly length: number | undefined;
    readonly power: number;
  };
}

/** A source of a view. */
export interface Feed {
  readonly data: ModelData;
  readonly time: number;
  /** Time span of a motion known in advance; undefined for a live motion. */
  readonly span: readonly [number, number] | undefined;
  /** Whether the source moves at all. */
  readonly moves: boolean;
  isPlaying: boolean;
  speed: number;
  /** Whether {@link speed} has an effect. */
  readonly hasSpeed: boolean;
  /** Advances by real seconds; by zero if the times of frames decrease. Throws the error that ended the motion. */
  advance(seconds: number): void;
  /** Writes the 4 x 4 column-major matrices of all bodies, one after the other. */
  matrices(out: Float32Array | Float64Array, offset: number): void;
  /** Runs ahead, calls `each` at intermediate times, and restores the state. */
  preview?: ((each: () => void) => void) | undefined;
  /** Moves by steps or stored states: forward, or backward if supported. */
  step?: ((count: number) => void) | undefined;
  rewind?: (() => void) | undefined;
  seek?: ((time: number) => void) | undefined;
  /** Joints and forces that the present mode of a live motion lacks. */
  readonly absent?: readonly string[] | undefined;
  readings(): Readings | undefined;
  /** Values at up to `most` stored times of a motion known in advance. */
  history?:
    | ((most: number) => readonly { readonly time: number; readonly at: Readings }[])
    | undefined;
  grab?:
    | ((
        body: string,
        point: readonly [number, number, number],
        options?: GrabOptions,
      ) => LiveGrip | Promise<LiveGrip>)
    | undefined;
  parameters(): readonly NamedNumber[];
  set?: ((values: Readonly<Record<string, number>>) => void) | undefined;
  /** Poses known in advance; undefined for a live motion, whose poses are collected. */
  readonly frames: Frames | undefined;
}
