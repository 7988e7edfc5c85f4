// The method for a mechanism in real time, where none is given.

import { NodriftError } from "../../ground/errors.js";
import { ros3 } from "../../methods/integrators/ros3/ros3.js";
import type { Method, System } from "../../seam/index.js";
import { implicitMethod } from "../solve/setup/method-choice.js";
import type { Simulation } from "../stepping/simulation.js";

/** Length of steps, where none is given. */
export const LIVE_STEP = 1 / 240;

/** A compiled model, as far as its motion in real time needs it. */
export interface LiveSource<S extends Simulation> {
  system(): System;
  simulate(options: { readonly step: number; readonly method?: Method }): S;
}

export function isLiveSource(given: unknown): given is LiveSource<Simulation> {
  const { system, simulate } = (given ?? {}) as Partial<LiveSource<Simulation>>;
  return typeof system === "function" && typeof simulate === "function";
}

/** Explicit steps of order 4 are stable up to |h lambda| = 2.8 or so; beyond this they are not trusted. */
const STABLE = 2;

/** A simulation that can tell how fast small motions are. */
interface Rated {
  fastestRate(near: number, mayAct: boolean): number;
}

/**
 * Undefined (that of `simulate`) where explicit steps of this length are stable with all forces that may act, else {@link ros3}: a tyre that is
 * in the air at the start bounces for ever with explicit steps once it lands. Where small motions cannot be found, as at
 * singular poses, explicit steps go through.
 */
export function liveMethod(source: LiveSource<Simulation>, step: number): Method | undefined {
  const probe = source.simulate({ step }) as Simulation & Partial<Rated>;
  if (probe.fastestRate === undefined) return undefined;
  const limit = STABLE / step;
  try {
    const isStiff = probe.fastestRate(limit, true) > limit;
    return isStiff ? implicitMethod(source.system(), ros3()) : undefined;
  } catch (error) {
    if (error instanceof NodriftError) return undefined;
    throw error;
  }
}
