import { type CompiledModel, compile } from "nodrift/bodies";
import { hmmwv, stiffPendulum } from "nodrift/mechanisms";
import { radau5, sdirk4, solve } from "nodrift/solve";
import { cpuSeconds, inStateSpace, jacobianErrorsOf } from "#experiments";
import { hingedChain } from "../../test/support/stiff-chains.js";
import { median } from "../support/race.js";
import { treeOfAll } from "../support/tree-of-all.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";
import { slope } from "./relative-stiff.js";

const relative = { coordinates: "relative" } as const;
const ROUNDS = 7;
const LENGTHS = [10, 30, 100, 300, 1000] as const;
/** CPU seconds for one second of motion, by the number of bodies. */
const ALLOWED = new Map([
  [100, 0.5],
  [1000, 8],
]);

/** Implicit methods in relative coordinates: their derivatives, the HMMWV, and long chains. */
export async function* relativeStiffTreeFigures(): AsyncGenerator<Figure> {
  yield* derivativeFigures();
  yield* vehicleFigures();
  yield* chainFigures();
}

async function* derivativeFigures(): AsyncGenerator<Figure> {
  for (const m of [treeOfAll(), hingedChain(50), stiffPendulum(), hmmwv()]) {
    const found = jacobianErrorsOf(await compile(m, relative));
    const { name, states, positions, velocities } = found;
    const what = `relative coordinates, ${name}, ${states} states, by formulas against differences`;
    yield atMost(`J1 = d(accelerations)/d(positions), ${what}`, positions, 1e-6);
    yield atMost(`J2 = d(accelerations)/d(velocities), ${what}`, velocities, 1e-6);
  }
}

/** Both in turn, because the load of the machine varies. */
async function* vehicleFigures(): AsyncGenerator<Figure> {
  const given = { span: [0, 5], tolerance: 1e-3, output: "ends" } as const;
  const run = (source: CompiledModel) =>
    solve(source, { ...given, method: inStateSpace(sdirk4()) });
  const sources = [
    await compile(hmmwv(), { coordinates: "maximal" }),
    await compile(hmmwv(), relative),
  ];
  const times: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, source] of sources.entries()) times[i].push(cpuSeconds(() => run(source)));
  }
  const [maximal, own] = times.map((list) => median(list));
  const name = "HMMWV, 5 s at 1e-3, sdirk4";
  yield atLeast(`${name}: simulated time / CPU time, relative coordinates`, 5 / own, 120);
  yield reported(`${name}: simulated time / CPU time, maximal coordinates`, 5 / maximal);
  yield reported(`${name}: CPU in maximal coordinates / CPU in relative ones`, maximal / own);
  const [one, other] = sources.map((source) => run(source).statistics.steps);
  yield atMost(`${name}: steps, |relative / maximal - 1|`, Math.abs(other / one - 1), 0.1);
}

async function* chainFigures(): AsyncGenerator<Figure> {
  const name = "chain of hinges with stiff springs, relative coordinates";
  const times: number[] = [];
  for (const links of LENGTHS) {
    const source = await compile(hingedChain(links), relative);
    const found = Array.from({ length: 3 }, () => seconds(source));
    const time = median(found);
    times.push(time);
    const allowed = ALLOWED.get(links);
    const what = `${name}, ${links} bodies, 1 s at 1e-4, radau5: CPU, s`;
    yield allowed ? atMost(what, time, allowed) : reported(what, time);
  }
  yield atMost(
    `${name}: memory of the process with ${LENGTHS[4]} bodies, MB`,
    process.memoryUsage().rss / 1e6,
    400,
  );
  yield atMost(
    `${name}: cost ~ bodies^exponent, ${LENGTHS[0]} -> ${LENGTHS[4]}`,
    slope(times),
    1.2,
  );
}

/** CPU time of a run; NaN if it does not finish. */
function seconds(source: CompiledModel): number {
  let status = "";
  const options = { span: [0, 1], tolerance: 1e-4, output: "ends" } as const;
  const found = cpuSeconds(() => {
    status = solve(source, { ...options, method: inStateSpace(radau5()) }).status;
  });
  return status === "finished" ? found : Number.NaN;
}
