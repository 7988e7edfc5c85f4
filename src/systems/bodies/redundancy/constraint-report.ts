import { hint } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import { excess } from "../../../model/inertia.js";
import type { ModelData } from "../../../model/model-data.js";
import type { AssemblyReport, BodyCorrection } from "../initial-state/initial-state.js";
import type { Plan } from "../plan/plan.js";
import type { Examination, Redundancy } from "./redundancy.js";

// Notes on a model that runs, as sentences.

/** Displacement of the initial state, relative to the size of the model, above which a note is issued. */
const MOVE_NOTE_FRACTION = 1e-6;
/** Constraint error due to rounding: of short lengths, and of points far from the origin. */
const CONSTRAINT_TOLERANCE = 1e-10;
const ROUNDING_FRACTION = 16 * Number.EPSILON;
/** Speed treated as rest, in model lengths per second. */
const REST_SPEED = 1e-9;
/** Misfit of joints treated as rounding, in radians. */
const MISFIT_TOLERANCE_RAD = 1e-11;
/** Smaller pivots belong to a loop that can nearly move: axes within 0.03 rad of parallel. */
const LOCKING_PIVOT = 1e-3;
/** Maximum number of joints listed in a note. */
const MAX_LISTED = 4;

interface ReportedModel {
  readonly plan: Plan;
  readonly assembly: AssemblyReport;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly length: number;
}

function notesOf(model: ReportedModel, examination: Examination): string[] {
  return [
    ...redundancyNotes(examination),
    ...misfitNotes(examination),
    ...lockNotes(model, examination),
    ...singularNotes(model, examination),
    ...freeBodies(model.plan),
    ...inertiaNotes(model.plan.model),
    ...assemblyNotes(model),
  ];
}

function redundancyNotes({ rows, rank, redundant }: Examination): string[] {
  const count = rows - rank;
  if (count === 0) return [];
  const listed = redundant.slice(0, MAX_LISTED).map(({ text }) => text);
  const rest = redundant.length - listed.length;
  const more = rest > 0 ? [`and ${rest} more ${rest === 1 ? "joint" : "joints"} likewise`] : [];
  const verb = count === 1 ? "is" : "are";
  return [
    `${count} of ${rows} rows ${verb} redundant. The motion is not affected; ` +
      `reactions in the loop are (${[...listed, ...more].join("; ")})`,
  ];
}

/** Nearly redundant rows: the mechanism runs as if they were redundant. */
function misfitNotes({ misfits, open }: Examination): string[] {
  const [worst] = misfits;
  if (!worst || worst.size < MISFIT_TOLERANCE_RAD) return [];
  const names = misfits.slice(0, MAX_LISTED).map(({ joint }) => `"${joint}"`);
  const more = misfits.length > MAX_LISTED ? ", ..." : "";
  const others = worst.others.map((name) => `"${name}"`).join(", ");
  return [
    `${names.join(", ")}${more} and ${others} do not fit exactly: off by ${worst.size.toPrecision(2)} (rad or body ` +
      "lengths). The motion treats them as exact; joints stay open by up to " +
      `${open.toPrecision(2)} near the start. Typical of axes given in single precision: ` +
      "make them exactly parallel if they should be",
  ];
}

/** A mechanism that cannot move but nearly could. */
function lockNotes(
  { plan }: ReportedModel,
  { degreesOfFreedom, leastPivot, weakest }: Examination,
): string[] {
  if (degreesOfFreedom > 0 || !plan.hasLoops || leastPivot > LOCKING_PIVOT) return [];
  return [
    `locked (0 degrees of freedom), but only just: "${weakest}" is within about ` +
      `${Math.sqrt(leastPivot).toPrecision(2)} (rad or body lengths) of being redundant in its loop. ` +
      "Should its axes be parallel, or meet in a point?",
  ];
}

function singularNotes({ v, length }: ReportedModel, examination: Examination): string[] {
  const { singular, startRank, rank, singularJoints } = examination;
  if (!singular) return [];
  const names = singularJoints.slice(0, MAX_LISTED).map((name) => `"${name}"`);
  const more = singularJoints.length > MAX_LISTED ? ", ..." : "";
  // If rows that are redundant everywhere depend on others here, no joint stands out.
  const which = names.length > 0 ? ` (${names.join(", ")}${more})` : "";
  const notes = [
    `the start is a singular pose: rank ${startRank} at the start, ${rank} nearby${which}: the motion can branch here`,
  ];
  const speed = v.reduce((most, x, i) => Math.max(most, Math.abs(x) / (i % 6 < 3 ? length : 1)), 0);
  if (speed < REST_SPEED) {
    notes.push(
      "at rest in a singular pose: the branch is undetermined. Give a velocity, " +
        "or start slightly away from it",
    );
  }
  return notes;
}

/** Bodies without joints. */
function freeBodies({ model, blocks }: Plan): string[] {
  const touched = new Set(blocks.flatMap(({ bodies }) => bodies));
  return model.bodies.flatMap(({ name, states }: ModelData["bodies"][number], body) =>
    touched.has(body) || states !== undefined
      ? []
      : [`body "${name}" is connected to nothing: it moves freely`],
  );
}

/** Moments of inertia that no mass distribution has: one sentence for identical bodies. */
function inertiaNotes({ bodies }: ModelData): string[] {
  const found = new Map<string, string[]>();
  for (const { name, inertia } of bodies) {
    const text = excess(inertia);
    if (text !== undefined) found.set(text, [...(found.get(text) ?? []), `"${name}"`]);
  }
  return [...found].map(([text, names]) => {
    const more = names.length > MAX_LISTED ? ", ..." : "";
    return (
      `inertia of ${names.slice(0, MAX_LISTED).join(", ")}${more}: ${text}. ` +
      "Used as given; check them unless they were rounded or lumped"
    );
  });
}

function assemblyNotes({ assembly, length, q }: ReportedModel): string[] {
  const { bodies, residual } = assembly;
  const notes: string[] = [];
  const away = ({ moved, turned }: BodyCorrection) => Math.max(moved / length, turned);
  const farthest = bodies.reduce((most, body) => (away(body) > away(most) ? body : most));
  if (away(farthest) > MOVE_NOTE_FRACTION) {
    const { name, moved, turned } = farthest;
    notes.push(
      `assembly moved the bodies to close the joints; most: "${name}", by ${moved.toPrecision(2)} and ` +
        `${turned.toPrecision(2)} rad`,
    );
  }
  const changed = bodies.filter(
    ({ velocity = 0, angularVelocity = 0 }) =>
      Math.max(velocity / length, angularVelocity) > MOVE_NOTE_FRACTION,
  );
  if (changed.length > 0) {
    const names = changed.slice(0, MAX_LISTED).map(({ name }) => `"${name}"`);
    const more = changed.length > MAX_LISTED ? ", ..." : "";
    notes.push(`assembly changed the given velocities of ${names.join(", ")}${more} (not held)`);
  }
  const far = q.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  if (residual > Math.max(CONSTRAINT_TOLERANCE, ROUNDING_FRACTION * far)) {
    notes.push(`assembly left a constraint error of ${residual.toPrecision(2)} at the start`);
  }
  return notes;
}

/** Rank and redundancy of a model's constraints. */
export interface ConstraintReport {
  /** Constraint rows. */
  readonly rows: number;
  /** Number of independent rows: the largest found at the initial pose and at poses near it. */
  readonly rank: number;
  /** Number of velocities minus the number of independent rows. */
  readonly degreesOfFreedom: number;
  /** Joints with redundant rows, and which rows. */
  readonly redundant: readonly Redundancy[];
  /** True if the initial pose is singular: fewer rows are independent there than nearby. */
  readonly singular: boolean;
  /** Changes of the given initial state by assembly, body by body. */
  readonly start: AssemblyReport;
  /** Notes for the user. */
  readonly notes: readonly string[];
  /**
   * Returns whether the reaction in a row, named like "crank: axial", follows from the motion. If not, it depends on
   * the compliance of the parts.
   */
  unique(row: string): boolean;
}

/** The report on the constraints of a compiled model. */
export function constraintReport(model: ReportedModel, examination: Examination): ConstraintReport {
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
