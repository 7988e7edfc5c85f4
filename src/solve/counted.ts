import type { Formulation } from "../contracts.js";

/** A formulation that tells whenever its rates are evaluated. */
export function counted(formulation: Formulation, tell: () => void): Formulation {
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
            tell();
            ode.rate(t, out);
          },
        },
      };
    },
  };
}
