// Random stiff mechanisms: trees of hinges, sliders and balls, on stiff springs or bushings, and closed loops in a plane.

import { type Body, type CompiledModel, compile, type Model, model, rod } from "nodrift/bodies";
import { radau5, type Solution, type SolveOptions, sdirk4, solve, stateSpace } from "nodrift/solve";
import { type Random, seeded } from "./random.js";

const Z = [0, 0, 1] as const;

/** Generators of a power of ten in a range, and of a uniform value in a range. */
const between = (random: Random, low: number, high: number) =>
  low + ((high - low) * (random() + 1)) / 2;
const tens = (random: Random, low: number, high: number) =>
  [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7][Math.round(between(random, low, high))];

/** Stiffness and damping of one spring: eigenvalues of links of 1 kg and 1 m from hundreds to hundreds of thousands. */
function elastic(random: Random): { stiffness: number; damping: number } {
  const stiffness = tens(random, 4, 6) * between(random, 1, 3);
  return { stiffness, damping: stiffness * between(random, 1e-3, 1e-2) };
}

function link(m: Model, random: Random, name: string, from: number): Body {
  return m.body({
    name,
    mass: between(random, 0.5, 3),
    shape: rod({ length: 1, axis: [1, 0, 0] }),
    position: [from + 0.5, 0, 0],
  });
}

/** Joins a link to the one before, and adds a spring along the free motion. */
function join(m: Model, random: Random, pair: [Body, Body], x: number, name: string): void {
  const kind = Math.floor(between(random, 0, 4));
  const { stiffness, damping } = elastic(random);
  const at = [x, 0, 0] as const;
  if (kind === 0) {
    const tilt = between(random, -0.5, 0.5);
    const joint = m.revolute({ name, between: pair, at, axis: [0, tilt, 1] });
    m.torsionSpring({ joint, stiffness, damping, angle: between(random, -0.2, 0.2) });
  } else if (kind === 1) {
    m.spherical({ name, between: pair, at });
    m.bushing({
      between: pair,
      at,
      stiffness: { translation: 0, rotation: stiffness },
      damping: { translation: 0, rotation: damping },
    });
  } else if (kind === 2) {
    m.bushing({
      name,
      between: pair,
      at,
      stiffness: { translation: 10 * stiffness, rotation: stiffness },
      damping: { translation: 10 * damping, rotation: damping },
    });
  } else {
    // Free to swing, with a little friction: slow compared with the others.
    const joint = m.revolute({ name, between: pair, at, axis: Z });
    m.torsionSpring({ joint, stiffness: between(random, 1, 5), damping: 0.1, angle: 0 });
  }
}

function randomTree(random: Random, name: string): Model {
  const m = model({ name, gravity: [0, -9.81, between(random, -2, 2)] });
  const links: [Body, number][] = [];
  const count = Math.round(between(random, 2, 6));
  for (let i = 0; i < count; i++) {
    const parent = links[Math.floor(between(random, -1, links.length))];
    const x = parent ? parent[1] + 1 : 0;
    const own = link(m, random, `link ${i}`, x);
    join(m, random, [parent?.[0] ?? m.ground, own], x, `joint ${i}`);
    links.push([own, x]);
  }
  return m;
}

/** Parallelogram-like loops side by side, each driven by a stiff spring, with a rubber link between neighbours. */
function randomLoops(random: Random, name: string): Model {
  const m = model({ name, gravity: [0, -9.81, 0] });
  const count = Math.round(between(random, 1, 3));
  let last: Body | undefined;
  for (let i = 0; i < count; i++) {
    const x = 3 * i;
    const [rise, lean, reach] = [1, between(random, 0.1, 0.4), between(random, 0.8, 1.4)];
    const bar = (label: string, [a, b]: [number, number], [c, d]: [number, number]) => {
      const [dx, dy] = [c - a, d - b];
      return m.body({
        name: `${label} ${i}`,
        mass: between(random, 0.5, 3),
        shape: rod({ length: Math.sqrt(dx * dx + dy * dy), axis: [dx, dy, 0] }),
        position: [(a + c) / 2, (b + d) / 2, 0],
      });
    };
    const [p, q]: [number, number][] = [
      [x + lean, rise],
      [x + lean + reach, rise + 0.2],
    ];
    const foot: [number, number] = [x + 1.5, 0];
    const bars = [bar("crank", [x, 0], p), bar("coupler", p, q), bar("rocker", q, foot)];
    const ends = [[x, 0] as const, p, q, foot];
    const chain = [m.ground, ...bars, m.ground];
    const joints = ends.map(([a, b], k) =>
      m.revolute({
        name: `pin ${i}.${k}`,
        between: [chain[k], chain[k + 1]],
        at: [a, b, 0],
        axis: Z,
      }),
    );
    m.torsionSpring({ joint: joints[0], ...elastic(random), angle: between(random, -0.1, 0.1) });
    if (last) {
      const { stiffness, damping } = elastic(random);
      m.spring({ between: [last, bars[1]], stiffness, damping, length: 3 });
    }
    last = bars[1];
  }
  return m;
}

/** Trees for even seeds, loops for odd ones. */
export function randomStiff(seed: number): Model {
  const random = seeded(seed + 1);
  const isTree = seed % 2 === 0;
  const name = `${isTree ? "stiff tree" : "stiff loops"} ${seed}`;
  return isTree ? randomTree(random, name) : randomLoops(random, name);
}

export const KINDS = ["auto", "relative", "maximal"] as const;
const END = 0.3;

/** A run of one kind, compared with a run in maximal coordinates at a tolerance of 1e-8. */
export interface StiffRun {
  readonly what: string;
  readonly status: string;
  /** Largest error of a position at the end, in tolerances. */
  readonly error: number;
  readonly solution: Solution<never>;
}

/** Results of a random mechanism in all coordinates, with an implicit method and with the choice of `solve`. */
export async function* stiffRuns(
  seed: number,
  tolerances: readonly number[],
): AsyncGenerator<StiffRun> {
  const sources = new Map<string, CompiledModel>();
  for (const coordinates of KINDS) {
    sources.set(coordinates, await compile(randomStiff(seed), { coordinates }));
  }
  const best = { formulation: stateSpace(), integrator: radau5() };
  const given = { span: [0, END], output: "ends" } as const;
  const exact = solve(sources.get("maximal")!, { ...given, tolerance: 1e-10, method: best });
  for (const tolerance of tolerances) {
    const methods: readonly [string, Partial<SolveOptions>][] = [
      ["radau5", { method: best }],
      ["sdirk4", { method: { formulation: stateSpace(), integrator: sdirk4() } }],
      ["chosen", {}],
    ];
    for (const [name, options] of methods) {
      for (const [kind, source] of sources) {
        const found = solve(source, { ...given, ...options, tolerance } as SolveOptions);
        const error = found.end.q.reduce(
          (most: number, value: number, i: number) =>
            Math.max(most, Math.abs(value - exact.end.q[i])),
          0,
        );
        yield {
          what: `seed ${seed}, ${kind}, ${name} at ${tolerance}`,
          status: exact.status === "finished" ? found.status : `reference ${exact.status}`,
          error: error / tolerance,
          solution: found as unknown as Solution<never>,
        };
      }
    }
  }
}
