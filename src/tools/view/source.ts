// What can be viewed. Everything here is told apart by what it can do, so that a page which views one kind does not load
// the code of the others.

import type {
  BodySimulation,
  BodyState,
  CompiledModel,
  GrabOptions,
  Model,
  ModelData,
  NamedNumber,
} from "../../bodies.js";
import type { Matrix4, Realtime, RealtimeRun, Solution } from "../../solve.js";

/** A point of a body that is being dragged. */
export interface LiveGrip {
  /** Pulls the point to a place of the world from now on. */
  moveTo(place: readonly [number, number, number]): unknown;
  /** Lets go. */
  release(): unknown;
}

/**
 * A mechanism that moves by itself, in a worker for instance: what a view asks of it. All but the first three are optional;
 * what is missing is not offered to the user.
 */
export interface LiveSource {
  /** Names of its bodies, in the order of the model. */
  readonly bodies: readonly string[];
  /** Time of what is drawn. */
  readonly time: number;
  /** Writes where a body is drawn: 4 x 4 by columns, as `matrix` of {@link Realtime} does. */
  matrix(body: string | number, out: Matrix4, offset?: number): unknown;
  /** The model as plain data. Without it give the option `model`. */
  readonly data?: ModelData;
  /** Joints and forces that its present mode lacks: they are not drawn. */
  readonly absent?: readonly string[];
  /** Whether its clock stands. */
  paused?: boolean;
  /** Simulated seconds in a real one. */
  speed?: number;
  /** Takes one step while it is paused. */
  step?(): unknown;
  /** Goes back to its start. */
  rewind?(): unknown;
  /** Takes hold of a point, in the frame of the body. */
  grab?(
    body: string,
    point: readonly [number, number, number],
    options?: GrabOptions,
  ): LiveGrip | Promise<LiveGrip>;
  /** Parameters with their present values. */
  readonly parameters?: readonly NamedNumber[];
  /** Sets parameters by their names. */
  set?(values: Readonly<Record<string, number>>): unknown;
}

/** A live object of `spawn` of nodrift/worker: it is asked, and answers later. Give its model as the option `model`. */
export interface WorkerSource extends Pick<LiveSource, "bodies" | "time" | "matrix" | "absent"> {
  /** Whether its clock stood when the last frame was made. */
  readonly paused: boolean;
  /** Stops its clock. */
  pause(): Promise<void>;
  /** Lets its clock go on. */
  resume(): Promise<void>;
  /** Sets how many simulated seconds are in a real one. */
  speed(speed: number): Promise<void>;
  /** Takes steps while it is paused. */
  step(count?: number): Promise<void>;
  /** What brings it back to the present state. */
  save(): Promise<unknown>;
  /** Goes back to what was saved. */
  restore(snapshot: never): Promise<void>;
  /** Takes hold of a point, in the frame of the body. */
  grab(
    body: string,
    point: readonly [number, number, number],
    options?: GrabOptions,
  ): Promise<LiveGrip>;
}

/** What a view shows. */
export type ViewSource =
  | BodySimulation
  | Realtime<BodySimulation>
  | RealtimeRun<BodyState>
  | LiveSource
  | WorkerSource
  | Solution<BodyState>
  | CompiledModel
  | Model;
