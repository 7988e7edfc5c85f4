// What a file says about solving, as options of `solve`; everything is checked when the file is read.

import type { CompiledModel, ModelData } from "../bodies/index.js";
import { hint } from "../model/checks.js";
import type { EventOptions, SolveOptions } from "../solve/index.js";
import type { Built } from "./build.js";
import type { EventEntry, FileSettings, OutputValue, SolveSettings } from "./document.js";
import { eventOptions } from "./events.js";
import type { Functions } from "./functions.js";
import { estimatesError, type MethodChoice, parseMethod } from "./methods.js";
import type { Path, Problems } from "./problems.js";
import { type Readable, type StateReading, stateReading } from "./quantities.js";
import { unitOf } from "./units.js";

/** Rows of output that a file may ask for. */
const ROWS = 1_000_000;

/** A number that is found at each time of the output. */
export interface OutputColumn {
  readonly name: string;
  /** Undefined where it is not known. */
  readonly unit: string | undefined;
  readonly read: StateReading;
}

/** A picture: columns that are drawn together. */
export interface OutputPlot {
  readonly title: string;
  readonly columns: readonly OutputColumn[];
}

/** Settings that were checked, with formulas that can be evaluated. */
export interface Prepared {
  readonly method: MethodChoice | undefined;
  readonly columns: readonly OutputColumn[];
  readonly plots: readonly OutputPlot[];
  readonly events: readonly EventOptions<CompiledModel>[];
}

/** Checks settings against the model they are for. */
export function prepare(
  settings: FileSettings,
  { model, functions }: Built,
  problems: Problems,
): Prepared {
  return new Preparation(settings, model.data(), functions, problems).prepared();
}

class Preparation {
  constructor(
    readonly settings: FileSettings,
    readonly data: ModelData,
    readonly functions: Functions,
    readonly problems: Problems,
  ) {}

  prepared(): Prepared {
    this.#checkTimes();
    this.#checkModes();
    this.#checkView();
    const columns = this.#columns();
    return {
      method: this.#method(),
      columns,
      plots: this.#plots(columns),
      events: this.#events(),
    };
  }

  #method(): MethodChoice | undefined {
    const { solve } = this.settings;
    const path = ["solve", "method"];
    if (solve?.method === undefined || this.problems.isBroken(path)) return undefined;
    const { method, step } = solve;
    const choice = this.problems.attempt(path, () => parseMethod(method));
    if (choice && step === undefined && !estimatesError(choice)) {
      this.problems.add(path, `"${method}" does not estimate its error: give a "step" beside it`);
    }
    return choice;
  }

  /** The span is not empty, and times of the output lie in it, in their order; they are not too many. */
  #checkTimes(): void {
    const { solve, output } = this.settings;
    if (!solve || this.problems.isBroken(["solve"]) || this.problems.isBroken(["output"])) return;
    const [from, to] = solve.span;
    if (from === to) this.problems.add(["solve", "span"], "the span ends where it begins");
    const at = output?.at;
    if (typeof at !== "object") return;
    if ("rate" in at && at.rate * Math.abs(to - from) > ROWS) {
      this.problems.add(["output", "at", "rate"], `that makes more than ${ROWS} rows of output`);
    }
    if (!("times" in at)) return;
    const direction = Math.sign(to - from);
    const isWrong = (time: number, i: number) =>
      direction * (time - from) < 0 ||
      direction * (time - to) > 0 ||
      (i > 0 && direction * (time - at.times[i - 1]!) < 0);
    const wrong = at.times.findIndex(isWrong);
    if (wrong >= 0) {
      const what = `times must be in their order and in the span from ${from} to ${to}`;
      this.problems.add(["output", "at", "times", wrong], what);
    }
  }

  #readable(text: string, path: Path): Readable | undefined {
    if (this.problems.isBroken(path)) return undefined;
    return this.problems.attempt(path, () => stateReading(text, this.data, this.functions));
  }

  #columns(): OutputColumn[] {
    const values: unknown = this.settings.output?.values ?? [];
    if (!Array.isArray(values) || this.problems.isBroken(["output", "values"])) return [];
    const names = new Set<string>();
    return values.flatMap((given: string | OutputValue, i) => {
      const path = ["output", "values", i];
      const { name, value, unit } =
        typeof given === "string" ? { name: given, value: given, unit: undefined } : given;
      if (names.has(name)) this.problems.add(path, `there are two values named "${name}"`);
      names.add(name);
      const column = this.#column(name, value, unit, path);
      return column ? [column] : [];
    });
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
    const own = dimension === undefined ? undefined : unitOf(dimension, this.settings.units);
    return { name, unit: unit ?? own, read };
  }

  /** Values of plots are names of columns, or formulas of their own. */
  #plots(columns: readonly OutputColumn[]): OutputPlot[] {
    const plots: unknown = this.settings.output?.plots ?? [];
    if (!Array.isArray(plots) || this.problems.isBroken(["output", "plots"])) return [];
    return plots.map(({ title, values }: { title?: string; values: string[] }, i) => ({
      title: title ?? values.join(", "),
      columns: values.flatMap((text, k) => {
        const known = columns.find(({ name }) => name === text);
        const made =
          known ?? this.#column(text, text, undefined, ["output", "plots", i, "values", k]);
        return made ? [made] : [];
      }),
    }));
  }

  #events(): EventOptions<CompiledModel>[] {
    const events: unknown = this.settings.events ?? [];
    if (!Array.isArray(events)) return [];
    const known = ["start", ...this.#modeNames()];
    return events.flatMap((event: EventEntry, i) => {
      const path = ["events", i];
      if (this.problems.isBroken(path)) return [];
      for (const [k, mode] of (event.modes ?? []).entries()) {
        this.#checkName(known, "mode", mode, [...path, "modes", k]);
      }
      const { action } = event;
      if (typeof action === "object" && "switchTo" in action) {
        this.#checkName(known, "mode", action.switchTo, [...path, "action", "switchTo"]);
      }
      const found = this.#readable(event.when, [...path, "when"]);
      return found ? [eventOptions(event, found.read)] : [];
    });
  }

  #modeNames(): string[] {
    const modes: unknown = this.settings.modes ?? [];
    return Array.isArray(modes) ? modes.map((mode) => String(mode?.name)) : [];
  }

  #checkModes(): void {
    if (this.problems.isBroken(["modes"])) return;
    const { joints, forces } = this.data;
    const known = [...joints, ...forces].map(({ name }) => name);
    const names = this.#modeNames();
    for (const [i, { name, without }] of (this.settings.modes ?? []).entries()) {
      if (name === "start") {
        this.problems.add(["modes", i, "name"], '"start" is the mode in which the run begins');
      }
      if (names.indexOf(name) !== i) {
        this.problems.add(["modes", i, "name"], `there are two modes named "${name}"`);
      }
      for (const [k, one] of without.entries()) {
        this.#checkName(known, "joint or force", one, ["modes", i, "without", k]);
      }
    }
  }

  #checkView(): void {
    if (this.problems.isBroken(["view"])) return;
    const { follow, traces = [], draw = [] } = this.settings.view ?? {};
    const bodies = this.data.bodies.map(({ name }) => name);
    // What stands on the ground can be drawn, too.
    const drawn = { traces: [traces, bodies], draw: [draw, ["ground", ...bodies]] } as const;
    if (follow !== undefined) this.#checkName(bodies, "body", follow, ["view", "follow"]);
    for (const [key, [list, known]] of Object.entries(drawn)) {
      for (const [i, { body }] of list.entries()) {
        this.#checkName(known, "body", body, ["view", key, i, "body"]);
      }
    }
  }

  #checkName(known: readonly string[], what: string, name: string, path: Path): void {
    if (known.includes(name)) return;
    const advice = known.length === 0 ? "" : hint(name, known.slice(0, 50));
    this.problems.add(path, `there is no ${what} "${name}"${advice}`);
  }
}

/** Options of `solve` for a compiled model of the file. */
export function solveOptions(
  { solve, output, modes }: FileSettings,
  { method, events }: Prepared,
  system: CompiledModel,
): Omit<SolveOptions<CompiledModel>, "span"> & { readonly span?: SolveSettings["span"] } {
  const { method: _words, ...numbers } = solve ?? {};
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
