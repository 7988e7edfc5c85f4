// Reads systems of equations from files.

import { hint, locationOf, readRecord, refuseMore } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import { equations, type FormulaEquations } from "../../formulas.js";
import type { State } from "../../interfaces/index.js";
import type { EventOptions, SolveOptions } from "../../solve.js";
import type { OutputValue } from "../document/document.js";
import type {
  EquationsDocument,
  EquationsSettings,
  PlainEventEntry,
} from "../document/equations-document.js";
import { checkMethodOf, type MethodChoice } from "../models/methods.js";
import { checkTimes, checkTolerance } from "../models/settings-checks.js";
import type { Path, Problems } from "../text/problems.js";

/** An output column. */
export interface EquationsColumn {
  /** Column heading. */
  readonly name: string;
  /** Unit; undefined if it is not given. */
  readonly unit: string | undefined;
  /** Evaluates the column at a state. */
  readonly read: (state: State) => number;
}

/** A plot of one or more columns. */
export interface EquationsPlot {
  /** Plot title. */
  readonly title: string;
  /** Curves. */
  readonly columns: readonly EquationsColumn[];
}

/** Checked columns, plots and events. */
interface PreparedEquations {
  readonly method: MethodChoice | undefined;
  readonly columns: readonly EquationsColumn[];
  readonly plots: readonly EquationsPlot[];
  readonly events: readonly EventOptions<FormulaEquations>[];
}

/**
 * A system of equations with the settings of its file. Created by `readSystem`.
 *
 * @example
 * const file = readSystem(text);
 * if ("system" in file) solve(file.system, file.solveOptions());
 */
export class EquationsFile {
  /** The equations, derived and ready to run. */
  readonly system: FormulaEquations;
  /** Settings of the file, without the equations. */
  readonly settings: EquationsSettings;
  /** Output columns of the file; empty for all coordinates. */
  readonly columns: readonly EquationsColumn[];
  /** Plots of the report. */
  readonly plots: readonly EquationsPlot[];
  readonly #prepared: PreparedEquations;

  constructor(system: FormulaEquations, settings: EquationsSettings, prepared: PreparedEquations) {
    this.system = system;
    this.settings = settings;
    this.columns = prepared.columns;
    this.plots = prepared.plots;
    this.#prepared = prepared;
  }

  /** Name of the system. */
  get name(): string {
    return this.system.name;
  }

  /**
   * Options for `solve` from the file, overridden by `others`.
   *
   * @example
   * const solution = solve(file.system, file.solveOptions({ tolerance: 1e-9 }));
   */
  solveOptions(
    others: Partial<SolveOptions<FormulaEquations>> = {},
    ...more: undefined[]
  ): SolveOptions<FormulaEquations> {
    refuseMore("solveOptions", "STEP", more, "it takes options of solve");
    readRecord(locationOf("solveOptions", "STEP"), others);
    const hasOther = others.method !== undefined || others.integrator !== undefined;
    const { solve, output, start } = this.settings;
    const { method: _words, ...numbers } = solve ?? {};
    const { method, events } = this.#prepared;
    const { q, v } = this.system;
    const zeros = this.system.coordinateNames.map(() => 0);
    const { span, ...rest } = {
      q: q ?? zeros,
      v: v ?? zeros,
      ...(start && { hold: start.hold }),
      ...numbers,
      ...(!hasOther && method),
      ...(output?.at !== undefined && { output: output.at }),
      ...(events.length > 0 && { events }),
      ...others,
    } as Partial<SolveOptions<FormulaEquations>>;
    if (span) return { span, ...rest } as SolveOptions<FormulaEquations>;
    throw new NodriftError(
      "STEP",
      `${this.name}: the file has no time span: add "solve": { "span": [0, 10] }`,
    );
  }
}

/** Builds the system of a structurally valid document. Adds problems; returns undefined if there are any. */
export function buildEquations(
  document: EquationsDocument,
  problems: Problems,
): EquationsFile | undefined {
  const { nodrift: _, name, equations: description, ...settings } = document;
  checkTimes(settings, problems);
  checkTolerance(settings, problems);
  if (problems.isBroken(["equations"]) || problems.isBroken(["name"])) return undefined;
  const path = ["equations"];
  const system = problems.attempt(path, () => equations({ name, ...description }), description);
  if (!system) return undefined;
  for (const [i, held] of (problems.isBroken(["start"])
    ? []
    : (settings.start?.hold ?? [])
  ).entries()) {
    if (system.coordinateNames.includes(held)) continue;
    const known = hint(held, system.coordinateNames);
    problems.add(["start", "hold", i], `there is no coordinate "${held}"${known}`);
  }
  const prepared = new EquationsSettingsReader(system, settings, problems).prepared();
  return problems.count > 0 ? undefined : new EquationsFile(system, settings, prepared);
}

class EquationsSettingsReader {
  readonly #system: FormulaEquations;
  readonly #settings: EquationsSettings;
  readonly #problems: Problems;

  constructor(system: FormulaEquations, settings: EquationsSettings, problems: Problems) {
    this.#system = system;
    this.#settings = settings;
    this.#problems = problems;
  }

  prepared(): PreparedEquations {
    const columns = this.#columns();
    return {
      method: checkMethodOf(this.#settings.solve, this.#problems, this.#system.name),
      columns: [...columns.values()],
      plots: this.#plots(columns),
      events: this.#events(),
    };
  }

  #column(name: string, text: string, unit: string | undefined, path: Path) {
    const read = this.#problems.attempt(path, () => this.#system.formula(text));
    return read && { name, unit, read };
  }

  #columns(): Map<string, EquationsColumn> {
    const columns = new Map<string, EquationsColumn>();
    const values: unknown = this.#settings.output?.values ?? [];
    for (const [i, given] of (Array.isArray(values) ? values : []).entries()) {
      const path = ["output", "values", i];
      if (this.#problems.isBroken(path)) continue;
      const entry = given as string | OutputValue;
      const isText = typeof entry === "string";
      const { name, value, unit } = isText ? { name: entry, value: entry, unit: undefined } : entry;
      if (columns.has(name)) this.#problems.add(path, `there are two values named "${name}"`);
      const made = this.#column(name, value, unit, isText ? path : [...path, "value"]);
      if (made) columns.set(name, made);
    }
    return columns;
  }

  /** Plots, whose values are column names or formulas. */
  #plots(columns: ReadonlyMap<string, EquationsColumn>): EquationsPlot[] {
    const plots: unknown = this.#settings.output?.plots ?? [];
    return (Array.isArray(plots) ? plots : []).flatMap((plot, i) => {
      const path = ["output", "plots", i];
      if (this.#problems.isBroken(path)) return [];
      const { title, values } = plot as { title?: string; values: readonly string[] };
      const found = values.flatMap((text, k) => {
        const place = [...path, "values", k];
        return columns.get(text) ?? this.#column(text, text, undefined, place) ?? [];
      });
      return [{ title: title ?? values.join(", "), columns: found }];
    });
  }

  #events(): EventOptions<FormulaEquations>[] {
    const events: unknown = this.#settings.events ?? [];
    return (Array.isArray(events) ? events : []).flatMap((event: PlainEventEntry, i) => {
      const path = ["events", i];
      if (this.#problems.isBroken(path)) return [];
      const { when, action, ...rest } = event;
      const read = this.#problems.attempt([...path, "when"], () => this.#system.formula(when));
      if (!read) return [];
      const isStop = action === "stop";
      const act: EventOptions<FormulaEquations>["action"] = ({ stop }) => {
        if (isStop) stop(event.name === undefined ? undefined : `event "${event.name}"`);
      };
      return [{ ...rest, when: read, ...(action !== undefined && { action: act }) }];
    });
  }
}
