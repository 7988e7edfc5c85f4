import { planSparse } from "nodrift/kernels";
import { randomVector, seeded } from "../../test/support/random.js";
import { assembleAndFactor, chainGraph, solveSparse, sparseMemory } from "../cases/sparse.js";
import { median, race } from "../support/race.js";
import { atMost, type Figure } from "./figure.js";

/** Assembly, factor and solve of a chain of points: 3 x 3 blocks. */
function chainRun(links: number) {
  const plan = planSparse(chainGraph(links));
  const memory = sparseMemory(plan);
  const random = seeded(links);
  memory.jacobian.view.set(randomVector(random, plan.jacobianSlots));
  for (let body = 0; body < links; body++) {
    for (let i = 0; i < 6; i++) memory.mass.view[body * 36 + i * 7] = 1 + 0.5 * random();
  }
  memory.b.view.set(randomVector(random, plan.rows));
  const problem = { memory };
  return () => {
    assembleAndFactor(problem, 1e-12);
    return solveSparse(problem);
  };
}

/** Cost ~ links^exponent, between 100 and 1000 links. */
export function* growthFigures(): Generator<Figure> {
  const timings = race({ short: chainRun(100), long: chainRun(1000) }, { rounds: 15, time: 40 });
  const [short, long] = timings.map(({ rounds }) => rounds);
  const exponent = Math.log10(median(long.map((time, round) => time / short[round])));
  yield atMost(
    "sparse block Cholesky, chain of 3x3 blocks, growth exponent 100 -> 1000",
    exponent,
    1.1,
  );
}
