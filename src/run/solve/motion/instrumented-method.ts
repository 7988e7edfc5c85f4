import type { Address } from "../../../ground/memory/arena.js";
import type { Formulation, Method, Ode, Stabilisation } from "../../../seam/index.js";
import { stabilisationsOf } from "../../stepping/compatibility.js";

export interface MethodObserver {
  /** The rates have been evaluated so many times. */
  evaluated(times: number): void;
  /** Unknowns of a step have been taken from the state. */
  began(): void;
}

/** The method with its evaluations counted, and the end of each step kept before it is corrected. */
export function instrumented(method: Method, raw: Address, watcher: MethodObserver): Method {
  const watch: Stabilisation = {
    name: "watch",
    reference: "",
    actsOn: "afterStep",
    oneStepOnly: false,
    needsEnergy: false,
    bind: ({ workspace, state, coordinates: { positions, velocities } }) => ({
      beginStep: () => watcher.began(),
      correct: () => workspace.kernels.copyVector(positions + velocities, state.q, raw),
    }),
  };
  const stabilisation = [watch, ...stabilisationsOf(method)];
  if ("coupled" in method) return { ...method, stabilisation };
  return { ...method, stabilisation, formulation: counted(method.formulation, watcher) };
}

function counted(formulation: Formulation, watcher: MethodObserver): Formulation {
  return {
    ...formulation,
    bind(system, stabilisation) {
      const bound = formulation.bind(system, stabilisation);
      const { ode } = bound;
      const rate = (t: number, out: Address) => {
        watcher.evaluated(1);
        ode.rate(t, out);
      };
      const atOnce = ode.stages;
      const stages: Ode["stages"] = (t, h, step) => {
        const done = atOnce?.(t, h, step) ?? step.first;
        watcher.evaluated(done - step.first);
        return done;
      };
      const compiled = ode.compiled && {
        ...ode.compiled,
        evaluated: (times: number) => watcher.evaluated(times),
      };
      return {
        ...bound,
        ode: { ...ode, rate, ...(atOnce && { stages }), ...(compiled && { compiled }) },
      };
    },
  };
}

/** Slopes cannot be reused if unknowns or corrections are redefined at each step. */
export function slopesDependOnStep(method: Method): boolean {
  return (
    ("formulation" in method && method.formulation.changesUnknowns) ||
    stabilisationsOf(method).some(({ actsOn }) => actsOn === "accelerations" || actsOn === "rates")
  );
}
