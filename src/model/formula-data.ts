// A formula of a mechanism as plain data: a graph, and the quantity each of its slots measures.

import type { SensorKind } from "../../assembly/layout-bodies.js";
import type { Vector } from "../base/algebra/vectors.js";
import type { Node } from "../formulas/expressions/graph.js";

/** An input of formulas. Bodies, markers and sensors are indices in the lists of the model. */
export type MeasuredInput =
  | { readonly kind: "time" }
  | { readonly kind: "parameter"; readonly name: string; readonly value: number }
  /** Component of a body point, given in the body's frame, along a world axis. */
  | {
      readonly kind: "position" | "velocity";
      readonly body: number;
      readonly point: Vector;
      readonly axis: number;
    }
  | { readonly kind: "speed"; readonly body: number; readonly point: Vector }
  /** Component of a direction fixed to the body along a world axis. */
  | {
      readonly kind: "direction";
      readonly body: number;
      readonly direction: Vector;
      readonly axis: number;
    }
  | { readonly kind: "angularVelocity"; readonly body: number; readonly axis: number }
  /** Quantity between two markers. An angle is that of a sensor, which counts full turns. */
  | {
      readonly kind: "sensor";
      readonly sensor: SensorKind;
      readonly a: number;
      readonly b: number;
      readonly index: number | undefined;
      readonly isRate: boolean;
    }
  /** State of a set. Systems read it as the velocity of its auxiliary body: src/systems/bodies/plan/carriers.ts. */
  | { readonly kind: "state"; readonly set: string; readonly own: string }
  /**
   * Position of marker b in the axes of marker a, used by roads; or its rotation about them, used by bushings: 2 x
   * the vector part of the relative Euler parameters, the first of which is not negative.
   */
  | {
      readonly kind: "seen" | "turned";
      readonly a: number;
      readonly b: number;
      readonly axis: number;
      readonly isRate: boolean;
    };

/** A formula over measured quantities. */
export interface MeasuredFormula {
  readonly text: string;
  /** Nodes in order of evaluation; the last is the result. Slot i is input i. */
  readonly parts: readonly Node[];
  readonly inputs: readonly MeasuredInput[];
}
