import { coupledMethods, formulations, integrators, stabilisations } from "nodrift";

const yes = (value: boolean) => (value ? "yes" : "no");

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

const ACTS = {
  nothing: "-",
  stages: "state before each evaluation",
  accelerations: "right side of the accelerations",
  rates: "rates of positions and velocities",
  afterStep: "state after the step",
} as const;

/** docs/methods.md: every entry of the registries. A test compares it with the file. */
export function methodsTable(): string {
  const what = ["name", "constraints kept on", "singular poses", "redundant rows", "source"];
  const behaviour = [...formulations, ...coupledMethods].map((entry) => [
    `\`${entry.name}\``,
    entry.level === "acceleration"
      ? "accelerations"
      : entry.level === "velocity"
        ? "velocities"
        : "positions",
    yes(entry.survivesSingularPoses),
    yes(entry.survivesRedundantRows),
    entry.reference,
  ]);
  const coupled = behaviour.splice(formulations.length);
  return `# Methods

Made from the registries by \`npm run docs\`. A method is a formulation, a stabilisation (or a list of them) and an
integrator; or a coupled method alone. "Singular poses" says whether a formulation alone gets through poses where the
constraints lose rank (ten seconds of the two four-bars); with \`driftElimination()\` or \`projection()\` those on the level of
accelerations do as well. "Redundant rows" says whether constraints may repeat each other.

## Formulations

${table(what, behaviour)}

## Coupled methods

${table(what, coupled)}

## Stabilisations

${table(
  ["name", "acts on", "one-step methods only", "needs a potential", "source"],
  stabilisations.map(({ name, acts, oneStepOnly, needsEnergy, reference }) => [
    `\`${name}\``,
    ACTS[acts],
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
    .map(({ name, order, stages, hasMemory, reference }) => [
      `\`${name}\``,
      String(order),
      String(stages),
      yes(hasMemory),
      reference,
    ]),
)}
`;
}
