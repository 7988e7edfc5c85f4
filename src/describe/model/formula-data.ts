// A formula of a mechanism as plain data: a graph, and what each of its slots is measured from.

import type { SensorKind } from "../../../assembly/layout-bodies.js";
import type { Vector } from "../../ground/algebra/vectors.js";
import type { Node } from "../expressions/graph.js";

/** A number that formulas can be made of. Bodies, markers and sensors by their places in the lists of the model. */
export type MeasuredInput =
  | { readonly kind: "time" }
  | { readonly kind: "parameter"; readonly name: string; readonly value: number }
  /** Of a point in the body's frame, along an axis of the world. */
  | {
      readonly kind: "position" | "velocity";
      readonly body: number;
      readonly point: Vector;
      readonly axis: number;
    }
  | { readonly kind: "speed"; readonly body: number; readonly point: Vector }
  /** Of a direction fixed to the body, along an axis of the world. */
  | {
      readonly kind: "direction";
      readonly body: number;
      readonly direction: Vector;
      readonly axis: number;
    }
  | { readonly kind: "angularVelocity"; readonly body: number; readonly axis: number }
  /** Between two markers. An angle is that of a sensor, whose turns are counted. */
  | {
      readonly kind: "sensor";
      readonly sensor: SensorKind;
      readonly a: number;
      readonly b: number;
      readonly index: number | undefined;
      readonly isRate: boolean;
    }
  /** Of a set of states. Systems read it as the velocity of the body that carries it: src/systems/bodies/plan/carriers.ts. */
  | { readonly kind: "state"; readonly set: string; readonly own: string }
  /**
   * Where marker b is in the axes of marker a, as roads see wheels; or how far it is turned about them, as bushings measure
   * it: 2 x the vector part of the relative Euler parameters, of which the first is not negative.
   */
  | {
      readonly kind: "seen" | "turned";
      readonly a: number;
      readonly b: number;
      readonly axis: number;
      readonly isRate: boolean;
    };

/** A formula over numbers that are measured. */
export interface MeasuredFormula {
  readonly text: string;
  /** Operands first, the last is the result. Slot i is input i. */
  readonly parts: readonly Node[];
  readonly inputs: readonly MeasuredInput[];
}
