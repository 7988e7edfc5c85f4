import {
  type CoupledMethod,
  coupledMethods,
  type Formulation,
  formulations,
  integrators,
  stabilisations,
} from "nodrift";
import { adaptiveIntegrators, stateSpace } from "nodrift/solve";
import { markdownTable as table } from "./markdown-table.js";

const yes = (value: boolean) => (value ? "yes" : "no");

const ACTS = {
  nothing: "-",
  stages: "state before each evaluation",
  accelerations: "right side of the accelerations",
  rates: "rates of positions and velocities",
  afterStep: "state after the step",
} as const;

/** What the registry of integrators to a tolerance does not say; a new one needs its line. */
const ADAPTIVE: Record<keyof typeof adaptiveIntegrators, { dense: string; use: string }> = {
  bs3: { dense: "3", use: "rough forces, tolerances above 1e-4" },
  dp5: { dense: "4", use: "tolerances of 1e-2 and more; forces that are not smooth" },
  tsit5: { dense: "4", use: "as `dp5`: steps as long, errors mostly smaller" },
  dop853: { dense: "7", use: "the default: smooth motion, all other tolerances" },
  adams: {
    dense: "that of the step",
    use: "smooth motion whose forces cost much to evaluate, without many events",
  },
  "sdirk4-15": {
    dense: "3",
    use: "stiff motion, tolerances of 1e-2 to 1e-6; takes over at 1e-3 and more where none was asked for",
  },
  ros3: { dense: "3", use: "stiff motion in real time, in fixed steps" },
  rodas: { dense: "3", use: "stiff motion, tolerances above 1e-5; forces that are not smooth" },
  radau5: {
    dense: "4",
    use: "stiff smooth motion, tolerances from 1e-4 down; takes over below 1e-3 where none was asked for",
  },
};

const BEHAVIOUR = ["name", "constraints kept on", "singular poses", "redundant rows", "source"];

const LEVELS = { acceleration: "accelerations", velocity: "velocities", position: "positions" };

const behaviour = (entries: readonly (Formulation | CoupledMethod)[]) =>
  table(
    BEHAVIOUR,
    entries.map((entry) => [
      `\`${entry.name}\``,
      LEVELS[entry.level],
      yes(entry.survivesSingularPoses),
      yes(entry.survivesRedundantRows),
      entry.reference,
    ]),
  );

function adaptiveTable(): string {
  const rows = Object.entries(adaptiveIntegrators).map(([key, make]) => {
    const { order, errorOrder, stages, reference, isMultistep } = make();
    const { dense, use } = ADAPTIVE[key as keyof typeof ADAPTIVE];
    const most = isMultistep ? "up to " : "";
    return [`\`${key}\``, most + order, most + errorOrder, String(stages), dense, use, reference];
  });
  const header = ["name", "order", "estimate O(h^k), k", "evaluations in a step"];
  return table([...header, "order of dense output", "when to use", "source"], rows);
}

/** docs/methods.md: every entry of the registries. A test compares it with the file. */
export function methodsTable(): string {
  return `# Methods

Made from the registries by \`npm run docs\`. [choosing.md](choosing.md) says which to use. A method is a formulation, a stabilisation (or
a list of them) and an integrator; or a coupled method alone. "Singular poses" says whether a formulation alone gets through poses where the
constraints lose rank (tested on ten seconds of the two four-bars); with \`driftElimination()\` or \`projection()\`, formulations that keep
constraints on accelerations get through as well. "Redundant rows" says whether constraints may depend on each other.

## Formulations

${behaviour(formulations)}

## Formulations for implicit integrators

These are in \`nodrift/solve\`. \`stateSpace\` integrates only independent positions and their velocities, and keeps the same ones for many
steps: an implicit integrator then has as few unknowns as possible, and for mechanisms df/dy comes from formulas. It accepts constraints on
positions only. \`coordinatePartitioning\` chooses independent coordinates too, but integrates all positions, on dense
matrices: it accepts constraints on velocities and singular poses, and is for explicit one-step methods. \`firstOrder\` is for plain
differential equations. In \`stateSpace\` the rows of a mechanism may be redundant, since \`compile\` has counted the degrees of freedom.
[stiff.md](stiff.md) has more.

${behaviour([stateSpace()])}

## Coupled methods

${behaviour(coupledMethods)}

## Stabilisations

${table(
  ["name", "acts on", "one-step methods only", "needs a potential", "source"],
  stabilisations.map(({ name, actsOn, oneStepOnly, needsEnergy, reference }) => [
    `\`${name}\``,
    ACTS[actsOn],
    yes(oneStepOnly),
    yes(needsEnergy),
    reference,
  ]),
)}

## Integrators

${table(
  ["name", "order", "evaluations in a step", "remembers steps", "source"],
  Object.values(integrators)
    .map((make) => make())
    .map(({ name, order, stages, isMultistep, reference }) => [
      `\`${name}\``,
      String(order),
      String(stages),
      yes(isMultistep),
      reference,
    ]),
)}

## Integrators to a tolerance

For \`solve\` ([solve.md](solve.md)). A step is as long as its error estimate allows. One more evaluation, at the end of each step, serves the
estimate, dense output and the first stage of the next step, where it is not counted again. Dense output of \`dop853\` takes three more in
the steps where it is asked for.

\`sdirk4-15\`, made by \`sdirk4()\`, \`rodas\`, \`ros3\` and \`radau5\` are implicit, for stiff motion ([stiff.md](stiff.md)). Each of the
five stages of \`sdirk4-15\` is an equation that takes one to seven evaluations; its estimate and dense output need none. \`radau5\` takes its three
evaluations in each of one to seven iterations. \`rodas\` and \`ros3\` do not iterate. \`sdirk4-15\` and \`radau5\` measure errors by the root mean square over the unknowns, all others by the worst unknown.

${adaptiveTable()}
`;
}
