import type { State } from "../contracts.js";
import { type Limit, Stopped } from "../watch.js";
import { notAssembled } from "./failure.js";
import type { Leg } from "./leg.js";
import type { Setup, Start } from "./setup.js";

/**
 * Brings a leg to where the run starts. Gives the limit that ended this before it was done, if one did: the state is
 * then as it was given, for there is no other that means anything.
 */
export function beginAt<T extends State>(
  leg: Leg<T>,
  t: number,
  { q, v, assembledAt }: Start,
  start: Setup<T>["start"],
): Limit | undefined {
  leg.q.set(q);
  leg.v.set(v);
  try {
    leg.begin(t, assembledAt === t ? "asGiven" : start);
    return undefined;
  } catch (error) {
    if (!(error instanceof Stopped)) {
      throw assembledAt === undefined ? error : notAssembled(error, assembledAt, t);
    }
    leg.q.set(q);
    leg.v.set(v);
    return error.limit;
  }
}
