import type { Method } from "../contracts.js";
import { udwadiaKalaba } from "../formulations/udwadia-kalaba.js";
import { rk4 } from "../integrators/index.js";
import { Simulation } from "../run/simulation.js";
import { stagedProjection } from "../stabilisations/staged-projection.js";
import type { CompiledModel } from "./compile.js";

export interface BodySimulationOptions {
  /** Default: RK4, projected in every stage: goes through singular poses, without drift. */
  readonly method?: Method;
  /** Length of a step in seconds. */
  readonly step: number;
}

/** The method for mechanisms when none is asked for. */
export function defaultMethod(): Method {
  return {
    formulation: udwadiaKalaba(),
    stabilisation: stagedProjection(),
    integrator: rk4(),
  };
}

/** A mechanism that moves. Made by {@link CompiledModel.simulate}. */
export class BodySimulation extends Simulation {
  constructor(compiled: CompiledModel, { method = defaultMethod(), step }: BodySimulationOptions) {
    super(compiled.bodySystem(), {
      method,
      step,
      q: compiled.q,
      v: compiled.v,
      time: compiled.time,
      start: "asGiven",
    });
  }
}
