import {
  type CoupledMethod,
  coupledMethods,
  type Formulation,
  formulations,
  integrators,
  stabilisations,
} from "nodrift";
import { adaptiveIntegrators, directFormulations, directMethods, stateSpace } from "nodrift/solve";
import { markdownTable as table } from "./markdown-table.js";
import {
  adaptiveCost,
  coupledCost,
  directCost,
  directStepCost,
  evaluationsOf,
  formulationCost,
  maggiByCharacteristics,
  stabilisationCost,
} from "./method-costs.js";

const yes = (value: boolean) => (value ? "yes" : "no");

const ACTS = {
  nothing: "-",
  stages: "state before each evaluation",
  accelerations: "right-hand side of the accelerations",
  rates: "rates of positions and velocities",
  afterStep: "state after the step",
} as const;

/** Use of adaptive integrators, which the registry lacks; a new one needs a line. */
const ADAPTIVE: Record<keyof typeof adaptiveIntegrators, { dense: string; use: string }> = {
  bs3: { dense: "3", use: "rough forces, tolerances above 1e-4" },
  dp5: { dense: "4", use: "tolerances of 1e-2 and more; forces that are not smooth" },
  tsit5: { dense: "4", use: "as `dp5`: equally long steps, mostly smaller errors" },
  dop853: { dense: "7", use: "the default: smooth motion, all other tolerances" },
  adams: {
    dense: "that of the step",
    use: "smooth motion with expensive forces, without many events",
  },
  "sdirk4-15": {
    dense: "3",
    use: "stiff motion, tolerances of 1e-2 to 1e-6; chosen by `solve` for stiff motion at 1e-3 and more",
  },
  ros3: { dense: "3", use: "stiff motion in real time, in fixed steps" },
  rodas: { dense: "3", use: "stiff motion, tolerances above 1e-5; forces that are not smooth" },
  radau5: {
    dense: "4",
    use: "stiff smooth motion, tolerances from 1e-4 down; chosen by `solve` for stiff motion below 1e-3",
  },
  bdf: {
    dense: "that of the step",
    use: "large stiff systems, whose factorisations cost most, without many events",
  },
};

const BEHAVIOUR = ["name", "constraints kept on", "singular poses", "redundant rows"];

const LEVELS = { acceleration: "accelerations", velocity: "velocities", position: "positions" };

const words = (entry: Formulation | CoupledMethod) => [
  `\`${entry.name}\``,
  LEVELS[entry.level],
  yes(entry.survivesSingularPoses),
  yes(entry.survivesRedundantRows),
];

/** Formulations with the work per evaluation, and additional work per step. */
const formulationTable = (entries: readonly Formulation[]) =>
  table(
    [...BEHAVIOUR, "an evaluation costs", "source"],
    entries.map((entry) => [...words(entry), formulationCost(entry), entry.reference]),
  );

/** Coupled methods with the work of a step. */
const coupledTable = (entries: readonly CoupledMethod[], cost = coupledCost) =>
  table(
    [...BEHAVIOUR, "order", "a step costs", "source"],
    entries.map((entry) => [...words(entry), String(entry.order), cost(entry), entry.reference]),
  );

function adaptiveTable(): string {
  const rows = Object.entries(adaptiveIntegrators).map(([key, make]) => {
    const integrator = make();
    const { order, errorOrder, stages, reference, isMultistep } = integrator;
    const { dense, use } = ADAPTIVE[key as keyof typeof ADAPTIVE];
    const most = isMultistep ? "up to " : "";
    const cost = adaptiveCost(integrator);
    const numbers = [most + order, most + errorOrder, String(stages), cost, dense];
    return [`\`${key}\``, ...numbers, use, reference];
  });
  const header = [
    "name",
    "order",
    "estimate O(h^k), k",
    "evaluations in a step",
    "a step, counted",
  ];
  return table([...header, "order of dense output", "when to use", "source"], rows);
}

/** docs/methods.md: every entry of the registries. A test compares it with the file. */
export function methodsTable(): string {
  return `# Methods

Made from the registries by \`npm run docs\`. [choosing.md](choosing.md) helps you choose. A method is a formulation, a stabilisation (or
a list of them) and an integrator; or a coupled method alone. "Singular poses" says whether a formulation alone passes poses where the constraints lose rank (tested on ten seconds of the two four-bars); with \`driftElimination()\` or \`projection()\`, formulations that keep constraints on accelerations pass them as well. "Redundant rows" says whether constraints may depend on each other.

Costs are counted, not estimated: calls of the functions and kernels of a system with n coordinates, m constraints and k = n - m
degrees of freedom, whose derivatives are given, over fifty steps; averages are rounded to halves. M, Q, J, gamma, Phi and V are evaluations
of the functions of that system; with finite differences, J stands for several evaluations of Phi, and methods that need the rate of J, or the gradient
of T, use differences of J and M along the motion. "COD m x n" and similar names are factorisations with their size, "solve m" a solve with a
factor of that size. The factorisation of a diagonal M is not counted.

## Formulations

${formulationTable([...formulations, maggiByCharacteristics()])}

\`penalty\` satisfies its constraints up to an error in proportion to 1 / penalty; all others are exact. Inside a step the bases "qr", "svd",
"gram-schmidt" and "zero-eigenvalue" of \`maggi\` share one frame, Gram-Schmidt on the rows of J and the directions that the
decomposition found at the beginning of the step (Liang and Lance): a basis must be differentiable to be integrated, and a repeated decomposition is not. They differ in those directions, and in how they find the rank. \`nullSpace\` and \`accelerationProjection\`
repeat the decomposition at each evaluation. [theory/bases.md](theory/bases.md) has more.

## Formulations for implicit integrators

These are in \`nodrift/solve\`. \`stateSpace\` integrates only independent positions and their velocities, and keeps the same ones for many
steps: an implicit integrator then has as few unknowns as possible, and for mechanisms df/dy is analytic. It accepts constraints on
positions only. \`coordinatePartitioning\` chooses independent coordinates too, but integrates all positions, on dense
matrices: it accepts constraints on velocities and singular poses, and is for explicit one-step methods. \`firstOrder\` is for plain
differential equations. In \`stateSpace\` the rows of a mechanism may be redundant, since \`compile\` has counted the degrees of freedom.
[stiff.md](stiff.md) has more.

${formulationTable([stateSpace()])}

## Formulations with multipliers among the unknowns

These are in \`nodrift/solve\`, for \`radau5\` and \`bdf\`, and except \`index3\` also for \`sdirk4\`: all positions, velocities and multipliers are unknowns, and no
independent coordinates are chosen. They accept constraints on velocities. Rows of a mechanism may be redundant, since \`compile\` has counted the degrees
of freedom. Constraints hold as well as the iterations converge, and to rounding with \`projection()\`. [theory/index-3.md](theory/index-3.md) has the
orders of each, and when to use it.

${table(
  [...BEHAVIOUR, "a step of radau5 costs", "source"],
  directFormulations.map((entry) => [...words(entry), directCost(entry), entry.reference]),
)}

## Coupled methods

${coupledTable(coupledMethods)}

## Coupled methods with multipliers among the unknowns

These are in \`nodrift/solve\`. Rows of a mechanism may be redundant, as above. \`generalisedAlpha\` and \`hilberHughesTaylor\` take fixed steps and, except in their
index-3 form, adaptive steps.

${coupledTable(directMethods, directStepCost)}

## Stabilisations

${table(
  [
    "name",
    "acts on",
    "one-step methods only",
    "needs a potential",
    "adds to an evaluation",
    "source",
  ],
  stabilisations.map((entry) => [
    `\`${entry.name}\``,
    ACTS[entry.actsOn],
    yes(entry.oneStepOnly),
    yes(entry.needsEnergy),
    stabilisationCost(entry),
    entry.reference,
  ]),
)}

## Integrators

${table(
  ["name", "order", "evaluations in a step", "remembers steps", "source"],
  Object.values(integrators)
    .map((make) => make())
    .map((entry) => [
      `\`${entry.name}\``,
      String(entry.order),
      String(evaluationsOf(entry)),
      yes(entry.isMultistep),
      entry.reference,
    ]),
)}

## Adaptive integrators

For \`solve\` ([solve.md](solve.md)). A step is as long as its error estimate allows. One more evaluation, at the end of each step, serves the estimate, dense output and
the first stage of the next step, where it is not counted again. Dense output of \`dop853\` takes three more in steps with output.
"Counted" is over two seconds of the system of the costs above at a tolerance of 1e-5, including all attempts and the trials of the
first step; for implicit ones including the evaluations for finite-difference df/dy.

\`sdirk4-15\` (from \`sdirk4()\`), \`rodas\`, \`ros3\`, \`radau5\` and \`bdf\` are implicit, for stiff motion ([stiff.md](stiff.md)). Each of the
five stages of \`sdirk4-15\` is an equation that takes one to seven evaluations; its estimate and dense output need none. \`radau5\` takes its three
evaluations in each of one to seven iterations, \`bdf\` one in each of one to four. \`rodas\` and \`ros3\` do not iterate. \`sdirk4-15\`, \`radau5\` and \`bdf\` measure errors by the root mean square over the unknowns, all others by the worst unknown.

${adaptiveTable()}
`;
}
