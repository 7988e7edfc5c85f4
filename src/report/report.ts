// Report page of a run: `nodrift/report`. It reads only solutions, so that models may contain closures and equations.

import type { BodyState, CompiledModel, ModelData } from "../bodies.js";
import { timeUnit, unitOf } from "../files/functions/units.js";
import type { State } from "../interfaces/index.js";
import type { Solution } from "../solve.js";
import { absencesOf } from "./absences.js";
import type { Block, Plot } from "./blocks.js";
import { eventTable } from "./event-table.js";
import { framesOf } from "./frames.js";
import {
  BODY_QUANTITIES,
  bodyPlots,
  type PlottedQuantity,
  usualQuantities,
} from "./plots/body-plots.js";
import {
  EQUATION_QUANTITIES,
  type EquationQuantity,
  equationPlots,
} from "./plots/equation-plots.js";
import { type Curve, PlotMaker, type PlotRequest, type PlottedStates } from "./plots/plot-maker.js";
import { renderPage } from "./render.js";
import {
  checkReportOptions,
  type ReportOptions,
  type ReportPlot,
  solutionsOf,
  unknownQuantity,
} from "./report-options.js";
import { sceneOf } from "./scene.js";
import { type SummaryLine, summaryOf } from "./summary.js";

export type {
  ReportOptions,
  ReportPlot,
  ReportQuantity,
  Solutions,
} from "./report-options.js";
export type { SceneOptions } from "./scene.js";
export type { NamedView } from "./view.js";

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
    data && animation(first as unknown as Solution<BodyState>, data, options),
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

function animation<T extends State>(
  solution: Solution<BodyState>,
  data: ModelData,
  { units = "SI", view }: ReportOptions<T>,
): Block {
  const frames = framesOf(statesOf(solution), data, {
    events: solution.events,
    absences: absencesOf(solution),
    lengthUnit: unitOf("length", units),
    timeUnit: timeUnit(units),
  });
  return { kind: "animation", scene: sceneOf(data, frames, view) };
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
