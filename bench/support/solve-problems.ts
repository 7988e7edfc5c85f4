// Smooth problems with known results, to measure the accuracy of tolerances.

import type { Equations } from "nodrift";
import { type BodyState, type CompiledModel, compile } from "nodrift/bodies";
import {
  chain3d,
  chain3dReference3,
  chain3dReference10,
  chaplyginSleigh,
  chaplyginSleighMotion,
  heavyTop,
  heavyTopReference,
  knifeEdge,
  knifeEdgeMotion,
  rollingDisk,
  rollingDiskCentre,
  type StateReference,
  simplePendulum,
  simplePendulumReference,
  welchDoublePendulum,
} from "nodrift/mechanisms";
import { type SolveOptions, solve } from "nodrift/solve";
import { pendulum } from "../../test/support/bouncing-pendulum.js";

/** The compared parts of a solution: its last state, and its cost. */
export interface Ending {
  readonly status: string;
  readonly end: { readonly q: Float64Array; readonly v: Float64Array };
  readonly statistics: ReturnType<typeof solve>["statistics"];
}

export interface SolveProblem {
  readonly name: string;
  solve(options: Omit<SolveOptions, "span" | "each" | "events" | "modes">): Ending;
  /** Largest error at the end, in units of 1 + |value|. */
  error(ending: Ending): number;
}

/** x1, y1, theta1, x2, y2, theta2 and their rates at t = 10: maximal coordinates, extrapolation of order 16. */
export const doublePendulumEnd: readonly number[] = [
  2.4427319998674593, -0.5320341876454208, 1.7852500275840635, 6.714021238723096,
  -2.7688787529410748, 2.321186441945455, -0.18507277747037992, -0.8497258377924796,
  0.34785880638505784, 8.33504545424103, 7.637621963393065, -5.106251770463933,
];

function worst(found: Iterable<number>, known: Iterable<number>): number {
  const values = [...found];
  return Math.max(
    ...[...known].map((value, i) => Math.abs(values[i] - value) / (1 + Math.abs(value))),
  );
}

function byEquations(
  name: string,
  { equations: source, q, v }: { equations: Equations; q: ArrayLike<number>; v: ArrayLike<number> },
  until: number,
  known: Iterable<number>,
  read = ({ q: positions, v: rates }: Ending["end"]): Iterable<number> => [...positions, ...rates],
): SolveProblem {
  const list = [...known];
  return {
    name,
    solve: (options) => solve(source, { span: [0, until], q, v, output: "ends", ...options }),
    error: ({ end }) => worst(read(end), list),
  };
}

function byBodies(
  name: string,
  source: CompiledModel,
  until: number,
  known: Iterable<number>,
  read: (state: BodyState) => Iterable<number>,
): SolveProblem {
  const list = [...known];
  return {
    name,
    solve: (options) => solve(source, { span: [0, until], output: "ends", ...options }),
    error: ({ end }) => worst(read(end as BodyState), list),
  };
}

async function chain(n: number, references: readonly StateReference[]): Promise<SolveProblem> {
  const { time, q, v } = references.at(-1) as StateReference;
  const read = (state: BodyState) => [...state.q, ...state.v];
  return byBodies(`chain of ${n} rods`, await compile(chain3d(n)), time, [...q, ...v], read);
}

/** Forward and angular velocity of the sleigh. */
export function chaplyginSleighProblem(): SolveProblem {
  const { forward, turning } = chaplyginSleighMotion(2);
  return byEquations("Chaplygin's sleigh", chaplyginSleigh, 2, [forward, turning], ({ q, v }) => [
    v[0] * Math.cos(q[2]) + v[1] * Math.sin(q[2]),
    v[2],
  ]);
}

/** All the others. */
export async function solveProblems(): Promise<readonly SolveProblem[]> {
  const [period] = simplePendulumReference.filter(([time]) => time === 5);
  const top = heavyTopReference.at(-1) as readonly number[];
  const edge = knifeEdgeMotion(3);
  const distance = (1 + Math.sqrt(1 - 0.016)) / 2;
  const circle = { equations: pendulum(), q: [-1, 0], v: [0, 0] };
  return [
    byEquations("pendulum in x and y", circle, 5, period.slice(1)),
    byBodies("pendulum", await compile(simplePendulum()), 5, period.slice(1, 3), (state) =>
      state.body("ball").point([distance - 1, 0, 0]),
    ),
    byEquations("double pendulum", welchDoublePendulum, 10, doublePendulumEnd),
    byEquations("knife edge", knifeEdge, 3, [edge.x, edge.y, edge.phi], ({ q }) => q),
    byBodies("heavy top", await compile(heavyTop()), 2, top.slice(1, 4), (state) => state.q),
    byBodies(
      "rolling disk",
      await compile(rollingDisk()),
      6,
      rollingDiskCentre(6),
      (state) => state.q,
    ),
    await chain(3, chain3dReference3),
    await chain(10, chain3dReference10),
  ];
}
