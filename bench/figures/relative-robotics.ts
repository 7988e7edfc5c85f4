import { type CompiledModel, compile, type JointSpace, jointSpace } from "nodrift/bodies";
import { hingeChain, humanoid } from "../../test/support/relative-trees.js";
import { median, race, type Timing } from "../support/race.js";
import { atMost, type Figure, reported } from "./figure.js";

/** Readings in joint coordinates: the residual of their sum, and the growth of their cost. */
export async function* relativeRoboticsFigures(): AsyncGenerator<Figure> {
  for (const [name, model] of [
    ["30 hinges", hingeChain(30)],
    ["humanoid", humanoid()],
  ] as const) {
    const system = await compile(model);
    yield atMost(`${name}, M a - forces over the largest of them`, imbalance(system), 1e-11);
  }
  yield* growth();
}

/** |M a - coriolis - gravity - applied| of the motion: M by columns, a by articulated bodies, forces by T^T. */
function imbalance(system: CompiledModel): number {
  const space = jointSpace(system);
  const accelerations = Object.values(space.accelerations());
  const parts = [space.coriolisForces(), space.gravityForces(), space.appliedForces()].map((part) =>
    Object.values(part),
  );
  const forces = accelerations.map((_, i) => parts.reduce((sum, part) => sum + part[i]!, 0));
  const largest = parts.flat().reduce((most, force) => Math.max(most, Math.abs(force)), 0);
  return space.massMatrix().values.reduce((most, row, i) => {
    const product = row.reduce((sum, x, j) => sum + x * accelerations[j]!, 0);
    return Math.max(most, Math.abs(product - forces[i]!) / largest);
  }, 0);
}

const SIZES = [30, 1000] as const;
const MAX_EXPONENT = 1.2;

const READINGS: Readonly<Record<string, (space: JointSpace, tip: string) => unknown>> = {
  "inverse dynamics": (space) => space.inverseDynamics({}),
  "gravity forces": (space) => space.gravityForces(),
  "Jacobian of a point": (space, tip) => space.pointJacobian(tip, [1, 0, 0]),
  "centroidal momentum": (space) => space.centroidalMomentum(),
};

async function* growth(): AsyncGenerator<Figure> {
  const [few, many] = SIZES;
  const chains = await Promise.all(SIZES.map((n) => compile(hingeChain(n, { rate: 0 }))));
  const spaces = chains.map((system) => jointSpace(system.simulate({ step: 1e-3 })));
  const tips = chains.map(({ data }) => data.bodies.at(-1)!.name);
  for (const [name, read] of Object.entries(READINGS)) {
    const [short, long] = race(
      { short: () => read(spaces[0]!, tips[0]!), long: () => read(spaces[1]!, tips[1]!) },
      { rounds: 15, time: 30 },
    );
    yield reported(`chain of ${few} hinges, ${name}, microseconds`, short!.median);
    const figure = `chain of hinges, ${name}, growth exponent ${few} -> ${many}`;
    yield atMost(figure, exponent(short!, long!), MAX_EXPONENT);
  }
}

function exponent(short: Timing, long: Timing): number {
  const times = median(long.rounds.map((time, round) => time / short.rounds[round]!));
  return Math.log(times) / Math.log(SIZES[1] / SIZES[0]);
}
