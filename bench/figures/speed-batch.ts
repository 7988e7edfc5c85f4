import { batch } from "nodrift/batch";
import { type BodySimulation, compile, type Model } from "nodrift/bodies";
import { crankRocker, fourBarHinges, fourBarMechanism } from "../../test/reference/four-bar.js";
import { modelOf } from "../../test/reference/nodrift-model.js";
import { hingeChain } from "../../test/support/relative-trees.js";
import { median } from "../support/race.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

const COUNT = 1000;
const STEP = 1e-3;
/** Steps in a call: of programs that look at every step, and of those that run. */
const STEPS_PER_CALL = [1, 20];
const STEPS = 60;
const ROUNDS = 9;

interface Contest {
  readonly name: string;
  readonly make: () => Model;
  readonly body: string;
  readonly joint: string;
  /** Times faster than single simulations, one step in a call. */
  readonly times: number;
}

const CONTESTS: readonly Contest[] = [
  {
    name: "double pendulums",
    make: () => hingeChain(2, { axes: "parallel" }),
    body: "rod 2",
    joint: "hinge 1",
    times: 8,
  },
  {
    name: "four-bars",
    make: () => modelOf(fourBarMechanism(crankRocker())),
    body: "crank",
    joint: fourBarHinges[0]!,
    times: 4,
  },
];

/** A batch against as many simulations in a loop, in CPU time of one core, and its bits. */
export async function* speedBatchFigures(): AsyncGenerator<Figure> {
  for (const { name, make, body, joint, times } of CONTESTS) {
    const system = await compile(make());
    const prepare = (simulation: BodySimulation, i: number) => {
      // A tenth of the instances has its own masses: `set` takes longer than everything else.
      if (i % 10 === 0) simulation.set(body, { mass: 1 + i / COUNT });
      simulation.setCoordinates({ [joint]: 0.2 + (0.3 * i) / COUNT });
    };
    const instances = batch(system, COUNT, { step: STEP, prepare });
    const singles = Array.from({ length: COUNT }, (_, i) => {
      const simulation = system.simulate({ step: STEP });
      prepare(simulation, i);
      return simulation;
    });
    yield atMost(`${COUNT} ${name}, numbers that differ after 100 steps`, differing(), 0);
    for (const steps of STEPS_PER_CALL) {
      // Warmed up: an engine optimises what has run for some time.
      const round = () => ({
        batch: cpuTime(steps, () => instances.advance(steps)),
        singles: cpuTime(steps, () => {
          for (const single of singles) single.advance(steps);
        }),
      });
      round();
      const rounds = Array.from({ length: ROUNDS }, round);
      const figure = `${COUNT} ${name}, ${steps} steps in a call, times faster than single simulations`;
      const faster = median(rounds.map((each) => each.singles / each.batch));
      yield steps === 1 ? atLeast(figure, faster, times) : reported(figure, faster);
      for (const entrant of ["batch", "singles"] as const) {
        const least = Math.min(...rounds.map((each) => each[entrant]));
        const what = `${COUNT} ${name}, ${steps} steps in a call, ${entrant}`;
        yield reported(`${what}, nanoseconds per instance and step`, (1e3 * least) / COUNT / STEPS);
      }
    }

    function differing(): number {
      instances.advance(100);
      const size = instances.states.length / COUNT;
      let count = 0;
      for (const [i, single] of singles.entries()) {
        const { positions, velocities } = single.advance(100).coordinates();
        const own = [...Object.values(positions), ...Object.values(velocities)];
        count += own.filter((value, k) => !Object.is(value, instances.states[size * i + k])).length;
      }
      return count;
    }
  }
}

/** CPU time of some steps of all instances in microseconds. */
function cpuTime(steps: number, advance: () => unknown): number {
  const start = process.cpuUsage();
  for (let i = 0; i < STEPS; i += steps) advance();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
