// node figures.mjs: the claimed figures, as one JSON object on stdout.

import { contestants } from "./adapters/index.mjs";
import { chain } from "./problems/chain.mjs";
import { doublePendulum } from "./problems/double-pendulum.mjs";
import { workFor } from "./support/interpolate.mjs";
import { measure } from "./support/measure.mjs";

const ROUNDS = 5;
/** Error at which work is compared, in metres at t = 10 s. */
const TARGET = 1e-8;
/** Step of all engines for the chain of 100 rods, at which each stays stable. */
const CHAIN_STEP = 1e-3;
/** Seconds of the chain that are timed, out of one that is measured; the cost of a step is constant. */
const CHAIN_TIMED = 0.1;

const named = (...names) => contestants.filter(({ name }) => names.includes(name));
const settings = {
  step: [5e-3, 3.2e-3, 2.5e-3, 2e-3, 1.6e-3],
  tolerance: [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11],
};

/** CPU seconds to reach the target: the curves are measured in turns. */
async function doublePendulumFigure() {
  const adaptive = [
    "nodrift adaptive",
    "nodrift adaptive, equations",
    "nodrift adaptive, formulas",
  ];
  const fixed = ["nodrift RK4", "nodrift RK4 + projection"];
  const problem = doublePendulum();
  const present = named(...adaptive).filter((one) => one.refuses(problem) === undefined);
  const own = present.length > 0 ? present : named(...fixed);
  const rows = await measure(problem, [...named("MuJoCo RK4"), ...own], {
    rounds: ROUNDS,
    settings: ({ setting }) => settings[setting],
  });
  const secondsOf = (name) => {
    const curve = rows.filter((row) => row.contestant === name && row.failure === undefined);
    return workFor(curve, TARGET) / 1000;
  };
  const mujocoSeconds = secondsOf("MuJoCo RK4");
  const tried = own.map(({ name }) => ({ name, seconds: secondsOf(name) }));
  const best = tried.reduce((a, b) => (b.seconds < a.seconds ? b : a));
  const violations = rows
    .filter((row) => row.contestant === best.name && row.failure === undefined)
    .map(({ violation }) => violation);
  return {
    mujocoSeconds,
    nodriftSeconds: best.seconds,
    ratio: mujocoSeconds / best.seconds,
    violation: Math.max(...violations),
    contestant: best.name,
    tried,
  };
}

/** Cost of a step and largest violation in 1 s, all with the same step. */
async function chainFigure() {
  const problem = chain(100);
  const taking = contestants.filter(
    (one) => one.setting === "step" && one.refuses(problem) === undefined,
  );
  const rows = await measure(problem, taking, {
    rounds: ROUNDS,
    settings: () => [CHAIN_STEP],
    until: CHAIN_TIMED,
    timeout: Number.POSITIVE_INFINITY,
  });
  const good = rows.filter((row) => row.failure === undefined);
  const seconds = (row) => row.microsecondsPerStep / 1e6;
  const own = good.filter(({ peer }) => peer === "nodrift");
  const cheapest = own.find(({ contestant }) => contestant === "nodrift AB3 + projection");
  const usual = own.find(({ contestant }) => contestant === "nodrift RK4");
  return good
    .filter(({ peer }) => peer !== "nodrift")
    .map((row) => ({
      peer: row.contestant,
      maximalCoordinates: row.maximal,
      secondsPerStep: seconds(row),
      violation: row.violation,
      nodriftSecondsPerStep: seconds(cheapest),
      nodriftViolation: cheapest.violation,
      nodriftDefaultSecondsPerStep: seconds(usual),
      nodriftDefaultViolation: usual.violation,
    }));
}

// node figures.mjs --double-pendulum: only this problem.
const isShort = process.argv.includes("--double-pendulum");
const figures = {
  doublePendulum: await doublePendulumFigure(),
  chain100: isShort ? [] : await chainFigure(),
};
console.log(JSON.stringify(figures, null, 1));
// Some engines keep threads or timers that would prevent exit.
process.exit(0);
