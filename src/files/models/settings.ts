// Converts the settings of a file to options of `solve`. All of them are checked when the file is read.

import type { BodyState, CompiledModel } from "../../bodies.js";
import { Subjects } from "../../model/measured/subjects.js";
import type { EventContext, EventOptions, SolveOptions } from "../../solve.js";
import type { EventEntry, FileSettings, OutputValue, SolveSettings } from "../document/document.js";
import {
  type BodyStateFunction,
  type StateFormula,
  stateFormulaOf,
} from "../functions/quantities.js";
import { unitOf } from "../functions/units.js";
import { NAME_LENGTH } from "../schema/values.js";
import type { Path, Problems } from "../text/problems.js";
import { checkMethodOf, type MethodChoice } from "./methods.js";
import type { Built } from "./model-builder.js";
import type { Entries } from "./named-entries.js";
import {
  checkModes,
  checkName,
  checkStart,
  checkTimes,
  checkTolerance,
  checkView,
} from "./settings-checks.js";

// Converts events of a file to options of `solve`.

/** Options of an event with a parsed formula. */
function eventOptions(event: EventEntry, when: BodyStateFunction): EventOptions<CompiledModel> {
  const { action, name, direction, terminal, modes } = event;
  return {
    when,
    ...(name !== undefined && { name }),
    ...(direction !== undefined && { direction }),
    ...(terminal !== undefined && { terminal }),
    ...(modes !== undefined && { modes }),
    ...(action !== undefined && { action: actionOf(action, event) }),
  };
}

function actionOf(action: NonNullable<EventEntry["action"]>, { name }: EventEntry) {
  return ({ bounce, switchTo, stop }: EventContext<BodyState>): void => {
    if (action === "stop") stop(name === undefined ? undefined : `event "${name}"`);
    else if (typeof action === "object" && "bounce" in action) bounce(action.bounce);
    else if (typeof action === "object") switchTo(action.switchTo);
  };
}

/** An output column. */
export interface OutputColumn {
  /** Column heading. */
  readonly name: string;
  /** Unit; undefined if it is unknown. */
  readonly unit: string | undefined;
  /** Evaluates the column at a state. */
  readonly read: BodyStateFunction;
}

/** A plot of one or more columns. */
export interface OutputPlot {
  /** Plot title. */
  readonly title: string;
  /** Curves. */
  readonly columns: readonly OutputColumn[];
}

/** Checked settings with parsed formulas. */
export interface Prepared {
  readonly method: MethodChoice | undefined;
  readonly columns: readonly OutputColumn[];
  readonly plots: readonly OutputPlot[];
  readonly events: readonly EventOptions<CompiledModel>[];
}

/** Largest length of two names with a colon between them. */
const MAX_NAME_PAIR_LENGTH = 2 * NAME_LENGTH + 1;

/** Checks settings against their model. */
export function prepare(settings: FileSettings, built: Built, problems: Problems): Prepared {
  checkStart(settings, built, problems);
  checkTimes(settings, problems);
  checkTolerance(settings, problems);
  checkView(settings, built, problems);
  return new SettingsReader(settings, built, problems).prepared();
}

class SettingsReader {
  readonly #subjects: Subjects;

  constructor(
    readonly settings: FileSettings,
    readonly built: Built,
    readonly problems: Problems,
  ) {
    const { model, bodies, joints } = built;
    this.#subjects = new Subjects(model.data(), (kind, subject) =>
      kind === "joint" ? joints.isLost(subject) : bodies.isLost(subject) || this.#lost(subject),
    );
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

  prepared(): Prepared {
    const modes = checkModes(this.settings, this.built, this.problems);
    const columns = this.#columns();
    return {
      method: checkMethodOf(this.settings.solve, this.problems, "mechanism"),
      columns: [...columns.values()].flatMap((column) => column ?? []),
      plots: this.#plots(columns),
      events: this.#events(modes),
    };
  }

  #readable(text: string, path: Path): StateFormula | undefined {
    const { functions } = this.built;
    if (this.problems.isBroken(path) || !functions.takes(text, path)) return undefined;
    return this.problems.attempt(path, () => stateFormulaOf(text, this.#subjects, functions.named));
  }

  /** Columns by name; undefined if they are invalid. */
  #columns(): ReadonlyMap<string, OutputColumn | undefined> {
    const values: unknown = this.settings.output?.values ?? [];
    const columns = new Map<string, OutputColumn | undefined>();
    if (!Array.isArray(values)) return columns;
    for (const [i, given] of (values as readonly (string | OutputValue)[]).entries()) {
      const path = ["output", "values", i];
      const isText = typeof given === "string";
      if (this.problems.isBroken(path)) {
        if (!isText && typeof given?.name === "string") columns.set(given.name, undefined);
        continue;
      }
      const { name, value, unit } = isText ? { name: given, value: given, unit: undefined } : given;
      if (columns.has(name)) this.problems.add(path, `there are two values named "${name}"`);
      columns.set(name, this.#column(name, value, unit, isText ? path : [...path, "value"]));
    }
    return columns;
  }

  #column(
    name: string,
    text: string,
    unit: string | undefined,
    path: Path,
  ): OutputColumn | undefined {
    const found = this.#readable(text, path);
    if (!found) return undefined;
    const { dimension, read } = found;
    const isKnown = dimension !== undefined && !this.problems.isBroken(["units"]);
    return {
      name,
      unit: unit ?? (isKnown ? unitOf(dimension, this.settings.units) : undefined),
      read,
    };
  }

  /** Plots, whose values are column names or formulas. */
  #plots(columns: ReadonlyMap<string, OutputColumn | undefined>): OutputPlot[] {
    const plots: unknown = this.settings.output?.plots ?? [];
    if (!Array.isArray(plots)) return [];
    return (plots as NonNullable<FileSettings["output"]>["plots"] & {}).flatMap((plot, i) => {
      const path = ["output", "plots", i];
      if (this.problems.isBroken(path)) return [];
      const { title, values } = plot;
      const found = values.flatMap((text, k) => {
        const place = [...path, "values", k];
        return (columns.has(text) ? columns.get(text) : this.#plotted(text, place)) ?? [];
      });
      return [{ title: title ?? values.join(", "), columns: found }];
    });
  }

  #plotted(text: string, path: Path): OutputColumn | undefined {
    // Words without brackets were meant to be column names.
    if (text === "t" || !/^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(text)) {
      return this.#column(text, text, undefined, path);
    }
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

  #events(modes: Entries<{ readonly name: string }>): EventOptions<CompiledModel>[] {
    const events: unknown = this.settings.events ?? [];
    if (!Array.isArray(events)) return [];
    return events.flatMap((event: EventEntry, i) => {
      const path = ["events", i];
      if (this.problems.isBroken(path)) return [];
      for (const [k, mode] of (event.modes ?? []).entries()) {
        checkName(this.problems, modes, "mode", mode, [...path, "modes", k]);
      }
      const { action } = event;
      if (typeof action === "object" && "switchTo" in action) {
        const place = [...path, "action", "switchTo"];
        checkName(this.problems, modes, "mode", action.switchTo, place);
      }
      const found = this.#readable(event.when, [...path, "when"]);
      return found ? [eventOptions(event, found.read)] : [];
    });
  }
}

/** Options of `solve` for a compiled model of the file. */
export function solveOptions(
  { solve, output, modes }: FileSettings,
  { method, events }: Prepared,
  system: CompiledModel,
): Omit<SolveOptions<CompiledModel>, "span"> & { readonly span?: SolveSettings["span"] } {
  const { method: _words, coordinates: _compiled, ...numbers } = solve ?? {};
  return {
    ...numbers,
    ...method,
    ...(output?.at !== undefined && { output: output.at }),
    ...(events.length > 0 && { events }),
    ...(modes !== undefined && {
      modes: Object.fromEntries(
        modes.map(({ name, without }) => [name, system.without(...without)]),
      ),
    }),
  };
}
