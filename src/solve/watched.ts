import type { Formulation, Method, Stabilisation } from "../contracts.js";
import type { Address } from "../memory/arena.js";
import { stabilisationsOf } from "../run/pairs.js";

/** A number that grows. */
export interface Count {
  count: number;
}

/** A method with its evaluations counted, and the end of each step kept before it is corrected. */
export function watched(method: Method, raw: Address, evaluations: Count): Method {
  const watch: Stabilisation = {
    name: "watch",
    reference: "",
    acts: "afterStep",
    oneStepOnly: false,
    needsEnergy: false,
    bind: ({ workspace, state, positions, velocities }) => ({
      correct: () => workspace.kernels.copyVector(positions + velocities, state, raw),
    }),
  };
  const stabilisation = [watch, ...stabilisationsOf(method)];
  if ("coupled" in method) return { ...method, stabilisation };
  return { ...method, stabilisation, formulation: counted(method.formulation, evaluations) };
}

function counted(formulation: Formulation, evaluations: Count): Formulation {
  return {
    ...formulation,
    bind: (system, stabilisation) => {
      const bound = formulation.bind(system, stabilisation);
      const { ode } = bound;
      return {
        ...bound,
        ode: {
          ...ode,
          rate: (t, out) => {
            evaluations.count++;
            ode.rate(t, out);
          },
        },
      };
    },
  };
}
