import { arenaRecord } from "../../ground/memory/record.js";
import type { Workspace } from "../../ground/memory/workspace.js";
import { NO_COSTS } from "../integrators/implicit/costs.js";

/** What an alpha method knows from one step to the next besides vectors, as numbers in the arena. */
export type AlphaMemory = ReturnType<typeof alphaMemory>;

export function alphaMemory(name: string, workspace: Workspace) {
  return arenaRecord(workspace, `${name} memory`, {
    /** 1 when a and its slope belong to the accepted state. */
    known: 0,
    /** 1 when the rows that hold have been chosen. */
    chosen: 0,
    /** 1 when a step has been taken. */
    taken: 0,
    /** Length of the step for which a is v' at t + shift h; 0 at a start, where it is v' itself. */
    length: 0,
    /** Length for which the matrix is factored, or 0; and how fast iterations with it were. */
    factored: 0,
    contraction: 0,
    ...NO_COSTS,
  });
}
