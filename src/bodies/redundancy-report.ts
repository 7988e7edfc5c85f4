import { NodriftError } from "../errors.js";
import { hint } from "../model/checks.js";
import { type Noted, notesOf } from "./notes.js";
import type { Plan } from "./plan.js";
import { examine, type Redundancy } from "./redundancy.js";
import type { Examined } from "./redundancy-poses.js";
import type { BodySystem } from "./system.js";

/** What the constraints of a model are worth. */
export interface Report {
  /** Constraint rows. */
  readonly rows: number;
  /** Independent rows: the highest number found at the start and at poses near it. */
  readonly rank: number;
  readonly degreesOfFreedom: number;
  /** Joints with rows that repeat others, and which. */
  readonly redundant: readonly Redundancy[];
  /** The start is a singular pose: fewer rows are independent there than nearby. */
  readonly singular: boolean;
  /** What is worth knowing, in sentences. */
  readonly notes: readonly string[];
  /**
   * Whether the reaction in a row, named like "crank: axial", follows from the motion. If not, it
   * depends on how much parts give way.
   */
  unique(row: string): boolean;
}

interface Compiled extends Noted, Omit<Examined, "make"> {
  bodySystem(plan: Plan): BodySystem;
}

/** Examines a compiled model. */
export function reportOf(model: Compiled, rankPlan: Plan | undefined): Report {
  const { plan, q, v, time, length } = model;
  const make = (own: Plan) => model.bodySystem(own);
  const examination = examine({ plan, q, v, time, length, make }, rankPlan);
  const { rows, rank, degreesOfFreedom, redundant, singular, shared } = examination;
  const notes = notesOf(model, examination);
  return Object.freeze({
    rows,
    rank,
    degreesOfFreedom,
    redundant,
    singular,
    notes,
    unique(row: string) {
      const index = plan.rowNames.indexOf(row);
      if (index >= 0) return !shared.has(index);
      throw new NodriftError(
        "DESCRIPTION",
        `${plan.model.name}: no constraint row is named "${row}"${hint(row, plan.rowNames)}`,
      );
    },
  });
}
