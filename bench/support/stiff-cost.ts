// Counted costs of implicit methods on ordinary stiff problems, for comparison with an earlier version.

import { compile } from "nodrift/bodies";
import { hmmwv, robertson, stiffPendulum } from "nodrift/mechanisms";
import { radau5, rodas, ros3, sdirk4 } from "nodrift/solve";
import { sprungChain } from "../../test/support/stiffness-mechanisms.js";
import { vanDerPolIn } from "../../test/support/stiffness-odes.js";
import {
  problem,
  type StiffnessProblem,
  stiffnessProblems,
} from "../../test/support/stiffness-problems.js";

const methods = {
  default: {},
  radau5: { integrator: radau5() },
  sdirk4: { integrator: sdirk4() },
  rodas: { integrator: rodas() },
  ros3: { integrator: ros3() },
};

/** Tolerances below this take ros3, which is of order 3, too long. */
const FINEST_OF_ROS3 = 1e-5;

/** Group of a problem: twenty ordinary ones, and two from users. */
export const groups = ["20 ordinary problems", "stiff pendulum", "HMMWV"] as const;
export type Group = (typeof groups)[number];

const ordinary =
  /^(Robertson to t = 1|Van der Pol(, mu = 10+)? to|Oregonator|HIRES|Brusselator|y' = -2000|governor|stiff double pendulum to t = 1|chain of 5 rods with rubber to t = 2|chain of 10|crank on)/;

async function problems(): Promise<Record<Group, readonly StiffnessProblem[]>> {
  const all = await stiffnessProblems();
  const pendulum = await compile(stiffPendulum());
  const vehicle = await compile(hmmwv());
  return {
    "20 ordinary problems": [
      ...all.filter(({ name }) => ordinary.test(name)),
      problem(robertson(), 40, 1e-5),
      problem(vanDerPolIn(100), 300, 1e-3),
      problem(vanDerPolIn(1000), 2000, 1e-3),
      problem(await sprungChain(5, { stiffness: 2e4, damping: 5e3 }), 2, 1e-6),
    ],
    "stiff pendulum": [1e-3, 1e-5, 1e-7].map((tolerance) => problem(pendulum, 1, tolerance)),
    HMMWV: [1e-3, 1e-4, 1e-5].map((tolerance) => problem(vehicle, 1, tolerance)),
  };
}

export interface Counts {
  readonly steps: number;
  readonly factorisations: number;
  readonly evaluations: number;
}

/** Counts by group, problem and method. */
export type StiffCosts = Record<string, Record<string, Record<string, Counts>>>;

export async function stiffCosts(): Promise<StiffCosts> {
  const costs: StiffCosts = {};
  for (const [group, members] of Object.entries(await problems())) {
    costs[group] = {};
    for (const { name, tolerance, solve } of members) {
      const byMethod: Record<string, Counts> = {};
      for (const [method, options] of Object.entries(methods)) {
        if (method === "ros3" && tolerance < FINEST_OF_ROS3) continue;
        const { status, statistics } = solve(options);
        if (status !== "finished") throw new Error(`${name} with ${method}: ${status}`);
        const { steps, evaluations, implicit } = statistics;
        const factorisations = implicit?.factorisations ?? 0;
        byMethod[method] = { steps, factorisations, evaluations };
      }
      costs[group][name] = byMethod;
    }
  }
  return costs;
}
