// Random loops in relative coordinates by every implicit integrator, compared with an independent engine.

import { compile } from "nodrift/bodies";
import { adaptiveIntegrators, solve, stateSpace } from "nodrift/solve";
import { LOOP_SECONDS, type LoopClass, loopsOf } from "../reference/loops.js";
import { modelOf, stateDistance, stateOf } from "../reference/nodrift-model.js";

const implicit = Object.values(adaptiveIntegrators)
  .map((make) => make())
  .filter(({ isImplicit }) => isImplicit);

export interface ImplicitLoopRun {
  readonly what: string;
  readonly status: string;
  readonly steps: number;
  /** Error at the end, in tolerances. */
  readonly error: number;
}

export async function* implicitLoopRuns(
  loopClass: LoopClass,
  count: number,
  tolerance: number,
): AsyncGenerator<ImplicitLoopRun> {
  for (const { name, mechanism, solution } of loopsOf(loopClass, count)) {
    const source = await compile(modelOf(mechanism), { coordinates: "relative" });
    for (const integrator of implicit) {
      const { status, end, statistics } = solve(source, {
        span: [0, LOOP_SECONDS],
        tolerance,
        output: "ends",
        maximumSteps: 5000,
        method: { formulation: stateSpace(), integrator },
      });
      yield {
        what: `${name}, ${integrator.name}`,
        status,
        steps: statistics.steps,
        error: stateDistance(end, stateOf(solution.end)) / tolerance,
      };
    }
  }
}
