// Sources of a view. They are distinguished by their members, so that a page that views one kind does not load the code
// of the others.

import type {
  BodySimulation,
  BodyState,
  CompiledModel,
  GrabOptions,
  Model,
  ModelData,
  NamedNumber,
} from "../bodies.js";
import type { Matrix4, Realtime, Run, Solution } from "../solve.js";

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
