import { type CompiledModel, compile } from "../../../src/bodies.js";
import { type CoupledMethod, welch } from "../../../src/index.js";
import { threeLinkPendulum } from "../../mechanisms/index.js";
import { largestCentreDistance, threeLinksByScheme43 } from "../experiments/welch-43.js";
import { checked, decimal, distance, most } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

const STEPS = [4e-4, 2e-4] as const;
const END = 4;
/**
 * Difference of two programs that add in different orders, m. The last bits of coordinates add up like the root of the number of
 * steps, to some 1e-13. Three standard deviations of such sums would be a bound as well, but it depends on the seed.
 */
const STATE_TOLERANCE = 1e-11;

export const welchStates = reproduction({
  name: "welch-states",
  paper: "Welch et al. 2007",
  title:
    "States of three links in space at equal steps: scheme (43) as printed, and by our default",
  notes: [
    "The paper prints no states in space. The scheme is written down once more, with matrices of numbers and nothing of " +
      "the kernels, and its states at 4 s are compared with those of welch() at the same step.",
    "As printed, the middle of the step has the mean of two sets of Euler parameters, which is no unit " +
      '(eq. 24): middle: "printed". By default bodies are turned halfway, which differs by h^2.',
  ],
  seconds: 6,
  async *measure() {
    const links = await compile(threeLinkPendulum({ pin: "world" }), { coordinates: "maximal" });
    const printed = welch({ passes: 1, midpoint: "printed" });
    const turned: number[] = [];
    for (const step of STEPS) {
      const states = threeLinksByScheme43(step, END);
      const off = (coupled: CoupledMethod) =>
        largestCentreDistance(stateAt(links, coupled, step), states);
      const quantity = `largest distance of a centre from scheme (43) at 4 s, step ${decimal(step)}, m`;
      yield checked({ quantity, value: off(printed) }, most(STATE_TOLERANCE));
      turned.push(off(welch({ passes: 1 })));
    }
    yield order(turned as [number, number]);
  },
});

function order([long, short]: readonly [number, number]): Entry {
  const quantity = "order of the distance, bodies turned halfway instead";
  return checked({ quantity, reference: 2, value: Math.log2(long / short) }, distance(0.1));
}

function stateAt(links: CompiledModel, coupled: CoupledMethod, step: number) {
  const simulation = links.simulate({ step, method: { coupled } });
  return simulation.advance(Math.round(END / step)).q;
}
