// What a user should know about a model that runs, in sentences.

import type { ModelData } from "../model/description.js";
import { excess } from "../model/inertia.js";
import type { Plan } from "./plan.js";
import type { Examination } from "./redundancy.js";
import type { Assembly } from "./start.js";

/** A start that moved by more than this part of the size of the model was moved for all to see. */
const MOVED = 1e-6;
/** What is left open by rounding. */
const CLOSED = 1e-10;
/** Speeds, in sizes of the model per second, that are rest. */
const REST = 1e-9;
/** Joints that are listed before the rest is counted. */
const LISTED = 4;

export interface Noted {
  readonly plan: Plan;
  readonly assembly: Assembly;
  readonly v: Float64Array;
  readonly length: number;
}

export function notesOf(model: Noted, examination: Examination): string[] {
  return [
    ...redundancyNotes(examination),
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

/** Moments that no distribution of mass has: one sentence for bodies that are alike. */
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

function assemblyNotes({ assembly, length }: Noted): string[] {
  const { moved, residual } = assembly;
  const notes: string[] = [];
  if (moved > MOVED * length) {
    notes.push(`the start was moved to close the joints, by ${moved.toPrecision(2)} at most`);
  }
  if (residual > CLOSED) {
    notes.push(
      `the geometry does not close exactly: ${residual.toPrecision(2)} is left open at the start`,
    );
  }
  return notes;
}
