// Report page of a run: `nodrift/report`. It reads only solutions, so that models may contain closures and equations.

import { hint, show } from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import type { BodyState, CompiledModel, ModelData } from "../bodies.js";
import { type SceneOptions, sceneOfStates } from "../draw/scene.js";
import type { Plot } from "../draw/scene-data.js";
import { timeUnit, unitOf } from "../files/functions/units.js";
import type { State } from "../interfaces/index.js";
import type { Solution } from "../solve.js";
import {
  BODY_QUANTITIES,
  bodyPlots,
  type Curve,
  EQUATION_QUANTITIES,
  type EquationQuantity,
  equationPlots,
  PlotMaker,
  type PlotRequest,
  type PlottedQuantity,
  type PlottedStates,
  usualQuantities,
} from "./plots.js";
import { type Block, renderPage } from "./render.js";
import { eventTable, type SummaryLine, summaryOf } from "./summary.js";

export type { NamedView } from "../draw/camera.js";
export type { SceneOptions } from "../draw/scene.js";

/** Maximum number of states for plots and animations. */
const MAX_STATES = 1201;

/**
 * Renders a page about a run as one text: animation, key figures, plots, notes and events. It works offline from a file,
 * and saves pictures and films. Several solutions of the same system are overlaid; the first is animated.
 *
 * @example
 * const solution = solve(system, { span: [0, 5], output: { rate: 100 } });
 * writeFileSync("run.html", report(solution, { title: "First try" }));
 *
 * @example
 * report({ coarse: solve(system, { span, step: 0.01, method }), fine: solution }, { quantities: ["angles", "energy"] });
 */
export function report<T extends State>(
  solutions: Solution<T> | Readonly<Record<string, Solution<T>>>,
  options: ReportOptions<T> = {},
): string {
  checkReportOptions(options);
  const named = solutionsOf<T>(solutions);
  const { units = "SI", title, description, footer } = options;
  const first = named[0]!.solution;
  const data = dataOf(first);
  const tracks = named.map(
    ({ name, solution }): PlottedStates<T> => ({ name, states: statesOf(solution) }),
  );
  const maker = new PlotMaker<T>({
    tracks,
    timeUnit: timeUnit(units),
    events: first.events,
    isSynced: data !== undefined,
  });
  const plots = plotsFor(maker, first, data, options);
  const start = first.time[0] ?? first.end.time;
  const summaries = named.map(({ name, solution }) => ({
    name,
    lines: summaryOf(solution, { units, start }).filter(
      ({ label }) => label !== "drift" || "constraintError" in solution.end,
    ),
  }));
  const blocks: readonly (Block | undefined)[] = [
    data && {
      kind: "animation",
      scene: sceneOfStates(first as unknown as Solution<BodyState>, tracks[0]!.states as never, {
        ...options.view,
        units,
      }),
    },
    ...summaries.map(
      ({ name, lines }): Block => ({
        kind: "facts",
        ...(name !== "" && { title: name }),
        facts: lines.flatMap(factOf),
      }),
    ),
    ...plots.map((plot): Block => ({ kind: "plot", plot })),
    notesOf([...summaries.flatMap(({ name, lines }) => notesIn(name, lines)), ...maker.notes]),
    eventTable(first.events, timeUnit(units)),
  ];
  return renderPage({
    title: title ?? data?.name ?? "Run",
    ...(description !== undefined && { subtitle: description }),
    blocks: blocks.filter((block): block is Block => block !== undefined),
    ...(footer !== undefined && { footer }),
  });
}

/** Returns the model data if the system is a mechanism. */
function dataOf<T extends State>({ source }: Solution<T>): ModelData | undefined {
  const { data } = source as Partial<CompiledModel>;
  return data !== undefined && Array.isArray(data.bodies) && data.bodies.length > 0
    ? data
    : undefined;
}

/** Returns the stored states, thinned evenly if there are many, and the final state. */
function statesOf<T extends State>(solution: Solution<T>): readonly T[] {
  const stride = Math.max(1, Math.floor(solution.length / MAX_STATES));
  const states: T[] = [];
  for (let i = 0; i < solution.length; i += stride) states.push(solution.state(i));
  const { end } = solution;
  if (states.at(-1)?.time !== end.time) states.push(end);
  return states;
}

function plotsFor<T extends State>(
  maker: PlotMaker<T>,
  first: Solution<T>,
  data: ModelData | undefined,
  { plots = [], quantities, units = "SI" }: ReportOptions<T>,
): readonly Plot[] {
  const own = plots.map((plot) => wantedOf(plot, first));
  const unit = (dimension: Parameters<typeof unitOf>[0]) => unitOf(dimension, units);
  const usual = data
    ? (quantities ?? usualQuantities(data)).flatMap((name) => {
        if (!BODY_QUANTITIES.includes(name as PlottedQuantity)) {
          throw unknownQuantity(name, BODY_QUANTITIES, "a mechanism");
        }
        return bodyPlots(name as PlottedQuantity, data, unit) as unknown as PlotRequest<T>[];
      })
    : (quantities ?? EQUATION_QUANTITIES).flatMap((name) => {
        if (!EQUATION_QUANTITIES.includes(name as EquationQuantity)) {
          throw unknownQuantity(name, EQUATION_QUANTITIES, "equations");
        }
        const plain = equationPlots(name as EquationQuantity, first.names, first.end);
        return plain as unknown as PlotRequest<T>[];
      });
  return [...own, ...usual].flatMap((wanted) => maker.plots(wanted));
}

/** Converts a user-defined plot: functions of states, or names of coordinates. */
function wantedOf<T extends State>(plot: ReportPlot<T>, { names }: Solution<T>): PlotRequest<T> {
  const { title, unit, label, log, curves, x } = plot;
  const curve = (name: string, what: string | ((state: T) => number)): Curve<T> => {
    if (typeof what === "function") return { name, read: what };
    const place = names.indexOf(what);
    if (place < 0) throw unknownQuantity(what, names, "this system");
    return { name, read: ({ q, v }) => (place < q.length ? q[place]! : v[place - q.length]!) };
  };
  const list = Array.isArray(curves)
    ? (curves as readonly string[]).map((name) => curve(name, name))
    : Object.entries(curves as Readonly<Record<string, (state: T) => number>>).map(([name, read]) =>
        curve(name, read),
      );
  return {
    title,
    ...(unit !== undefined && { unit }),
    ...(label !== undefined && { label }),
    ...(log !== undefined && { log }),
    curves: list,
    ...(x !== undefined && {
      x: {
        ...curve(typeof x.read === "string" ? x.read : x.label, x.read),
        name: x.label,
        unit: x.unit,
      },
    }),
  };
}

function notesIn(name: string, lines: readonly SummaryLine[]): readonly string[] {
  return lines
    .filter(({ label }) => label === "note")
    .map(({ text }) => (name === "" ? text : `${name}: ${text}`));
}

function notesOf(notes: readonly string[]): Block | undefined {
  return notes.length === 0
    ? undefined
    : { kind: "notes", title: "Notes", notes: [...new Set(notes)] };
}

function factOf({ label, tone, card }: SummaryLine) {
  return card ? [{ label, ...card, ...(tone && { tone }) }] : [];
}

// Options of a report and their validation.

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

function unknownQuantity(name: string, known: readonly string[], whose: string): NodriftError {
  return wrong(`"${name}" is not a quantity of ${whose}${hint(name, known)}`);
}

function checkReportOptions<T extends State>(options: ReportOptions<T>): void {
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
function solutionsOf<T extends State>(
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
