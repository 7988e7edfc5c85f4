// Problems of all kinds, with two methods for each, to measure whether `solve` chooses the better one.

import { type CompiledModel, compile } from "nodrift/bodies";
import {
  chain3d,
  hmmwv,
  knifeEdge,
  type Mechanism,
  nFourBar,
  robertson,
  stiffPendulum,
  stiffPendulumCartesian,
  welchDoublePendulum,
} from "nodrift/mechanisms";
import {
  dop853,
  dp5,
  type PlainOde,
  radau5,
  type SolveOptions,
  sdirk4,
  solve,
} from "nodrift/solve";
import { bushedCrank, governor, sprungChain } from "./stiffness-mechanisms.js";
import * as odes from "./stiffness-odes.js";

type Solution = ReturnType<typeof solve>;
type Options = Omit<SolveOptions, "span" | "each" | "events" | "modes" | "q" | "v" | "y">;

export interface StiffnessProblem {
  readonly name: string;
  readonly tolerance: number;
  /** A plain differential equation. */
  readonly isOde: boolean;
  solve(options?: Options): Solution;
}

export function problem(
  source: PlainOde | CompiledModel | Mechanism,
  until: number,
  tolerance: number,
): StiffnessProblem {
  const start =
    "equations" in source
      ? { system: source.equations, q: source.q, v: source.v }
      : { system: source };
  const { system, ...given } = start;
  const name = "equations" in source ? source.name : (source as PlainOde).name;
  const fixed = { span: [0, until], output: "ends", tolerance, ...given } as const;
  return {
    name: `${name} to t = ${until} at ${tolerance}`,
    tolerance,
    isOde: "names" in source,
    solve: (options = {}) =>
      solve(system as PlainOde, { ...fixed, ...options }) as unknown as Solution,
  };
}

/** The two methods: the initial one of `solve`, kept to the end, and the one it switches to. */
export function waysOf({
  tolerance,
  isOde,
}: StiffnessProblem): Record<"explicit" | "implicit", Options> {
  return {
    explicit: { integrator: tolerance >= 1e-2 ? dp5() : dop853() },
    implicit: { integrator: tolerance >= (isOde ? 1e-4 : 1e-3) ? sdirk4() : radau5() },
  };
}

export async function stiffnessProblems(): Promise<readonly StiffnessProblem[]> {
  const stiff = { stiffness: 8e5, damping: 4e4 };
  const soft = { stiffness: 200, damping: 2 };
  return [
    problem(odes.robertsonByDifferences(), 40, 1e-3),
    problem(robertson(), 1e4, 1e-6),
    problem(odes.vanDerPolIn(1), 100, 1e-6),
    problem(odes.vanDerPolIn(10), 60, 1e-4),
    problem(odes.vanDerPolIn(100), 300, 1e-5),
    problem(odes.vanDerPolIn(1000), 2000, 1e-6),
    problem(odes.scaledVanDerPol(1e-6), 4.5, 1e-3),
    problem(odes.oregonator(), 360, 1e-5),
    problem(odes.hires(), 321.8122, 1e-4),
    problem(odes.brusselator(20), 10, 1e-4),
    problem(odes.brusselator(40), 10, 1e-6),
    problem(odes.arenstorf(), 17.065216560157964, 1e-8),
    problem(odes.lotkaVolterra(), 100, 1e-6),
    problem(odes.prothero(2000), 10, 1e-5),
    problem(odes.gripped(), 40, 1e-6),
    problem(await governor(stiff), 2, 1e-5),
    problem(await governor({ stiffness: 2e3, damping: 20 }), 5, 1e-5),
    problem(await compile(hmmwv()), 1, 1e-3),
    problem(await compile(stiffPendulum()), 2, 1e-5),
    problem(stiffPendulumCartesian(), 1, 1e-4),
    problem(await sprungChain(5, soft), 5, 1e-6),
    problem(await sprungChain(5, { stiffness: 2e3, damping: 500 }), 2, 1e-4),
    problem(await compile(chain3d(10)), 3, 1e-6),
    problem(await compile(nFourBar(2, { psi0: 0.3 })), 5, 1e-6),
    problem(await bushedCrank({ stiffness: 1e6, damping: 1e4 }), 2, 1e-5),
    problem(welchDoublePendulum, 10, 1e-8),
    problem(knifeEdge, 3, 1e-6),
  ];
}
