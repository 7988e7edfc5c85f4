// Converts the settings of a file to options of `solve`. All of them are checked when the file is read.

import { locationOf, readRecord } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { BodyState, CompiledModel } from "../../bodies.js";
import type { State } from "../../interfaces/index.js";
import { Subjects } from "../../model/measured/subjects.js";
import type {
  EventContext,
  EventOptions,
  MethodChoice,
  SolveOptions,
  Source,
  StateOf,
} from "../../solve.js";
import type { EventEntry, FileSettings } from "../document/document.js";
import { stateFormulaOf } from "../functions/quantities.js";
import { unitOf } from "../functions/units.js";
import { NAME_LENGTH } from "../schema/values.js";
import type { Path, Problems } from "../text/problems.js";
import type { Built, Entries } from "./model-builder.js";
import {
  checkMethodOf,
  checkModes,
  checkName,
  checkStart,
  checkTimes,
  checkTolerance,
  checkView,
} from "./settings-checks.js";

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
