// Common interface of all sources of a view: drawing, controls and the inspector do not depend on the kind of source.

import type {
  BodySimulation,
  BodyState,
  CompiledModel,
  GrabOptions,
  Model,
  ModelData,
  NamedNumber,
} from "../bodies.js";
import type { Frames } from "../draw/scene-data.js";
import type { Matrix4, Realtime, Run, Solution } from "../solve.js";

// Sources of a view. They are distinguished by their members, so that a page that views one kind does not load the code
// of the others.

/** A grabbed point of a body. */
export interface LiveGrip {
  /** Sets the target that the point is pulled towards, in the world. */
  moveTo(place: readonly [number, number, number]): unknown;
  /** Releases the point. */
  release(): unknown;
}

/**
 * A mechanism that advances independently of the view, for instance in a worker. All members but the first three are
 * optional; controls of missing ones are not shown.
 */
export interface LiveSource {
  /** Names of the bodies, in the order of the model. */
  readonly bodies: readonly string[];
  /** Simulated time of the drawn state. */
  readonly time: number;
  /** Writes the drawn pose of a body: 4 x 4, column-major, as `matrix` of {@link Realtime} does. */
  matrix(body: string | number, out: Matrix4, offset?: number): unknown;
  /** Model as plain data. If missing, pass the option `model`. */
  readonly data?: ModelData;
  /** Joints and forces that the present mode lacks; they are not drawn. */
  readonly absent?: readonly string[];
  /** Whether simulated time stands still. */
  paused?: boolean;
  /** Simulated seconds per real second. */
  speed?: number;
  /** Takes one step while paused. */
  step?(): unknown;
  /** Returns to the initial state. */
  rewind?(): unknown;
  /** Grabs a point, given in the frame of the body. */
  grab?(
    body: string,
    point: readonly [number, number, number],
    options?: GrabOptions,
  ): LiveGrip | Promise<LiveGrip>;
  /** Parameters and their present values. */
  readonly parameters?: readonly NamedNumber[];
  /** Sets parameters by name. */
  set?(values: Readonly<Record<string, number>>): unknown;
}

/** A live model of `spawn` of nodrift/worker, whose calls are asynchronous. Pass its model as the option `model`. */
export interface WorkerSource extends Pick<LiveSource, "bodies" | "time" | "matrix" | "absent"> {
  /** Whether the model was paused when the last frame was made. */
  readonly paused: boolean;
  /** Pauses simulated time. */
  pause(): Promise<void>;
  /** Resumes simulated time. */
  resume(): Promise<void>;
  /** Sets the speed in simulated seconds per real second. */
  speed(speed: number): Promise<void>;
  /** Takes steps while paused. */
  step(count?: number): Promise<void>;
  /** Returns a snapshot of the present state. */
  save(): Promise<unknown>;
  /** Restores a snapshot. */
  restore(snapshot: never): Promise<void>;
  /** Grabs a point, given in the frame of the body. */
  grab(
    body: string,
    point: readonly [number, number, number],
    options?: GrabOptions,
  ): Promise<LiveGrip>;
}

/** Source of a view. */
export type ViewSource =
  | BodySimulation
  | Realtime<BodySimulation>
  | Realtime<Run<BodyState>>
  | LiveSource
  | WorkerSource
  | Solution<BodyState>
  | CompiledModel
  | Model;

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
