// Where a compiled model starts, and what its numbers come from.

import type { Description, ModelSettings } from "../../describe/settings.js";
import { NodriftError } from "../../ground/errors.js";
import { type Constants, carryCouplings } from "../../systems/bodies/plan/coupling-offsets.js";
import { type Plan, planModel } from "../../systems/bodies/plan/plan.js";
import { type AssemblyReport, startOf } from "../../systems/bodies/start/start.js";
import { carryAngles } from "../../systems/bodies/system/angle-continuation.js";

/** Where a start comes from that is known: angles and couplings continue from those of the plan. */
export interface StartSource {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly assembly: AssemblyReport;
  readonly plan: Constants;
}

/** Where the numbers of a model come from, and what has been set of them. */
export interface Described<Model> {
  readonly description: Description;
  readonly settings: ModelSettings;
  /** The same mechanism with other masses, gravity and forces: everything else is that of it. */
  readonly like?: Model | undefined;
}

/**
 * The start that is described. If it is far from assembled, leaders of parallel joints may close where their followers
 * cannot: then all joints are treated alike.
 */
export function assembledStart(
  plan: Plan,
  starting: Pick<Parameters<typeof startOf>[0], "time" | "length" | "options" | "make">,
): ReturnType<typeof startOf> {
  try {
    return startOf({ ...starting, plan });
  } catch (error) {
    const isOpen = error instanceof NodriftError && error.code === "ASSEMBLY";
    if (!isOpen || plan.follows.every((leaders) => leaders.length === 0)) throw error;
    const equals = planModel(plan.model, plan.unnormalised);
    const start = startOf({ ...starting, plan: equals });
    carryAngles(equals, plan);
    carryCouplings(equals, plan);
    return start;
  }
}

/** A start that is known, for a plan whose angles and couplings continue from it. */
export function carriedStart({ q, v, assembly, plan }: StartSource, onto: Plan) {
  carryAngles(plan, onto);
  carryCouplings(plan, onto);
  return { q: q.slice(), v: v.slice(), assembly };
}
