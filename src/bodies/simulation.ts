import type { Method } from "../contracts.js";
import { udwadiaKalaba } from "../formulations/udwadia-kalaba.js";
import { rk4 } from "../integrators/index.js";
import { Simulation } from "../run/simulation.js";
import { stagedProjection } from "../stabilisations/staged-projection.js";
import type { BodySystem } from "./system.js";

export interface BodySimulationOptions {
  /** Default: RK4, projected in every stage: goes through singular poses, without drift. */
  readonly method?: Method;
  /** Length of a step in seconds. */
  readonly step: number;
}

/** What a simulation is made from: a compiled model. */
export interface BodySource {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  bodySystem(): BodySystem;
}

/** The method for mechanisms when none is asked for. */
export function defaultMethod(): Method {
  return {
    formulation: udwadiaKalaba(),
    stabilisation: stagedProjection(),
    integrator: rk4(),
  };
}

/** A mechanism that moves. Made by the `simulate` of a compiled model. */
export class BodySimulation extends Simulation {
  constructor(source: BodySource, { method = defaultMethod(), step }: BodySimulationOptions) {
    super(source.bodySystem(), {
      method,
      step,
      q: source.q,
      v: source.v,
      time: source.time,
      start: "asGiven",
    });
  }
}
