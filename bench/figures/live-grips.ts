import { type CompiledModel, compile, type Model, model, rod } from "nodrift/bodies";
import { seeded } from "../../test/support/random.js";
import { atMost, type Figure } from "./figure.js";

/** Rods of a chain, and moves of the target: 100 000 in all. */
const CHAINS = [
  [3, 40_000],
  [5, 30_000],
  [10, 20_000],
  [30, 8_000],
  [100, 2_000],
] as const;
/** Steps between two moves. */
const STEPS = 4;
const STEP = 1 / 240;

/** Rods of 0.3 m that hang on balls. */
export function hangingChain(count: number): Model {
  const m = model({ name: `chain of ${count}` });
  let last = m.ground;
  for (let i = 0; i < count; i++) {
    const position = [0, 0, -0.3 * i - 0.15] as const;
    const next = m.body({ name: `rod ${i}`, mass: 1, shape: rod({ length: 0.3 }), position });
    m.spherical({ name: `ball ${i}`, between: [last, next], at: [0, 0, -0.3 * i] });
    last = next;
  }
  return m;
}

interface Dragged {
  /** Steps that failed, or states that are not finite. */
  readonly bad: number;
  /** Largest |phi|. */
  readonly violation: number;
}

/** Drags the last rod: its target jumps by 1 m in a random direction, in steps of 1/240 s. */
function drag(system: CompiledModel, count: number, moves: number): Dragged {
  const simulation = system.simulate({ step: STEP });
  const random = seeded(count);
  const name = `rod ${count - 1}`;
  const grip = simulation.grab(name, [0, 0, -0.15]);
  let [bad, violation] = [0, 0];
  for (let i = 0; i < moves; i++) {
    const way = [random(), random(), random()];
    const size = Math.sqrt(way.reduce((sum, x) => sum + x * x, 0)) || 1;
    const at = simulation.body(name).point([0, 0, -0.15]);
    grip.moveTo([at[0] + way[0]! / size, at[1] + way[1]! / size, at[2] + way[2]! / size]);
    try {
      simulation.advance(STEPS);
    } catch {
      bad++;
    }
    if (!simulation.q.every(Number.isFinite)) bad++;
    if (i % 16 === 0) violation = Math.max(violation, simulation.constraintError().position);
  }
  return { bad, violation };
}

/** `grab` on chains of 3 to 100 rods, with jumps of the target by 1 m. */
export async function* liveGripFigures(): AsyncGenerator<Figure> {
  let moves = 0;
  let [bad, violation] = [0, 0];
  for (const [count, own] of CHAINS) {
    const found = drag(await compile(hangingChain(count)), count, own);
    moves += own;
    bad += found.bad;
    violation = Math.max(violation, found.violation);
  }
  yield atMost(`live, ${moves} moves of a grip by 1 m: steps that fail`, bad, 0);
  yield atMost(`live, ${moves} moves of a grip by 1 m: constraint violation, m`, violation, 1e-8);
}
