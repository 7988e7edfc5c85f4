import { type Model, model } from "../../../src/model/mechanism.js";
import { sphere } from "../../../src/model/shapes.js";
import { requireNothing } from "../checks.js";
import type { ReferenceRow } from "./benchmark-model.js";

const RADIUS = 0.1;
/** Distance d of the centre from the axis, such that I / (m d) = d + 2/5 r^2 / d is 1 m. */
const DISTANCE = (1 + Math.sqrt(1 - 1.6 * RADIUS ** 2)) / 2;

/**
 * The simple pendulum of IFToMM's library, released from the horizontal, in the plane of x and y. A rigid
 * body cannot be a point; a ball of 1 kg and radius 0.1 m, its centre a little closer to the axis, swings as
 * a point mass at 1 m does. The marker "point" of the ball is where that would be.
 *
 * @example
 * const simulation = (await compile(simplePendulum())).simulate({ step: 1e-3 });
 */
export function simplePendulum(...more: undefined[]): Model {
  requireNothing("simplePendulum", more);
  const m = model({ name: "simple pendulum", gravity: [0, -9.81, 0] });
  const ball = m.body({
    name: "ball",
    mass: 1,
    shape: sphere({ radius: RADIUS }),
    position: [-DISTANCE, 0, 0],
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
  });
  ball.marker({ name: "point", at: [DISTANCE - 1, 0, 0] });
  m.revolute({ name: "hinge", between: [m.ground, ball], at: [0, 0, 0], axis: [0, 0, 1] });
  return m;
}

/** 4 K(sin 45 deg) sqrt(L / g). */
export const simplePendulumPeriod = 2.3678419475762373;

/** The point 1 m from the axis: t, x, y, x', y'. */
export const simplePendulumReference: readonly ReferenceRow[] = [
  [1, 0.9862917511318756, -0.16501085312553943, 0.29690551591632025, 1.7746436411127013],
  [2, -0.7935661953432971, -0.6084839304438237, -2.1024378744363266, 2.741935393010541],
  [5, -0.9423054350438078, -0.3347543384138585, 0.8579042568854657, -2.4149286543702826],
  [9.99, -0.3164364699135475, -0.9486137045756047, 4.092451991493031, -1.3651511202424447],
  [10, -0.2750874625766426, -0.9614192050989746, 4.175598100950873, -1.1947490545627009],
];
