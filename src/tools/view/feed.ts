// What a view needs of whatever it shows: one interface, so that drawing, buttons and numbers know no kinds of sources.

import type { GrabOptions, ModelData, NamedNumber } from "../../bodies.js";
import type { Frames } from "../report/scene-data.js";
import type { LiveGrip } from "./source.js";

/** Numbers of parts by name: a simulation, or a state. */
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

/** A source as a view sees it. */
export interface Feed {
  readonly data: ModelData;
  readonly time: number;
  /** Motion known beforehand: from and to. Undefined: it is made as it goes. */
  readonly span: readonly [number, number] | undefined;
  /** Whether it moves at all. */
  readonly moves: boolean;
  isPlaying: boolean;
  speed: number;
  /** Whether {@link speed} does something. */
  readonly hasSpeed: boolean;
  /** Lets real seconds pass, none if times of frames go back. Throws what ended the motion. */
  advance(seconds: number): void;
  /** Writes 4 x 4 matrices by columns of all bodies, one behind the other. */
  matrices(out: Float32Array | Float64Array, offset: number): void;
  /** Looks ahead, calls `each` at times in between, and puts everything back. */
  preview?: ((each: () => void) => void) | undefined;
  /** One step, or one stored state: forward, or backward where it can. */
  step?: ((count: number) => void) | undefined;
  rewind?: (() => void) | undefined;
  seek?: ((time: number) => void) | undefined;
  /** Joints and forces that the present mode lacks, where the motion is made as it goes. */
  readonly absent?: readonly string[] | undefined;
  readings(): Readings | undefined;
  /** Numbers at all stored times, where motion is known: at most so many. */
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
  /** Poses known beforehand; undefined: they are collected as it goes. */
  readonly frames: Frames | undefined;
}
