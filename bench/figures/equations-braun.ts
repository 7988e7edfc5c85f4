// The numbers of Braun and Goldfarb 2009, section 5, by RK4, Udwadia-Kalaba and drift elimination.

import { braunBiped1, braunBiped2, braunBiped3 } from "nodrift/mechanisms";
import {
  bipedError,
  braunMethod,
  comparisons,
  constraintOrder,
  errorAfterTwoSteps,
  exactAngles,
  fourBarsOf,
  runAgainstReference,
  runMinimal,
} from "#experiments";
import { atLeast, atMost, type Figure, within } from "./figure.js";

const { fourBars, pendulum, sliderCrank } = comparisons;

export async function* braunFigures(): AsyncGenerator<Figure> {
  yield* bipedFigures();
  yield* sliderCrankFigures();
  yield* fourBarsFigures();
  yield* pendulumFigures();
  yield* orderFigures();
}

function* bipedFigures(): Generator<Figure> {
  const expected = [5.248e-11, 2.708e-11, 1.56e-12];
  for (const [i, biped] of [braunBiped1, braunBiped2, braunBiped3].entries()) {
    const error = bipedError(biped, 100);
    yield within(`biped, exercise ${i + 1}: |Phi'| over 100 s at 1e-2`, error, expected[i], 0.03);
  }
}

function* sliderCrankFigures(): Generator<Figure> {
  const exact = exactAngles(sliderCrank, 100);
  const run = (options = {}) => runAgainstReference(sliderCrank, exact, braunMethod(options), 1e-3);
  const name = "slider-crank through its singular pose, 100 s at 1e-3";
  const cod = run();
  yield within(`${name}: error of the slider`, cod.motion, 4.33e-8, 0.03);
  yield atMost(`${name}: |Phi|`, cod.position, 1e-14);
  yield atMost(`${name}: |Phi'|`, cod.velocity, 1e-9);

  const svd = run({ solver: "svd" });
  const change = Math.abs(svd.motion / cod.motion - 1);
  yield atMost(`${name}: change of the error by SVD`, change, 1e-3);
  for (const tolerance of [1e-12, 1e-9, 1e-6]) {
    const change = Math.abs(run({ tolerance }).motion / cod.motion - 1);
    yield atMost(`${name}: change of the error by rank tolerance ${tolerance}`, change, 1e-6);
  }
  const coarse = run({ tolerance: 1e-5 });
  yield atLeast(`${name}: error with rank tolerance 1e-5 (harmful)`, coarse.motion, 1e-5);
  const harmed = run({ solver: "svd", tolerance: 1e-5 }).motion;
  yield within(`${name}: error by SVD with rank tolerance 1e-5 (harmful)`, harmed, 2.3e-5, 0.05);
  // A single amplified rounding error: 9e-11 to 4e-8 when the initial state is moved by 1e-12 to 1e-3. The bound of
  // 100 was set with kernels that yielded 3.5e-8; since their last bits changed it is 4.6e-10 and 52 times.
  const cholesky = run({ solver: "cholesky" }).velocity;
  yield atMost(`${name}: |Phi'| by Cholesky (survives)`, cholesky, 1e-7);
  yield atLeast(`${name}: |Phi'| by Cholesky / by COD`, cholesky / cod.velocity, 100);
}

function* fourBarsFigures(): Generator<Figure> {
  const exact = exactAngles(fourBars, 100);
  const name = "two four-bars through their singular pose, 100 s";
  const coarse = runAgainstReference(fourBars, exact, braunMethod(), 1e-2);
  yield within(`${name} at 1e-2: error of x3`, coarse.motion, 9e-3, 0.05);
  const minimal = runMinimal(fourBars, exact, 1e-2);
  yield within(`${name} at 1e-2: error of the minimal equation`, minimal, 1.72e-4, 0.03);
  yield atMost(`${name} at 1e-2: |Phi|`, coarse.position, 4e-9);
  const fine = runAgainstReference(fourBars, exact, braunMethod(), 1e-3);
  yield atMost(`${name} at 1e-3: error of x3`, fine.motion, 5e-7);

  // The distance of the nearest step from the singular pose is random: results for other gravities scatter.
  let worst = 0;
  for (const gravity of [9.8, 9.805, 9.815, 9.82]) {
    const other = fourBarsOf(gravity);
    const { motion } = runAgainstReference(other, exactAngles(other, 100), braunMethod(), 1e-3);
    worst = Math.max(worst, motion);
  }
  yield atMost(`${name} at 1e-3: worst error of x3 with other gravities near 9.81`, worst, 1e-4);
}

function* pendulumFigures(): Generator<Figure> {
  const exact = exactAngles(pendulum, 1000);
  const name = "pendulum, 1000 s at 1e-3";
  const frozen = runAgainstReference(pendulum, exact, braunMethod(), 1e-3);
  yield atMost(`${name}: error of position`, frozen.motion, 6e-8);
  yield atMost(`${name}: |Phi|`, frozen.position, 2e-14);
  yield atMost(`${name}: |Phi'|`, frozen.velocity, 3e-13);
  const minimal = runMinimal(pendulum, exact, 1e-3);
  yield within(`${name}: error of the minimal equation`, minimal, 2.2e-9, 0.2);
  const control = runAgainstReference(pendulum, exact, braunMethod({}, { frozen: false }), 1e-3);
  yield within(`${name}: error when Phi is not frozen (control)`, control.motion, 2.8e-3, 0.05);
}

function* orderFigures(): Generator<Figure> {
  const { phi, phiDot } = constraintOrder(1e-3, 2e-2);
  yield within("pendulum: order of |Phi| in the step, 1e-3..2e-2", phi, 5, 0.02);
  yield within("pendulum: order of |Phi'| in the step, 1e-3..2e-2", phiDot, 5, 0.02);

  const { position, velocity } = errorAfterTwoSteps();
  yield atMost("pendulum from a start off the constraints: |Phi| after two steps", position, 1e-12);
  yield atMost(
    "pendulum from a start off the constraints: |Phi'| after two steps",
    velocity,
    1e-12,
  );
}
