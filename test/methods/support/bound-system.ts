// Access to the system bound to a method, through the formulation, which receives it.

import {
  type Equations,
  type Formulation,
  type Method,
  type Simulation,
  type SimulationOptions,
  type System,
  simulate,
} from "nodrift";

type Parts = Exclude<Method, { readonly coupled: unknown }>;

/** A simulation, and the system its formulation was bound to. */
export function bound(
  source: Equations,
  options: Omit<SimulationOptions, "method"> & { readonly method: Parts },
): { readonly simulation: Simulation; readonly system: System } {
  const { formulation } = options.method;
  const seen: System[] = [];
  const watched: Formulation = {
    ...formulation,
    bind(given, stabilisation) {
      seen.push(given);
      return formulation.bind(given, stabilisation);
    },
  };
  const method = { ...options.method, formulation: watched };
  const simulation = simulate(source, { ...options, method });
  if (seen.length !== 1) throw new Error(`${seen.length} systems were bound, not 1`);
  return { simulation, system: seen[0] };
}
