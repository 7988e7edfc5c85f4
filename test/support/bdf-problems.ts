// Twelve stiff problems for BDF: in the form of the package, and as D y' = f(t, y) for an independent oracle.

import { type AdaptiveIntegrator, type Equations, equations } from "nodrift";
import { robertson, stiffPendulumMinimal } from "nodrift/mechanisms";
import {
  gearGuptaLeimkuhler,
  index2,
  index3,
  ode,
  type PlainOde,
  type SolveOptions,
  solve,
  stateSpace,
} from "nodrift/solve";
import type { PlainProblem } from "../reference/bdf.js";
import { pendulum } from "./bouncing-pendulum.js";
import { hires, oregonator, vanDerPolIn } from "./stiffness-odes.js";

export interface Run {
  readonly status: string;
  /** Unknowns at {@link BdfProblem.times}, one after the other. */
  readonly values: readonly number[];
  readonly steps: number;
  readonly evaluations: number;
  readonly jacobians: number;
  readonly factorisations: number;
}

export interface BdfProblem {
  readonly name: string;
  /** When results are compared: eight times, the last of them the end. */
  readonly times: readonly number[];
  readonly plain?: PlainProblem;
  run(integrator: AdaptiveIntegrator, tolerance: number): Run;
}

/** Number of points at which runs are compared. */
const PLACES = 8;

function timesTo(end: number): number[] {
  return Array.from({ length: PLACES }, (_, i) => ((i + 1) * end) / PLACES);
}

type Solved = ReturnType<typeof solve<PlainOde>> | ReturnType<typeof solve<Equations>>;

function runOf(solution: Solved, unknowns: (state: unknown) => readonly number[]): Run {
  const { status, statistics, time } = solution;
  const { steps, evaluations, implicit } = statistics;
  return {
    status,
    values: [...time].flatMap((_, i) => unknowns(solution.state(i))),
    steps,
    evaluations,
    jacobians: implicit?.jacobians ?? 0,
    factorisations: implicit?.factorisations ?? 0,
  };
}

function odeProblem(name: string, source: PlainOde, end: number): BdfProblem {
  const times = timesTo(end);
  const { rate, y = [] } = source.description;
  return {
    name,
    times,
    plain: {
      y: Array.from(y),
      differential: y.length,
      counted: y.length,
      rate: rate as PlainProblem["rate"],
    },
    run(integrator, tolerance) {
      const solution = solve(source, {
        span: [0, end],
        integrator,
        tolerance,
        output: { times },
      });
      return runOf(solution, (state) => [...(state as { readonly y: Float64Array }).y]);
    },
  };
}

function mechanism(
  name: string,
  source: Equations,
  start: { readonly q: ArrayLike<number>; readonly v: ArrayLike<number> },
  end: number,
  formulation: ReturnType<typeof stateSpace>,
  plain?: PlainProblem,
): BdfProblem {
  const times = timesTo(end);
  return {
    name,
    times,
    ...(plain && { plain }),
    run(integrator, tolerance) {
      const options: SolveOptions<Equations> = {
        span: [0, end],
        q: start.q,
        v: start.v,
        tolerance,
        output: { times },
        method: { formulation, integrator },
      };
      const solution = solve(source, options);
      return runOf(solution, (state) => {
        const { q, v } = state as { readonly q: Float64Array; readonly v: Float64Array };
        return [...q, ...v];
      });
    },
  };
}

const rateOf = (name: string, y: readonly number[], rate: PlainProblem["rate"]): PlainOde =>
  ode({ name, names: y.map((_, i) => `y${i}`), y: [...y], rate });

/** Like E5 of Enright, Hull and Lindberg, with concentrations of order one. */
const e5: PlainProblem["rate"] = (_t, y, out) => {
  const first = 0.05 * y[0]!;
  const second = 1e4 * y[0]! * y[2]!;
  const third = 1e5 * y[1]! * y[2]!;
  const fourth = 0.1 * y[3]!;
  out[0] = -first - second;
  out[1] = first - third;
  out[2] = first - second + fourth - third;
  out[3] = second - fourth;
};

/** x'' = -k x - c x' + cos t, overdamped. */
const driven: PlainProblem["rate"] = (t, y, out) => {
  out[0] = y[1]!;
  out[1] = -1e3 * y[0]! - 1e4 * y[1]! + 1e3 * Math.cos(t);
};

const CHAIN = 5;
/** Masses in a row, with springs and stiff dampers between them; the first is moved. */
const chain: PlainProblem["rate"] = (t, y, out) => {
  for (let i = 0; i < CHAIN; i++) {
    const [x, v] = [y[i]!, y[CHAIN + i]!];
    const before = i === 0 ? Math.sin(t) : y[i - 1]!;
    const speed = i === 0 ? Math.cos(t) : y[CHAIN + i - 1]!;
    let force = 10 * (before - x) + 1e4 * (speed - v);
    if (i + 1 < CHAIN) force += 10 * (y[i + 1]! - x) + 1e4 * (y[CHAIN + i + 1]! - v);
    out[i] = v;
    out[CHAIN + i] = force - (i + 1) * x;
  }
};

/** A four-bar linkage of points, its crank held to a moving angle by a spring and a stiff damper. */
function fourBar(): Equations {
  const [crank, coupler, rocker, ground] = [1, 3, 2.5, 3];
  return equations({
    name: "four-bar",
    coordinates: ["bx", "by", "cx", "cy"],
    mass: [1, 1, 1, 1],
    forces: (q, v, out, t) => {
      const angle = Math.atan2(q[1]!, q[0]!);
      const rate = q[0]! * v[1]! - q[1]! * v[0]!;
      const wanted = 1 + 0.5 * Math.sin(2 * t);
      const torque = -200 * (angle - wanted) - 1e3 * (rate - Math.cos(2 * t));
      out[0] = -torque * q[1]!;
      out[1] = torque * q[0]! - 9.81;
      out[2] = 0;
      out[3] = -9.81;
    },
    holonomic: {
      rows: ["crank", "coupler", "rocker"],
      value: (q, out) => {
        out[0] = q[0]! ** 2 + q[1]! ** 2 - crank ** 2;
        out[1] = (q[2]! - q[0]!) ** 2 + (q[3]! - q[1]!) ** 2 - coupler ** 2;
        out[2] = (q[2]! - ground) ** 2 + q[3]! ** 2 - rocker ** 2;
      },
    },
  });
}

/** Its pose at a crank angle. */
function fourBarStart() {
  const [b, coupler, rocker, ground] = [[Math.cos(1), Math.sin(1)], 3, 2.5, 3] as const;
  const [x, y] = [ground - b[0]!, -b[1]!];
  const d = Math.hypot(x, y);
  const along = (d * d + coupler ** 2 - rocker ** 2) / (2 * d);
  const across = Math.sqrt(coupler ** 2 - along ** 2);
  const c = [b[0]! + (along * x - across * y) / d, b[1]! + (along * y + across * x) / d];
  return { q: [...b, ...c], v: [0, 0, 0, 0] };
}

/** The pendulum in x and y with accelerations as unknowns: q, v, a, lambda, and mu in the stabilised form. */
function plainPendulum(level: "positions" | "velocities" | "both"): PlainProblem {
  const isBoth = level === "both";
  return {
    y: [-1, 0, 0, 0, 0, -9.81, 0, ...(isBoth ? [0] : [])],
    differential: 4,
    counted: 4,
    ...(level === "positions" && { positions: 2 }),
    rate(_t, y, out) {
      const mu = isBoth ? y[7]! : 0;
      out[0] = y[2]! + y[0]! * mu;
      out[1] = y[3]! + y[1]! * mu;
      out[2] = y[4]!;
      out[3] = y[5]!;
      out[4] = y[0]! * y[6]! - y[4]!;
      out[5] = -9.81 + y[1]! * y[6]! - y[5]!;
      const phi = (y[0]! ** 2 + y[1]! ** 2 - 1) / 2;
      const rate = y[0]! * y[2]! + y[1]! * y[3]!;
      out[6] = level === "positions" ? phi : rate;
      if (isBoth) out[7] = phi;
    },
  };
}

export function bdfProblems(): readonly BdfProblem[] {
  const still = Array<number>(2 * CHAIN).fill(0);
  const swing = { q: [-1, 0], v: [0, 0] };
  const { equations: angles, q, v } = stiffPendulumMinimal();
  return [
    odeProblem("Robertson", robertson(), 40),
    odeProblem("Van der Pol", vanDerPolIn(100), 100),
    odeProblem("HIRES", hires(), 321.8122),
    odeProblem("Oregonator", oregonator(), 30),
    odeProblem("E5-like", rateOf("E5", [1.76, 0, 0, 0], e5), 40),
    mechanism("stiff pendulum", angles, { q, v }, 2, stateSpace()),
    odeProblem("driven oscillator", rateOf("driven", [0, 0], driven), 10),
    odeProblem("chain with stiff dampers", rateOf("chain", still, chain), 10),
    mechanism("four-bar in state space", fourBar(), fourBarStart(), 3, stateSpace()),
    mechanism("pendulum, index 2", pendulum(), swing, 2, index2(), plainPendulum("velocities")),
    mechanism("pendulum, index 3", pendulum(), swing, 2, index3(), plainPendulum("positions")),
    mechanism("pendulum, GGL", pendulum(), swing, 2, gearGuptaLeimkuhler(), plainPendulum("both")),
  ];
}
