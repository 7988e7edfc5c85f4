import { add, cross, scale, vectorOf } from "../../../src/base/algebra/vectors.js";
import { type Model, model } from "../../../src/model/mechanism.js";
import { rod } from "../../../src/model/shapes.js";
import { requireNothing } from "../checks.js";
import { stiffPendulumData as data } from "../equations/stiff-pendulum.js";

/**
 * The stiff double pendulum of Negrut et al. as rigid bodies in space: hinges about z, gravity is
 * along -y. Angles of hinges are zero at the start, at which those of the rods are 2 pi and 23 pi / 12.
 *
 * @example
 * const { end } = solve(await compile(stiffPendulum()), { span: [0, 2], integrator: sdirk4() });
 * console.log(end.joint("elbow").angle);
 */
export function stiffPendulum(...more: undefined[]): Model {
  requireNothing("stiffPendulum", more);
  const m = model({ name: "stiff double pendulum", gravity: [0, -data.gravity, 0] });
  const axis = vectorOf(0, 0, 1);
  const along = (angle: number) => vectorOf(Math.cos(angle), Math.sin(angle), 0);
  const arm1 = scale(data.half1, along(data.theta1));
  const arm2 = scale(data.half2, along(data.theta2));
  const omega1 = vectorOf(0, 0, data.rate1);
  const omega2 = vectorOf(0, 0, data.rate2);
  const end = scale(2, arm1);
  const rod1 = m.body({
    name: "rod 1",
    mass: data.mass1,
    shape: rod({ length: 2 * data.half1, axis: [1, 0, 0] }),
    position: arm1,
    orientation: { axis, angle: data.theta1 },
    velocity: cross(omega1, arm1),
    angularVelocity: omega1,
  });
  const rod2 = m.body({
    name: "rod 2",
    mass: data.mass2,
    shape: rod({ length: 2 * data.half2, axis: [1, 0, 0] }),
    position: add(end, arm2),
    orientation: { axis, angle: data.theta2 },
    velocity: add(cross(omega1, end), cross(omega2, arm2)),
    angularVelocity: omega2,
  });
  const pivot = m.revolute({ name: "pivot", between: [m.ground, rod1], at: [0, 0, 0], axis });
  const elbow = m.revolute({ name: "elbow", between: [rod1, rod2], at: end, axis });
  m.torsionSpring({
    name: "soft spring",
    joint: pivot,
    stiffness: data.stiffness1,
    damping: data.damping1,
    angle: data.slack1 - data.theta1,
  });
  m.torsionSpring({
    name: "stiff spring",
    joint: elbow,
    stiffness: data.stiffness2,
    damping: data.damping2,
    angle: data.theta1 - data.theta2,
  });
  return m;
}
