// Converts the settings of a file to options of `solve`. All of them are checked when the file is read.

import { locationOf, readRecord } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { BodyState, CompiledModel, Model } from "../../bodies.js";
import type { State, System } from "../../interfaces/index.js";
import { isHandle } from "../../model/handles.js";
import { Subjects } from "../../model/measured/subjects.js";
import { checkedTolerance } from "../../run/solve/setup/option-checks.js";
import { checkMethod } from "../../run/stepping/compatibility.js";
import {
  type EventContext,
  type EventOptions,
  estimatesError,
  type MethodChoice,
  parseMethod,
  type SolveOptions,
  type Source,
  type StateOf,
} from "../../solve.js";
import type { EventEntry, FileSettings, ModeEntry, SolveSettings } from "../document/document.js";
import { stateFormulaOf } from "../functions/quantities.js";
import { unitOf } from "../functions/units.js";
import { NAME_LENGTH } from "../schema/values.js";
import type { Path, Problems } from "../text/problems.js";
import { type Built, Entries } from "./model-builder.js";

/** Converts an event of a file, with a parsed formula, to an option of `solve`. */
function eventOptions<System extends Source>(
  event: EventEntry,
  when: EventOptions<System>["when"],
): EventOptions<System> {
  const { action, ...rest } = event;
  return { ...rest, when, ...(action !== undefined && { action: actionOf(action, event) }) };
}

function actionOf(action: NonNullable<EventEntry["action"]>, { name }: EventEntry) {
  return ({ bounce, switchTo, stop }: Pick<EventContext, "bounce" | "switchTo" | "stop">): void => {
    if (action === "stop") stop(name === undefined ? undefined : `event "${name}"`);
    else if (typeof action === "object" && "bounce" in action) bounce(action.bounce);
    else if (typeof action === "object") switchTo(action.switchTo);
  };
}

/** An output column. */
export interface OutputColumn<S extends State = BodyState> {
  /** Column heading. */
  readonly name: string;
  /** Unit; undefined if it is unknown. */
  readonly unit: string | undefined;
  /** Evaluates the column at a state. */
  readonly read: (state: S) => number;
}

/** A plot of one or more columns. */
export interface OutputPlot<S extends State = BodyState> {
  /** Plot title. */
  readonly title: string;
  /** Curves. */
  readonly columns: readonly OutputColumn<S>[];
}

/** Checked settings with parsed formulas. */
export interface Prepared<System extends Source> {
  readonly method: MethodChoice | undefined;
  readonly columns: readonly OutputColumn<StateOf<System>>[];
  readonly plots: readonly OutputPlot<StateOf<System>>[];
  readonly events: readonly EventOptions<System>[];
}

/** Settings of files of either kind. */
type CommonSettings = Pick<FileSettings, "units" | "solve" | "output" | "events">;

/** A file of either kind: a system with its output columns, plots and options of `solve`. */
export abstract class SolvableFile<System extends Source, Settings extends CommonSettings> {
  /** Settings of the file, without the mechanism or the equations. */
  readonly settings: Settings;
  /** Output columns of the file; empty for all coordinates. */
  readonly columns: readonly OutputColumn<StateOf<System>>[];
  /** Plots of the report. */
  readonly plots: readonly OutputPlot<StateOf<System>>[];
  readonly #prepared: Prepared<System>;

  constructor(settings: Settings, prepared: Prepared<System>) {
    this.settings = settings;
    this.columns = prepared.columns;
    this.plots = prepared.plots;
    this.#prepared = prepared;
  }

  /** Name of the system. */
  abstract get name(): string;

  /** Options of `solve` from the file and from its system, overridden by `others`. */
  protected optionsWith(
    own: Partial<SolveOptions<System>>,
    others: Partial<SolveOptions<System>>,
  ): SolveOptions<System> {
    readRecord(locationOf("solveOptions", "STEP"), others);
    // A method and an integrator exclude each other.
    const hasOther = others.method !== undefined || others.integrator !== undefined;
    const { solve, output } = this.settings;
    const { method: _words, coordinates: _compiled, ...numbers } = solve ?? {};
    const { method, events } = this.#prepared;
    const { span, ...rest } = {
      ...own,
      ...numbers,
      ...(!hasOther && method),
      ...(output?.at !== undefined && { output: output.at }),
      ...(events.length > 0 && { events }),
      ...others,
    } as Partial<SolveOptions<System>>;
    if (span) return { span, ...rest } as SolveOptions<System>;
    throw new NodriftError(
      "STEP",
      `${this.name}: the file has no time span: add "solve": { "span": [0, 10] }`,
    );
  }
}

/** A formula of a file, ready to be evaluated at states. */
interface ReadFormula<System extends Source> {
  readonly read: (state: StateOf<System>) => number;
  readonly unit?: string | undefined;
}

/** Reads columns, plots and events of a file of either kind. */
export abstract class SettingsReader<System extends Source> {
  constructor(
    readonly settings: CommonSettings,
    readonly problems: Problems,
  ) {}

  /** Parses a formula; undefined if it is invalid. */
  protected abstract readable(text: string, path: Path): ReadFormula<System> | undefined;

  /** A value of a plot that is not the name of a column. */
  protected plotted(text: string, path: Path): OutputColumn<StateOf<System>> | undefined {
    return this.column(text, text, undefined, path);
  }

  /** Checks the names of modes in an event. */
  protected checkEvent(_event: EventEntry, _path: Path): void {}

  /** The checked settings of a system with this name. */
  prepared(name: string): Prepared<System> {
    const columns = this.#columns();
    return {
      method: checkMethodOf(this.settings.solve, this.problems, name),
      columns: [...columns.values()].flatMap((column) => column ?? []),
      plots: this.#plots(columns),
      events: this.#events(),
    };
  }

  protected column(
    name: string,
    text: string,
    unit: string | undefined,
    path: Path,
  ): OutputColumn<StateOf<System>> | undefined {
    const found = this.problems.isBroken(path) ? undefined : this.readable(text, path);
    return found && { name, unit: unit ?? found.unit, read: found.read };
  }

  /** Columns by name; undefined if they are invalid. */
  #columns(): ReadonlyMap<string, OutputColumn<StateOf<System>> | undefined> {
    const columns = new Map<string, OutputColumn<StateOf<System>> | undefined>();
    for (const [i, given] of listOf(this.settings.output?.values).entries()) {
      const path = ["output", "values", i];
      const isText = typeof given === "string";
      if (this.problems.isBroken(path)) {
        if (!isText && typeof given?.name === "string") columns.set(given.name, undefined);
        continue;
      }
      const { name, value, unit } = isText ? { name: given, value: given, unit: undefined } : given;
      if (columns.has(name)) this.problems.add(path, `there are two values named "${name}"`);
      columns.set(name, this.column(name, value, unit, isText ? path : [...path, "value"]));
    }
    return columns;
  }

  /** Plots, whose values are column names or formulas. */
  #plots(
    columns: ReadonlyMap<string, OutputColumn<StateOf<System>> | undefined>,
  ): OutputPlot<StateOf<System>>[] {
    return listOf(this.settings.output?.plots).flatMap(({ title, values }, i) => {
      const path = ["output", "plots", i];
      if (this.problems.isBroken(path)) return [];
      const found = values.flatMap((text, k) => {
        const place = [...path, "values", k];
        return (columns.has(text) ? columns.get(text) : this.plotted(text, place)) ?? [];
      });
      return [{ title: title ?? values.join(", "), columns: found }];
    });
  }

  #events(): EventOptions<System>[] {
    return listOf(this.settings.events).flatMap((event, i) => {
      const path = ["events", i];
      if (this.problems.isBroken(path)) return [];
      this.checkEvent(event, path);
      const when = [...path, "when"];
      const found = this.problems.isBroken(when) ? undefined : this.readable(event.when, when);
      return found ? [eventOptions<System>(event, found.read as EventOptions<System>["when"])] : [];
    });
  }
}

/** Entries of a list, which an invalid file may have as something else. */
function listOf<Entry>(list: readonly Entry[] | undefined): readonly Entry[] {
  return Array.isArray(list) ? list : [];
}

/** Largest length of two names with a colon between them. */
const MAX_NAME_PAIR_LENGTH = 2 * NAME_LENGTH + 1;

/** Checks settings against their model. */
export function prepare(
  settings: FileSettings,
  built: Built,
  problems: Problems,
): Prepared<CompiledModel> {
  checkStart(settings, built, problems);
  checkTimes(settings, problems);
  checkTolerance(settings, problems);
  checkView(settings, built, problems);
  return new MechanismSettingsReader(settings, built, problems).prepared("mechanism");
}

class MechanismSettingsReader extends SettingsReader<CompiledModel> {
  readonly #subjects: Subjects;
  readonly #modes: Entries<{ readonly name: string }>;

  constructor(
    settings: FileSettings,
    readonly built: Built,
    problems: Problems,
  ) {
    super(settings, problems);
    const { model, bodies, joints } = built;
    this.#subjects = new Subjects(model.data(), (kind, subject) =>
      kind === "joint" ? joints.isLost(subject) : bodies.isLost(subject) || this.#lost(subject),
    );
    this.#modes = checkModes(settings, built, problems);
  }

  /** Whether a subject such as "crank:tip" may be an invalid marker, or a marker of an invalid body. */
  #lost(subject: string): boolean {
    const { bodies } = this.built;
    if (subject.length > MAX_NAME_PAIR_LENGTH) return false;
    return [...subject.matchAll(/:/g)].some(({ index }) => {
      const [body, marker] = [subject.slice(0, index), subject.slice(index + 1)];
      if (bodies.isLost(body)) return true;
      return bodies.has(body) && this.built.markersOf(body).isLost(marker);
    });
  }

  protected override readable(text: string, path: Path) {
    const { functions } = this.built;
    if (!functions.takes(text, path)) return undefined;
    const found = this.problems.attempt(path, () =>
      stateFormulaOf(text, this.#subjects, functions.named),
    );
    if (!found) return undefined;
    const { dimension, read } = found;
    const isKnown = dimension !== undefined && !this.problems.isBroken(["units"]);
    return { read, unit: isKnown ? unitOf(dimension, this.settings.units) : undefined };
  }

  protected override plotted(text: string, path: Path): OutputColumn | undefined {
    // Words without brackets were meant to be column names.
    if (text === "t" || !/^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(text)) return super.plotted(text, path);
    // An invalid column name may be the one that was meant.
    if (this.problems.isBroken(["output", "values"])) return undefined;
    const list = this.settings.output?.values ?? [];
    const names = list.map((one) => (typeof one === "string" ? one : one.name));
    this.problems.add(path, () => {
      const more = names.length === 0 ? "" : ` (available: ${names.slice(0, 20).join(", ")})`;
      return `"${text}" is neither a name in "values"${more} nor a formula such as z('ball')`;
    });
    return undefined;
  }

  protected override checkEvent({ modes = [], action }: EventEntry, path: Path): void {
    for (const [k, mode] of modes.entries()) {
      checkName(this.problems, this.#modes, "mode", mode, [...path, "modes", k]);
    }
    if (typeof action !== "object" || !("switchTo" in action)) return;
    const place = [...path, "action", "switchTo"];
    checkName(this.problems, this.#modes, "mode", action.switchTo, place);
  }
}

// Checks of settings that involve several values or the model.

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
function checkStart({ start }: FileSettings, { joints, bodies }: Built, problems: Problems): void {
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
function checkModes(
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

function checkView({ view }: FileSettings, { bodies }: Built, problems: Problems): void {
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
function checkName(
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
function checkMethodOf(
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
