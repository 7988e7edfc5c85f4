import { arenaRecord } from "../../../ground/memory/record.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import { NO_COSTS } from "../implicit/costs.js";

/** What a diagonally implicit method knows from one attempt to the next, as numbers in the arena. */
export type SdirkMemory = ReturnType<typeof sdirkMemory>;

export function sdirkMemory(name: string, workspace: Workspace) {
  return arenaRecord(workspace, `${name} memory`, {
    /** 1 when a step has been committed. */
    taken: 0,
    /** 1 when the attempt before this one was not good enough, or could not be finished. */
    rejected: 0,
    /** 1 while an attempt is under way, and after one that could not be finished. */
    unfinished: 0,
    /** Length of the attempt, and of the last step that stood: 0 where there is nothing to extrapolate. */
    length: 0,
    lengthBefore: 0,
    /** 1 where the first guess is not extrapolated: iterations that began there did not converge. */
    guessesNothing: 0,
    /** Rate of convergence and iterations, in the last stage. */
    theta: 0,
    iterations: 0,
    /** 1 when there is a Jacobian; 1 when it is that of the accepted state. */
    linearised: 0,
    fresh: 0,
    /** 1 when f at the accepted state is known, 2 when f at the end of the attempt is. */
    slopeKnown: 0,
    /** Tolerances that steps can hide since the last that was looked at. */
    hideable: 0,
    /** The alpha for which I - alpha df/dy is factored, or 0. */
    factored: 0,
    ...NO_COSTS,
  });
}

/** Below this rate of convergence the Jacobian is good enough for another step. */
export const QUICK = 1e-3;

/** Iterations in a stage at most. */
export const ITERATIONS = 7;
