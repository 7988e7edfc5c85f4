// Checks of settings that need more than one value, or the model.

import type { Model } from "../../../bodies.js";
import { isHandle } from "../../../describe/model/handles.js";
import { checkedTolerance } from "../../../run/solve/setup/option-checks.js";
import type { FileSettings, ModeEntry } from "../document/document.js";
import type { Path, Problems } from "../text/problems.js";
import type { Built } from "./model-builder.js";
import { Entries } from "./named-entries.js";

/** Rows of output that a file may ask for. */
const ROWS = 1_000_000;

type Named = { readonly name: string };

/** The name of what a run begins with. */
const START = "start";

/** The span is not empty, and times of the output lie in it, in their order; they are not too many. */
export function checkTimes({ solve, output }: FileSettings, problems: Problems): void {
  if (!solve?.span || problems.isBroken(["solve", "span"])) return;
  const [from, to] = solve.span;
  if (from === to) problems.add(["solve", "span"], '"span" is empty');
  const at = output?.at;
  if (typeof at !== "object" || problems.isBroken(["output", "at"])) return;
  if ("rate" in at && at.rate * Math.abs(to - from) > ROWS) {
    problems.add(["output", "at", "rate"], `"rate" makes more than ${ROWS} rows of output`);
  }
  if (!("times" in at)) return;
  const { times } = at;
  const direction = Math.sign(to - from);
  const isOutside = (time: number) => direction * (time - from) < 0 || direction * (time - to) > 0;
  const isEarlier = (time: number, i: number) => i > 0 && direction * (time - times[i - 1]!) < 0;
  const wrong = times.findIndex((time, i) => isOutside(time) || isEarlier(time, i));
  if (wrong < 0) return;
  const time = times[wrong]!;
  problems.add(
    ["output", "at", "times", wrong],
    isOutside(time)
      ? `${time} lies outside of the span from ${from} to ${to}`
      : `${time} comes after ${times[wrong - 1]}: times must be in the order of the run`,
  );
}

/** A start is that of joints and bodies that are there. */
export function checkStart(
  { start }: FileSettings,
  { joints, bodies }: Built,
  problems: Problems,
): void {
  if (start === undefined || problems.isBroken(["start"])) return;
  for (const name of Object.keys(start.joints ?? {})) {
    checkName(problems, joints, "joint", name, ["start", "joints", name]);
  }
  for (const [i, name] of (start.hold ?? []).entries()) {
    const path = ["start", "hold", i];
    if (name === "ground") problems.add(path, "the ground stays where it is: name bodies");
    else checkName(problems, bodies, "body", name, path);
  }
}

export function checkTolerance({ solve }: FileSettings, problems: Problems): void {
  const path = ["solve", "tolerance"];
  const tolerance = solve?.tolerance;
  if (tolerance === undefined || problems.isBroken(path)) return;
  problems.attempt(path, () => checkedTolerance(tolerance));
}

/** Modes leave out what is there, and all that acts on it. Gives their names. */
export function checkModes(
  { modes: given = [] }: FileSettings,
  { model, joints, forces }: Built,
  problems: Problems,
): Entries<Named> {
  const modes = new Entries<Named>();
  modes.add({ name: START });
  if (!Array.isArray(given)) modes.lose(undefined);
  const both = new Entries<Named>();
  for (const name of [...joints.names, ...forces.names]) both.add({ name });
  const users = jointUsers(model);
  for (const [i, mode] of (Array.isArray(given) ? (given as ModeEntry[]) : []).entries()) {
    const path = ["modes", i];
    if (problems.isBroken(path)) {
      modes.lose(mode);
      continue;
    }
    const { name, without } = mode;
    if (modes.has(name)) problems.add([...path, "name"], nameProblem(name));
    modes.add({ name });
    for (const [k, one] of without.entries()) {
      if (joints.isLost(one) || forces.isLost(one)) continue;
      checkName(problems, both, "joint or force", one, [...path, "without", k]);
    }
    const gone = new Set(without);
    const left = users.find(({ user, joint }) => gone.has(joint) && !gone.has(user));
    if (!left) continue;
    const what = `"${left.user}" acts on joint "${left.joint}": list both`;
    problems.add([...path, "without"], what);
  }
  return modes;
}

interface JointUser {
  readonly user: string;
  readonly joint: string;
}

/** Couplings, drives and springs, with the joints they act on. Those of a drive act on the joint that it drives. */
function jointUsers(model: Model): readonly JointUser[] {
  const driven = new Map<string, string>();
  const users: JointUser[] = [];
  for (const { made, options } of model.calls()) {
    const handles = Object.values(options).flat().filter(isHandle);
    const joints = handles.filter(({ kind }) => kind === "joint").map(({ name }) => name);
    const meant = joints.map((name) => driven.get(name) ?? name);
    users.push(...meant.map((joint) => ({ user: made.name, joint })));
    if (made.kind === "joint" && meant[0] !== undefined) driven.set(made.name, meant[0]);
  }
  return users;
}

function nameProblem(name: string): string {
  return name === START
    ? `"${START}" is the mode in which the run begins: choose another name`
    : `there are two modes named "${name}"`;
}

export function checkView({ view }: FileSettings, { bodies }: Built, problems: Problems): void {
  if (problems.isBroken(["view"])) return;
  const { from, up, follow, traces = [], draw = [] } = view ?? {};
  for (const [key, direction] of Object.entries({ from, up })) {
    if (Array.isArray(direction) && direction.every((part) => part === 0)) {
      problems.add(["view", key], `"${key}" is zero and has no direction`);
    }
  }
  const moving = traces.map(({ body }, i) => ({ body, path: ["view", "traces", i, "body"] }));
  if (follow !== undefined) moving.push({ body: follow, path: ["view", "follow"] });
  for (const { body, path } of moving) {
    if (body === "ground") problems.add(path, "the ground does not move: give a body");
    else checkName(problems, bodies, "body", body, path);
  }
  // What stands on the ground can be drawn, too.
  for (const [i, { body }] of draw.entries()) {
    checkName(problems, bodies, "body", body, ["view", "draw", i, "body"]);
  }
}

/** A name that is not known is a problem, unless it may be that of something broken. */
export function checkName(
  problems: Problems,
  known: Entries<Named>,
  what: string,
  name: string,
  path: Path,
): void {
  if (known.has(name) || known.isLost(name)) return;
  problems.add(path, () => `there is no ${what} "${name}"${known.advice(name)}`);
}
