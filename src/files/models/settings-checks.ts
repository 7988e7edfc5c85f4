// Checks of settings that involve several values or the model.

import { NodriftError } from "../../base/errors.js";
import type { Model } from "../../bodies.js";
import type { System } from "../../interfaces/index.js";
import { isHandle } from "../../model/handles.js";
import { checkedTolerance } from "../../run/solve/setup/option-checks.js";
import { checkMethod } from "../../run/stepping/compatibility.js";
import { estimatesError, type MethodChoice, parseMethod } from "../../solve.js";
import type { FileSettings, ModeEntry, SolveSettings } from "../document/document.js";
import type { Path, Problems } from "../text/problems.js";
import { type Built, Entries } from "./model-builder.js";

/** Largest number of output rows. */
const MAX_ROWS = 1_000_000;

type NamedEntry = { readonly name: string };

/** Name of the initial mode. */
const START_MODE = "start";

/** Checks that the span is not empty, and that the output times lie in it, are ordered and not too many. */
export function checkTimes({ solve, output }: FileSettings, problems: Problems): void {
  if (!solve?.span || problems.isBroken(["solve", "span"])) return;
  const [from, to] = solve.span;
  if (from === to) problems.add(["solve", "span"], '"span" is empty');
  const at = output?.at;
  if (typeof at !== "object" || problems.isBroken(["output", "at"])) return;
  if ("rate" in at && at.rate * Math.abs(to - from) > MAX_ROWS) {
    problems.add(["output", "at", "rate"], `"rate" yields more than ${MAX_ROWS} rows of output`);
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
      ? `${time} lies outside the span from ${from} to ${to}`
      : `${time} comes after ${times[wrong - 1]}: times must be in the order of the run`,
  );
}

/** Checks that the joints and bodies of the initial state exist. */
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
    if (name === "ground") problems.add(path, "the ground is fixed: name bodies");
    else checkName(problems, bodies, "body", name, path);
  }
}

export function checkTolerance({ solve }: FileSettings, problems: Problems): void {
  const path = ["solve", "tolerance"];
  const tolerance = solve?.tolerance;
  if (tolerance === undefined || problems.isBroken(path)) return;
  problems.attempt(path, () => checkedTolerance(tolerance));
}

/** Checks that modes omit existing entries together with those acting on them. Returns the names of the modes. */
export function checkModes(
  { modes: given = [] }: FileSettings,
  { model, joints, forces }: Built,
  problems: Problems,
): Entries<NamedEntry> {
  const modes = new Entries<NamedEntry>();
  modes.add({ name: START_MODE });
  if (!Array.isArray(given)) modes.lose(undefined);
  const both = new Entries<NamedEntry>();
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

/** Couplings, drives and springs with the joints they act on. Users of a drive act on its joint. */
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
  return name === START_MODE
    ? `"${START_MODE}" is the name of the initial mode: choose another name`
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
    if (body === "ground") problems.add(path, "the ground does not move: name a body");
    else checkName(problems, bodies, "body", body, path);
  }
  // Lines fixed to the ground can be drawn, too.
  for (const [i, { body }] of draw.entries()) {
    checkName(problems, bodies, "body", body, ["view", "draw", i, "body"]);
  }
}

/** Adds a problem for an unknown name, unless it may belong to an invalid entry. */
export function checkName(
  problems: Problems,
  known: Entries<NamedEntry>,
  what: string,
  name: string,
  path: Path,
): void {
  if (known.has(name) || known.isLost(name)) return;
  problems.add(path, () => `there is no ${what} "${name}"${known.advice(name)}`);
}

// Checks the method of a file against its contents.

/** Parses the method of a file. Adds a problem if its name is unknown or it does not suit the system. */
export function checkMethodOf(
  solve: SolveSettings | undefined,
  problems: Problems,
  name: string,
): MethodChoice | undefined {
  const path = ["solve", "method"];
  if (solve?.method === undefined || problems.isBroken(path)) return undefined;
  const { method, step } = solve;
  const choice = problems.attempt(path, () => parseMethod(method));
  if (!choice) return undefined;
  const problem = methodProblem(choice, name);
  if (problem !== undefined) problems.add(path, problem);
  else if (step === undefined && !estimatesError(choice)) {
    problems.add(path, `"${method}" does not estimate its error: add a "step"`);
  }
  return choice;
}

/** Why a method does not suit the system; undefined if it does. */
export function methodProblem(choice: MethodChoice, name: string): string | undefined {
  if (!("method" in choice)) return undefined;
  try {
    checkMethod(choice.method, { ...MECHANISM, name });
    return undefined;
  } catch (error) {
    if (error instanceof NodriftError) return error.message;
    throw error;
  }
}

/** Stand-in for a mechanism in checks of methods, with the properties that all mechanisms share. */
const MECHANISM = { name: "mechanism", hasPotential: true, dense: {} } as unknown as System;
