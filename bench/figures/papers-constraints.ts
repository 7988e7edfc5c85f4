// Accelerations of all formulations, and constraints that are non-ideal or nonlinear in velocities.

import { driftElimination, formulations, type Method, rk4, simulate, udwadiaKalaba } from "nodrift";
import { distanceFromSaddle, formulationProblems } from "#experiments";
import { bead, beadSpeed, block, blockPosition } from "../../test/support/friction.js";
import { orderOnCone } from "../../test/support/nonlinear-rows.js";
import { atLeast, atMost, type Figure } from "./figure.js";

const exact = formulations.filter(({ isApproximate }) => !isApproximate);
const inertial: Method = { formulation: udwadiaKalaba(), integrator: rk4() };

export async function* paperConstraintFigures(): AsyncGenerator<Figure> {
  yield* accelerations();
  yield* nonIdeal();
  yield* nonlinear();
}

function* accelerations(): Generator<Figure> {
  for (const [name, problem] of Object.entries(formulationProblems)) {
    const distances = exact.map((formulation) => distanceFromSaddle(problem, formulation, 200));
    yield atMost(
      `${name}: accelerations of ${exact.length} formulations against the saddle point system, 200 states`,
      Math.max(...distances),
      1e-12,
    );
  }
}

function* nonIdeal(): Generator<Figure> {
  const eliminated: Method = { ...inertial, stabilisation: driftElimination() } as Method;
  for (const [name, method] of [
    ["udwadiaKalaba", inertial],
    ["driftElimination", eliminated],
  ] as const) {
    const sliding = block();
    const { q } = simulate(sliding.equations, {
      method,
      step: 0.01,
      q: sliding.q,
      v: sliding.v,
    }).runTo(1);
    const [x, y] = blockPosition(1);
    const apart = Math.hypot((q[0] as number) - x, (q[1] as number) - y);
    yield atMost(`block with dry friction, ${name}: distance from the closed form`, apart, 1e-9);
    const circle = bead();
    const run = simulate(circle.equations, { method, step: 1e-3, q: circle.q, v: circle.v });
    let worst = 0;
    run.runTo(0.2, () => {
      const angle = Math.atan2(run.q[0] as number, -(run.q[1] as number));
      worst = Math.max(worst, Math.abs(Math.hypot(...run.v) - beadSpeed(angle)));
    });
    yield atMost(`pendulum with dry friction, ${name}: speed against the closed form`, worst, 1e-9);
  }
}

function* nonlinear(): Generator<Figure> {
  const taking = exact.filter(({ level }) => level === "acceleration");
  const orders = taking.map((formulation) =>
    orderOnCone({ formulation, integrator: rk4() }, inertial),
  );
  yield atLeast(
    `vx^2 + vy^2 = vz^2: lowest order with RK4 of ${taking.length} formulations`,
    Math.min(...orders),
    3.8,
  );
}
