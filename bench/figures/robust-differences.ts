import { equations } from "nodrift";
import { solve } from "nodrift/solve";
import { seeded } from "../../test/support/random.js";
import {
  moved,
  OFFSETS,
  type Offset,
  type ValueOnlySystem,
  valueOnlySystems,
  withoutDerivatives,
} from "../../test/support/value-only.js";
import { atMost, type Figure, reported } from "./figure.js";

const SEEDS = [1, 2, 3];
const UNTIL = 10;
const TOLERANCE = 1e-8;
/** Numbers of digits count as equal if they differ by less than this. */
const SAME_DIGITS = 0.5;

interface Outcome {
  readonly error: number;
  readonly finished: boolean;
  readonly stiff: boolean;
  readonly steps: number;
}

/** Constraints given by their values alone, with coordinates that are displaced and wound up. */
export async function* robustDifferenceFigures(): AsyncGenerator<Figure> {
  const systems = SEEDS.flatMap((seed) => valueOnlySystems(seeded(seed)));
  const runs = systems.map((system) => {
    const end = endOf(system);
    return OFFSETS.map((offset) => run(system, offset, end));
  });
  const all = runs.flat();
  const lost = runs.flatMap(([first, ...others]) =>
    others.map(({ error }) => Math.log10(error / first.error)),
  );
  const more = runs.flatMap(([first, ...others]) => others.map(({ steps }) => steps / first.steps));
  const name = "value-only constraints, eight systems, three of each";
  yield atMost(`${name}: digits lost by offsets at 1e-8`, Math.max(...lost), SAME_DIGITS);
  yield atMost(`${name}: runs taken for stiff`, all.filter(({ stiff }) => stiff).length, 0);
  yield atMost(`${name}: runs not finished`, all.filter(({ finished }) => !finished).length, 0);
  yield reported(`${name}: steps with offset / without, most`, Math.max(...more));
  yield reported(
    `${name}: error / that with derivatives given, most`,
    Math.max(...systems.map((system, i) => runs[i][0].error / given(system, endOf(system)).error)),
  );
}

/** With derivatives, to a far smaller tolerance. */
function endOf(system: ValueOnlySystem): number[] {
  const { q, v } = system;
  const options = { span: [0, UNTIL], q, v, tolerance: 1e-12, output: "ends" } as const;
  const { end } = solve(equations(system.describe(0)), options);
  return [...end.q, ...end.v];
}

function run(system: ValueOnlySystem, offset: Offset, expected: readonly number[]): Outcome {
  const { description, q, back } = moved(system, offset);
  return outcome(withoutDerivatives(description), q, system.v, back, expected);
}

function given(system: ValueOnlySystem, expected: readonly number[]): Outcome {
  return outcome(system.describe(0), system.q, system.v, (q) => q, expected);
}

function outcome(
  description: Parameters<typeof equations>[0],
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  back: (q: Float64Array) => Float64Array,
  expected: readonly number[],
): Outcome {
  const options = { span: [0, UNTIL], q, v, tolerance: TOLERANCE, output: "ends" } as const;
  const solution = solve(equations(description), { ...options, maximumSteps: 1e4 });
  const found = [...back(solution.end.q), ...solution.end.v];
  return {
    error: Math.max(...found.map((value, i) => Math.abs(value - expected[i]))),
    finished: solution.status === "finished",
    stiff: solution.method.includes("then"),
    steps: solution.statistics.steps,
  };
}
