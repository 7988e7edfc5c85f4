import { integrators } from "nodrift";
import { adaptiveIntegrators } from "nodrift/solve";
import { ADAPTIVE, FIXED, type IntegratorText } from "./integrator-texts.js";
import { adaptiveCost, evaluationsOf } from "./method-costs.js";

/** docs/theory/integrators.md: every integrator of the registries. A test compares it with the file. */
export function integratorsPage(): string {
  return `# Integrators

Made from the registries by \`npm run docs\`. An integrator takes a state y = (q, v) over a step h by evaluations of y' = f(t, y). The formulation provides
f ([methods.md](../methods.md)), and a stabilisation keeps the result on the constraints. Below, r is the rate of a decay y' = -r y and w the circular
frequency of an oscillation q'' = -w^2 q. [work-precision.md](../work-precision.md) measures the cost of each at a given error; [choosing.md](../choosing.md) helps you choose.

## Fixed-step integrators

${Object.entries(integrators)
  .map(([name, make]) => {
    const made = make();
    const counted = `order ${made.order}; ${count(evaluationsOf(made), "evaluation")} in a step; ${made.isMultistep ? "remembers steps" : "one-step"}`;
    return section(name, FIXED[name as keyof typeof FIXED], counted, made.reference);
  })
  .join("\n\n")}

## Adaptive integrators

A step is accepted if its estimated error is below the tolerance; otherwise it is repeated with a shorter length. The next one is as long as that estimate allows
([solve.md](../solve.md)). "Counted" is a step on the system of [methods.md](../methods.md), including trials.

${Object.entries(adaptiveIntegrators)
  .map(([name, make]) => {
    const made = make();
    const most = made.isMultistep ? "up to " : "";
    const counted = `order ${most}${made.order}, estimate O(h^${made.isMultistep ? "k" : made.errorOrder}); counted: ${adaptiveCost(made)}`;
    return section(name, ADAPTIVE[name as keyof typeof ADAPTIVE], counted, made.reference);
  })
  .join("\n\n")}
`;
}

function section(name: string, text: IntegratorText, counted: string, source: string): string {
  const { title, formula, theory, use, price } = text;
  return `### \`${name}\`: ${title}

${formula.map((line) => `    ${line}`).join("\n")}

${theory}

- **Use:** ${use}
- **Costs:** ${price}
- **By the registry:** ${counted}.
- **Source:** ${source}`;
}

const count = (n: number, word: string) => `${n} ${n === 1 ? word : `${word}s`}`;
