import { checkStatus } from "nodrift/kernels";
import { randomVector, seeded } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import { type Rule, updates } from "../baseline/quaternions.js";
import { randomQuaternions } from "../cases/rotation.js";
import type { Contest } from "./contest.js";

const KERNELS = {
  implicit: "updateImplicit",
  cayley: "updateCayley",
  exponential: "updateExponential",
} as const satisfies Partial<Record<Rule, string>>;

/** Bodies turn by up to 2e-2 rad in a step. */
const STEP = 1e-2;

const speedsOf = (count: number) => randomVector(seeded(count), 3 * count);
const startsOf = (count: number) => randomQuaternions(seeded(count + 1), count);

const contestOf = (name: string, rule: Rule): Contest => ({
  name,
  // Numbers of bodies, in one call.
  sizes: [10, 100, 1000].map((count) => [count, count] as const),
  entrants: {
    wasm: (count) => {
      const { kernels, w, e, out } = scratch({
        w: speedsOf(count),
        e: startsOf(count),
        out: 4 * count,
      });
      if (rule === "rates") {
        return () =>
          checkStatus(
            "angularVelocityToRates",
            kernels.angularVelocityToRates(count, w.address, e.address, out.address),
          );
      }
      const kernel = KERNELS[rule];
      return () =>
        checkStatus(kernel, kernels[kernel](count, STEP, w.address, e.address, out.address));
    },
    "plain js": (count) => {
      const [w, e] = [speedsOf(count), startsOf(count)];
      const out = new Float64Array(4 * count);
      const update = updates[rule];
      const h = rule === "rates" ? 1 : STEP;
      return () => {
        const body = update(count, h, w, e, out);
        if (body >= 0) throw new Error(`body ${body} is not finite`);
        return body;
      };
    },
  },
});

/** Euler parameters of many bodies: their rates G(w) e, and steps by each rule. */
export const quaternionContests: readonly Contest[] = [
  contestOf("Rates of Euler parameters, G(omega) e", "rates"),
  contestOf("Euler parameters, implicit step", "implicit"),
  contestOf("Euler parameters, Cayley step", "cayley"),
  contestOf("Euler parameters, exponential step", "exponential"),
];
