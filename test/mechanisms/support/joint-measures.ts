// Measurements of joints: positions and axes of one body in those of another.

import type { Body, Joint } from "nodrift/bodies";
import { type Attached, attach, counted, type Moving, relative } from "./reading.js";
import { type Scene, vectorFrom } from "./scene.js";
import { axesAlong, type M3, minus, norm, scaled, unit, type V3 } from "./vectors.js";

/** Measurements of a state: values that must be zero, and values that must change. */
export interface Measured {
  readonly held: readonly number[];
  readonly free: readonly number[];
}

export type Measure = (at: Moving, t: number) => Measured;

export interface JointCase {
  /** Whether it needs a third body. */
  readonly third?: boolean;
  /** Number of independent rows, with those of the joints it is built on. */
  readonly rows: number;
  /** Whether a drive does work, so that energy is not kept. */
  readonly works?: boolean;
  /** Whether it acts on B alone, even if A moves. */
  readonly alone?: boolean;
  /** Whether B rolls, glides or is read by a function: it cannot be the ground. */
  readonly onB?: boolean;
  /** Creates the joint, and returns a function from the initial state to its measurement. */
  readonly make: (scene: Scene) => (start: Moving) => Measure;
}

export const angleOf = (R: M3) => Math.atan2(R[1][0], R[0][0]);
export const tilt = (R: M3) => [R[0][2], R[1][2]];
export const turning = (R: M3) => [R[1][2], R[2][0], R[0][1]];
export const noRotation = (R: M3) => [...turning(R), R[2][1], R[0][2], R[1][0]];

export interface Frame {
  readonly at: V3;
  readonly axis: V3;
  readonly axes: M3;
}

export function frameFrom({ random }: Scene): Frame {
  const [at, axis] = [vectorFrom(random), unit(vectorFrom(random))];
  return { at, axis, axes: axesAlong(axis) };
}

/** Frames on both bodies that initially coincide. */
export function both(start: Moving, a: Body, b: Body, { at, axes }: Frame): [Attached, Attached] {
  return [attach(start, a, at, axes), attach(start, b, at, axes)];
}

type Between = (d: V3, R: M3, angle: number) => { held: number[]; free: number[] };

/** A joint with a position and an axis between A and B. */
export function between(
  rows: number,
  make: (scene: Scene, frame: Frame) => unknown,
  measure: Between,
): JointCase {
  return {
    rows,
    make(scene) {
      const frame = frameFrom(scene);
      make(scene, frame);
      return (start) => {
        const [a, b] = both(start, scene.a, scene.b, frame);
        const count = counted();
        return (at) => {
          const { d, R } = relative(at, a, b);
          return measure(d, R, count(angleOf(R)));
        };
      };
    },
  };
}

/** Two joints on A, of B and of C, and a coupling between them. */
export function coupling(
  second: "revolute" | "prismatic",
  couple: (scene: Scene, first: Joint, second: Joint) => unknown,
  mesh: (angle: number, other: number) => number,
): JointCase {
  return {
    third: true,
    rows: 11,
    make(scene) {
      const { m, a, b, c } = scene;
      const frames = [frameFrom(scene), frameFrom(scene)];
      const of = (index: number) => ({ at: frames[index].at, axis: frames[index].axis });
      const first = m.revolute({ between: [a, b], ...of(0) });
      couple(scene, first, m[second]({ between: [a, c], ...of(1) }));
      return (start) => {
        const [one, two] = [both(start, a, b, frames[0]), both(start, a, c, frames[1])];
        const counts = [counted(), counted()];
        return (at) => {
          const [x, y] = [relative(at, ...one), relative(at, ...two)];
          const angle = counts[0](angleOf(x.R));
          const isTurn = second === "revolute";
          const other = isTurn ? counts[1](angleOf(y.R)) : y.d[2];
          const held = isTurn ? [...y.d, ...tilt(y.R)] : [y.d[0], y.d[1], ...noRotation(y.R)];
          return {
            held: [...x.d, ...tilt(x.R), ...held, mesh(angle, other)],
            free: [angle, other],
          };
        };
      };
    },
  };
}

/** Two points at a distance. */
export function points(
  make: (scene: Scene, ends: { atA: V3; atB: V3 }, length: number) => unknown,
  lengthAt: (start: number, t: number) => number,
): JointCase {
  return {
    rows: 1,
    make(scene) {
      const [atA, atB] = [vectorFrom(scene.random), vectorFrom(scene.random)];
      const length = norm(minus(atB, atA));
      make(scene, { atA, atB }, length);
      return (start) => {
        const [a, b] = [attach(start, scene.a, atA), attach(start, scene.b, atB)];
        return (at, t) => {
          const { d, R } = relative(at, a, b);
          return {
            held: [norm(d) - lengthAt(length, t)],
            free: [...scaled(1 / norm(d), d), ...turning(R)],
          };
        };
      };
    },
  };
}
