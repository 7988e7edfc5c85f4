// Options of a report and their validation.

import { hint, show } from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import type { State } from "../interfaces/index.js";
import type { Solution } from "../solve.js";
import type { PlottedQuantity } from "./plots/body-plots.js";
import type { EquationQuantity } from "./plots/equation-plots.js";
import type { SceneOptions } from "./scene.js";

/** Solutions by the names shown in the page. */
export type Solutions<T extends State> = Readonly<Record<string, Solution<T>>>;

/** A predefined quantity of mechanisms or of equations. */
export type ReportQuantity = PlottedQuantity | EquationQuantity;

/** A user-defined plot. */
export interface ReportPlot<T extends State> {
  /** Title above the plot. */
  readonly title: string;
  /** Unit of the curves. */
  readonly unit?: string;
  /** Label of the vertical axis. */
  readonly label?: string;
  /** Logarithmic axis. Default: false. */
  readonly log?: boolean;
  /** Curves: functions of a state by name, or names of coordinates. */
  readonly curves: Readonly<Record<string, (state: T) => number>> | readonly string[];
  /** Horizontal axis instead of time, for a phase plot: a function of a state, or the name of a coordinate. */
  readonly x?: {
    readonly label: string;
    readonly unit?: string;
    readonly read: string | ((state: T) => number);
  };
}

/** Options of {@link report}. */
export interface ReportOptions<T extends State = State> {
  /** Title. Default: the name of the model. */
  readonly title?: string;
  /** A sentence below the title. */
  readonly description?: string;
  /** View direction, traces and further options, as `view` of a model file. */
  readonly view?: SceneOptions;
  /** Quantities to plot. Default: the most useful ones for the system. */
  readonly quantities?: readonly ReportQuantity[];
  /** User-defined plots, shown before the others. */
  readonly plots?: readonly ReportPlot<T>[];
  /** Units of the values. Default: "SI". */
  readonly units?: "SI" | { readonly length: string; readonly mass: string; readonly time: string };
  /** Last line. Default: none. */
  readonly footer?: string;
}

const KEYS = ["title", "description", "view", "quantities", "plots", "units", "footer"];

function wrong(text: string): NodriftError {
  return new NodriftError("DESCRIPTION", `report: ${text}`);
}

export function unknownQuantity(
  name: string,
  known: readonly string[],
  whose: string,
): NodriftError {
  return wrong(`"${name}" is not a quantity of ${whose}${hint(name, known)}`);
}

export function checkReportOptions<T extends State>(options: ReportOptions<T>): void {
  if (typeof options !== "object" || options === null) {
    throw wrong(`the options are ${show(options)}; give an object`);
  }
  for (const name of Object.keys(options)) {
    if (!KEYS.includes(name)) throw wrong(`unknown option "${name}"${hint(name, KEYS)}`);
  }
  for (const name of ["title", "description", "footer"] as const) {
    const text = options[name];
    if (text !== undefined && typeof text !== "string") {
      throw wrong(`${name} is ${show(text)}; give a string`);
    }
  }
  for (const name of ["quantities", "plots"] as const) {
    const list = options[name];
    if (list !== undefined && !Array.isArray(list))
      throw wrong(`${name} is ${show(list)}; give a list`);
  }
  for (const plot of options.plots ?? []) {
    if (
      typeof plot?.title !== "string" ||
      typeof plot.curves !== "object" ||
      plot.curves === null
    ) {
      throw wrong(`a plot is ${show(plot)}; give { title, curves }`);
    }
  }
}

/** Returns one or several solutions with their names. */
export function solutionsOf<T extends State>(
  given: Solution<T> | Solutions<T>,
): readonly { readonly name: string; readonly solution: Solution<T> }[] {
  if (isSolution(given)) return [{ name: "", solution: given as Solution<T> }];
  const entries = typeof given === "object" && given !== null ? Object.entries(given) : [];
  const found = entries.map(([name, solution]) => ({ name, solution }));
  if (found.length > 0 && found.every(({ solution }) => isSolution(solution))) return found;
  throw wrong(
    `the solution is ${show(given)}; give a solution of solve, or several by name: { coarse, fine }`,
  );
}

function isSolution(value: unknown): boolean {
  const has = (name: string) => typeof value === "object" && value !== null && name in value;
  return has("statistics") && has("state") && has("end");
}
