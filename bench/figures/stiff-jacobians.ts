import { type CompiledModel, compile } from "nodrift/bodies";
import { hmmwv, hmmwvRoad, stiffPendulum } from "nodrift/mechanisms";
import { seeded } from "../support/random.js";
import { blockError, StateSpaceJacobian } from "../support/state-space-jacobian.js";
import { atMost, type Figure } from "./figure.js";

const STATES = 20;
/** How far states lie from the start: independent positions, and their velocities. */
const [AWAY, RATE] = [0.02, 1];

/** Derivatives of the accelerations in independent coordinates: by formulas, against differences. */
export async function* stiffJacobianFigures(): AsyncGenerator<Figure> {
  yield* compared("stiff pendulum of bodies", await compile(stiffPendulum()));
  // Front wheels at the start are at 1.649 m; in half of the states they are on the bump, short of its top.
  yield* compared("HMMWV", await compile(hmmwv()), hmmwvRoad.centre - 1.649 - hmmwvRoad.half / 2);
}

function* compared(name: string, source: CompiledModel, forward = 0): Generator<Figure> {
  const motion = new StateSpaceJacobian(source);
  if (motion.how !== "analytic") throw new Error(`${name}: J is ${motion.how}`);
  const random = seeded(7);
  let [first, second] = [0, 0];
  for (let state = 0; state < STATES; state++) {
    const ahead = state % 2 === 0 ? 0 : forward;
    const q = source.q.map((value, i) => (i % 7 === 0 ? value + ahead : value));
    const y = motion.begin(q, source.v);
    for (let i = 0; i < y.length; i++) y[i] += (i < y.length / 2 ? AWAY : RATE) * random();
    const formulas = motion.ofMethods();
    const differences = motion.byDifferences();
    first = Math.max(first, blockError(motion.size, formulas, differences, "positions"));
    second = Math.max(second, blockError(motion.size, formulas, differences, "velocities"));
  }
  const what = `${name}, ${STATES} states, by formulas against differences, relative`;
  yield atMost(`J1 = d(accelerations)/d(positions), ${what}`, first, 1e-6);
  yield atMost(`J2 = d(accelerations)/d(velocities), ${what}`, second, 1e-6);
}
