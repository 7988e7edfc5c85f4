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
  const [verb, them] = count === 1 ? ["is", "it"] : ["are", "them"];
  return [
    `${count} of ${rows} rows ${verb} redundant and handled: the motion does not depend on ${them}, ` +
      `reactions in the loop do (${[...listed, ...more].join("; ")})`,
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
    `${names.join(", ")}${more} and ${others} fit only nearly: by ${worst.size.toPrecision(2)} rad, or lengths of ` +
      "the bodies. They move as if they fitted exactly, and stay open by up to " +
      `${open.toPrecision(2)} at poses near the start. Axes in single precision do this: ` +
      "make them parallel if they are meant to be",
  ];
}

/** A mechanism that cannot move but nearly could. */
function lockNotes(
  { plan }: Noted,
  { degreesOfFreedom, leastPivot, weakest }: Examination,
): string[] {
  if (degreesOfFreedom > 0 || !plan.hasLoops || leastPivot > LOCKING) return [];
  return [
    `locked: no freedom is left, but it nearly has one. "${weakest}" is off by about ` +
      `${Math.sqrt(leastPivot).toPrecision(2)} rad, or lengths of the bodies, from repeating the others of its ` +
      "loop: are its axes meant to be parallel, or to meet in a point?",
  ];
}

function singularNotes({ v, length }: Noted, examination: Examination): string[] {
  const { singular, startRank, rank, singularJoints } = examination;
  if (!singular) return [];
  const names = singularJoints.slice(0, LISTED).map((name) => `"${name}"`);
  const more = singularJoints.length > LISTED ? ", ..." : "";
  const notes = [
    `singular here: ${startRank} rows are independent at the start, ${rank} at poses nearby ` +
      `(${names.join(", ")}${more}): motions branch at this pose`,
  ];
  const speed = v.reduce((most, x, i) => Math.max(most, Math.abs(x) / (i % 6 < 3 ? length : 1)), 0);
  if (speed < REST) {
    notes.push(
      "at rest on a singular pose: which branch the motion takes is undetermined. Give a velocity, " +
        "or start beside it",
    );
  }
  return notes;
}

/** Bodies that no joint touches. */
function freeBodies({ model, blocks }: Plan): string[] {
  const touched = new Set(blocks.flatMap(({ bodies }) => bodies));
  return model.bodies.flatMap(({ name }: ModelData["bodies"][number], body) =>
    touched.has(body) ? [] : [`body "${name}" is connected to nothing: it moves freely`],
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
      "They are used as given: fine if they were rounded or lumped, else check them"
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
      `the start was moved to close the joints: "${name}" most, by ${moved.toPrecision(2)} and ` +
        `${turned.toPrecision(2)} rad`,
    );
  }
  const changed = bodies.filter(
    ({ velocity = 0, angularVelocity = 0 }) => Math.max(velocity / length, angularVelocity) > MOVED,
  );
  if (changed.length > 0) {
    const names = changed.slice(0, LISTED).map(({ name }) => `"${name}"`);
    const more = changed.length > LISTED ? ", ..." : "";
    notes.push(
      `velocities that were given and not held were changed: of ${names.join(", ")}${more}`,
    );
  }
  const far = q.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  if (residual > Math.max(CLOSED, SPACINGS * far)) {
    notes.push(
      `the geometry does not close exactly: ${residual.toPrecision(2)} is left open at the start`,
    );
  }
  return notes;
}
