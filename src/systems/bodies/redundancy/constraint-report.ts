import { hint } from "../../../describe/model/option-checks.js";
import { NodriftError } from "../../../ground/errors.js";
import type { AssemblyReport } from "../start/start.js";
import { type Noted, notesOf } from "./model-notes.js";
import type { Examination, Redundancy } from "./redundancy.js";

/** Rank and redundancy of a model's constraints. */
export interface ConstraintReport {
  /** Constraint rows. */
  readonly rows: number;
  /** Independent rows: the highest number found at the start and at poses near it. */
  readonly rank: number;
  /** Velocities less the independent rows. */
  readonly degreesOfFreedom: number;
  /** Joints with redundant rows, and which rows. */
  readonly redundant: readonly Redundancy[];
  /** The start is a singular pose: fewer rows are independent there than nearby. */
  readonly singular: boolean;
  /** How the given start was changed by assembly, body by body. */
  readonly start: AssemblyReport;
  /** Notes for the user. */
  readonly notes: readonly string[];
  /**
   * Whether the reaction in a row, named like "crank: axial", follows from the motion. If not, it
   * depends on how much parts give way.
   */
  unique(row: string): boolean;
}

/** The report on the constraints of a compiled model. */
export function constraintReport(model: Noted, examination: Examination): ConstraintReport {
  const { plan, assembly } = model;
  const { rows, rank, degreesOfFreedom, redundant, singular, shared } = examination;
  const notes = notesOf(model, examination);
  return Object.freeze({
    rows,
    rank,
    degreesOfFreedom,
    redundant,
    singular,
    start: assembly,
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
