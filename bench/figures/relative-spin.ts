import { type CompileOptions, compile, type Model, model } from "nodrift/bodies";
import { MAXIMAL, RELATIVE } from "../../test/support/relative-options.js";
import { type Figure, reported } from "./figure.js";

const STEP = 1e-3;
const END = 1;
/** Order of RK4: errors scale with this power of the step. */
const ORDER = 4;

/**
 * A body that spins fast on a ball joint, for which joint coordinates are less accurate: steps of RK4 for the same
 * error, relative to those in maximal coordinates.
 */
export async function* relativeSpinFigures(): AsyncGenerator<Figure> {
  for (const spin of [5, 20, 60]) {
    const exact = await endOf(spin, MAXIMAL, STEP / 32);
    const [own, other] = await Promise.all(
      [RELATIVE, MAXIMAL].map(async (options) => errors(await endOf(spin, options, STEP), exact)),
    );
    for (const part of ["centre", "orientation"] as const) {
      const steps = (other![part] / own![part]) ** (1 / ORDER);
      yield reported(
        `top on a ball joint, ${spin} rad/s, RK4: step for the same error of the ${part}, in parts of that in maximal coordinates`,
        steps,
      );
    }
  }
}

async function endOf(spin: number, options: CompileOptions, step: number): Promise<Float64Array> {
  return (await compile(top(spin), options)).simulate({ step }).runTo(END).q;
}

/** Leans by half a radian, with its tip on the ground, and spins about its own axis. */
function top(spin: number): Model {
  const [lean, height] = [0.5, 0.3];
  const [s, c] = [Math.sin(lean), Math.cos(lean)];
  const m = model({ name: "top" });
  const body = m.body({
    name: "top",
    mass: 1,
    inertia: [0.01, 0.01, 0.005],
    position: [height * s, 0, height * c],
    orientation: [Math.cos(lean / 2), 0, Math.sin(lean / 2), 0],
    angularVelocity: [spin * s, 0, spin * c],
  });
  m.spherical({ name: "tip", between: [m.ground, body], at: [0, 0, 0] });
  return m;
}

/** Error of the body. Euler parameters e and -e are the same orientation. */
function errors(q: Float64Array, exact: Float64Array) {
  const largest = (from: number, to: number, sign: number) => {
    let most = 0;
    for (let i = from; i < to; i++) most = Math.max(most, Math.abs(q[i] - sign * exact[i]));
    return most;
  };
  return { centre: largest(0, 3, 1), orientation: Math.min(largest(3, 7, 1), largest(3, 7, -1)) };
}
