// A mechanism in plain numbers.

import type { ForceKind, SensorKind } from "./layout.js";
import type { Vector } from "./vectors.js";

export interface BodySpec {
  readonly mass: number;
  /** 3 x 3. */
  readonly inertia: Vector;
  /** q and v: seven and six coordinates. */
  readonly position: Vector;
  readonly velocity: Vector;
}

/** Body -1 is the ground. */
export interface MarkerSpec {
  readonly body: number;
  readonly arm: Vector;
  /** Euler parameters of its axes in the body. */
  readonly axes: Vector;
}

export interface ForceSpec {
  readonly kind: ForceKind;
  readonly a: number;
  readonly b?: number;
  readonly flag?: number;
  readonly data: Vector;
}

export interface Spec {
  readonly gravity: Vector;
  readonly bodies: readonly BodySpec[];
  readonly markers: readonly MarkerSpec[];
  /** Pairs of markers; displacements if no kind is given. */
  readonly sensors: readonly (readonly [a: number, b: number, kind?: SensorKind])[];
  readonly forces: readonly ForceSpec[];
}

/** A body in the world. */
export interface Pose {
  readonly point: Vector;
  readonly e: Vector;
  readonly velocity: Vector;
  readonly omega: Vector;
}

/** A marker in the world. */
export interface Place {
  readonly body: number;
  readonly point: Vector;
  readonly e: Vector;
  readonly velocity: Vector;
  /** Angular velocity of its body. */
  readonly omega: Vector;
}
