import type { Equations } from "nodrift";
import { type CompiledModel, compile } from "nodrift/bodies";
import {
  chain3d,
  heavyTop,
  simplePendulum,
  sliderCrank3d,
  welchDoublePendulum,
} from "nodrift/mechanisms";
import { directFormulations, radau5, solve } from "nodrift/solve";
import { pendulum } from "../../test/support/bouncing-pendulum.js";
import { atMost, type Figure } from "./figure.js";

const TOLERANCES = [3, 4, 5, 6, 7, 8, 9, 10].map((digits) => 10 ** -digits);
const REFERENCE = 1e-13;

interface Problem {
  readonly name: string;
  readonly source: Equations | CompiledModel;
  readonly until: number;
  readonly start?: { readonly q: ArrayLike<number>; readonly v: ArrayLike<number> };
}

/** Index 3, index 2 and GGL to a tolerance of positions. */
export async function* silentIndexFigures(): AsyncGenerator<Figure> {
  for (const problem of await problems()) {
    for (const formulation of directFormulations) {
      const name = `${problem.name}, ${formulation.name} + radau5, 1e-3 .. 1e-10`;
      const method = { formulation, integrator: radau5() };
      const known = ending(problem, { tolerance: REFERENCE }).q;
      const ratios = TOLERANCES.map((tolerance) => {
        const found = ending(problem, { tolerance, method });
        return found.status === "finished" ? distance(found.q, known) / tolerance : Number.NaN;
      });
      yield atMost(`${name}: error of positions / tolerance`, Math.max(...ratios), 10);
    }
  }
  const swing = (await problems())[0] as Problem;
  let failed = 0;
  for (const formulation of directFormulations) {
    const method = { formulation, integrator: radau5() };
    for (const tolerance of TOLERANCES) {
      for (const step of [0.1, 0.05, 0.02]) {
        if (ending(swing, { tolerance, method, step }).status !== "finished") failed++;
      }
    }
  }
  yield atMost(`${swing.name}: fixed steps that fail at some tolerance`, failed, 0);
}

async function problems(): Promise<readonly Problem[]> {
  const maximal = { coordinates: "maximal" } as const;
  return [
    { name: "pendulum in x and y", source: pendulum(), until: 5, start: { q: [-1, 0], v: [0, 0] } },
    { name: "pendulum", source: await compile(simplePendulum(), maximal), until: 5 },
    {
      name: "double pendulum",
      source: welchDoublePendulum.equations,
      until: 2,
      start: welchDoublePendulum,
    },
    { name: "slider-crank", source: await compile(sliderCrank3d(), maximal), until: 2 },
    { name: "heavy top", source: await compile(heavyTop(), maximal), until: 0.5 },
    { name: "chain of 3 rods", source: await compile(chain3d(3), maximal), until: 1 },
  ];
}

function ending(
  { source, until, start }: Problem,
  options: Pick<Parameters<typeof solve>[1], "tolerance" | "method" | "step">,
): { readonly status: string; readonly q: Float64Array } {
  const span = [0, until] as [number, number];
  const common = { span, output: "ends", ...options } as const;
  const { status, end } =
    start === undefined
      ? solve(source as CompiledModel, common)
      : solve(source as Equations, { ...common, q: start.q, v: start.v });
  return { status, q: end.q };
}

/** Largest difference, in units of 1 + |value|. */
function distance(found: Float64Array, known: Float64Array): number {
  return known.reduce(
    (most, x, i) => Math.max(most, Math.abs(found[i]! - x) / (1 + Math.abs(x))),
    0,
  );
}
