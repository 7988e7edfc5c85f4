// What a user should know about a model that runs, in sentences.

import { excess } from "../../../describe/model/inertia.js";
import type { ModelData } from "../../../describe/model/model-data.js";
import type { Plan } from "../plan/plan.js";
import type { AssemblyReport, BodyCorrection } from "../start/start.js";
import type { Examination } from "./redundancy.js";

/** Displacement of the start, relative to the size of the model, that is worth a note. */
const MOVED = 1e-6;
/** Constraint error due to rounding: of short lengths, and of points far from the origin. */
const CLOSED = 1e-10;
const SPACINGS = 16 * Number.EPSILON;
/** Speed treated as rest, in sizes of the model per second. */
const REST = 1e-9;
/** Misfit of joints treated as rounding, in radians. */
const FITS = 1e-11;
/** Pivots below this belong to a loop that can nearly move: axes within 0.03 rad of parallel. */
const LOCKING = 1e-3;
/** Joints that are listed before the rest is counted. */
const LISTED = 4;

export interface Noted {
  readonly plan: Plan;
  readonly assembly: AssemblyReport;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly length: number;
}

export function notesOf(model: Noted, examination: Examination): string[] {
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
  const listed = redundant.slice(0, LISTED).map(({ text }) => text);
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
  if (!worst || worst.size < FITS) return [];
  const names = misfits.slice(0, LISTED).map(({ joint }) => `"${joint}"`);
  const more = misfits.length > LISTED ? ", ..." : "";
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
  { plan }: Noted,
  { degreesOfFreedom, leastPivot, weakest }: Examination,
): string[] {
  if (degreesOfFreedom > 0 || !plan.hasLoops || leastPivot > LOCKING) return [];
  return [
    `locked (0 degrees of freedom), but only just: "${weakest}" is within about ` +
      `${Math.sqrt(leastPivot).toPrecision(2)} (rad or body lengths) of being redundant in its loop. ` +
      "Should its axes be parallel, or meet in a point?",
  ];
}

function singularNotes({ v, length }: Noted, examination: Examination): string[] {
  const { singular, startRank, rank, singularJoints } = examination;
  if (!singular) return [];
  const names = singularJoints.slice(0, LISTED).map((name) => `"${name}"`);
  const more = singularJoints.length > LISTED ? ", ..." : "";
  // Where rows that are redundant everywhere depend on others here, no joint stands out.
  const which = names.length > 0 ? ` (${names.join(", ")}${more})` : "";
  const notes = [
    `the start is a singular pose: rank ${startRank} at the start, ${rank} nearby${which}: the motion can branch here`,
  ];
  const speed = v.reduce((most, x, i) => Math.max(most, Math.abs(x) / (i % 6 < 3 ? length : 1)), 0);
  if (speed < REST) {
    notes.push(
      "at rest in a singular pose: the branch is undetermined. Give a velocity, " +
        "or start slightly beside it",
    );
  }
  return notes;
}

/** Bodies that no joint touches. */
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
    const more = names.length > LISTED ? ", ..." : "";
    return (
      `inertia of ${names.slice(0, LISTED).join(", ")}${more}: ${text}. ` +
      "Used as given; check them unless they were rounded or lumped"
    );
  });
}

function assemblyNotes({ assembly, length, q }: Noted): string[] {
  const { bodies, residual } = assembly;
  const notes: string[] = [];
  const away = ({ moved, turned }: BodyCorrection) => Math.max(moved / length, turned);
  const farthest = bodies.reduce((most, body) => (away(body) > away(most) ? body : most));
  if (away(farthest) > MOVED) {
    const { name, moved, turned } = farthest;
    notes.push(
      `assembly moved the bodies to close the joints; most: "${name}", by ${moved.toPrecision(2)} and ` +
        `${turned.toPrecision(2)} rad`,
    );
  }
  const changed = bodies.filter(
    ({ velocity = 0, angularVelocity = 0 }) => Math.max(velocity / length, angularVelocity) > MOVED,
  );
  if (changed.length > 0) {
    const names = changed.slice(0, LISTED).map(({ name }) => `"${name}"`);
    const more = changed.length > LISTED ? ", ..." : "";
    notes.push(`assembly changed the given velocities of ${names.join(", ")}${more} (not held)`);
  }
  const far = q.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  if (residual > Math.max(CLOSED, SPACINGS * far)) {
    notes.push(`assembly left a constraint error of ${residual.toPrecision(2)} at the start`);
  }
  return notes;
}
