// Plots of systems given by equations: coordinates, rates, phases, energy and constraints, if available.

import type { State } from "../../interfaces/index.js";
import { constraintPlot } from "./body-plots.js";
import type { Curve, PlotRequest } from "./plot-maker.js";

/** Quantities that a report of equations can plot. */
export const EQUATION_QUANTITIES = [
  "coordinates",
  "velocities",
  "phases",
  "multipliers",
  "energy",
  "constraints",
] as const;

export type EquationQuantity = (typeof EQUATION_QUANTITIES)[number];

/** Optional members of states of equations. */
interface Rich {
  energy?(): { readonly kinetic: number; readonly potential: number; readonly total: number };
  constraintError?(): { readonly position: number; readonly velocity: number };
  multipliers?(): Float64Array;
}

/** Maximum number of default phase plots. */
const MAX_PHASE_PLOTS = 4;

/** Returns the plots of a quantity; none if the states do not have it. */
export function equationPlots(
  quantity: EquationQuantity,
  names: readonly string[],
  first: State & Rich,
): readonly PlotRequest<State>[] {
  const [positions, velocities] = [first.q.length, first.v.length];
  const curve = (place: number): Curve<State> => ({
    name: names[place] ?? `${place + 1}`,
    read: ({ q, v }) => (place < positions ? q[place]! : v[place - positions]!),
  });
  const range = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => curve(from + i));
  switch (quantity) {
    case "coordinates":
      return [{ title: "Coordinates", curves: range(0, positions) }];
    case "velocities":
      return velocities === 0
        ? []
        : [{ title: "Velocities", curves: range(positions, velocities) }];
    case "phases":
      return velocities === positions
        ? range(0, Math.min(positions, MAX_PHASE_PLOTS)).map((x, i) =>
            phase(x, curve(positions + i)),
          )
        : range(0, positions - 1)
            .slice(0, 1)
            .map((x) => phase(x, curve(1)));
    case "multipliers":
      return multiplierPlots(first);
    case "energy":
      return first.energy === undefined ? [] : [energyPlot()];
    case "constraints":
      return hasConstraints(first) ? [constraintPlot() as PlotRequest<State>] : [];
  }
}

function phase(x: Curve<State>, y: Curve<State>): PlotRequest<State> {
  return {
    title: `${y.name} against ${x.name}`,
    label: y.name,
    x,
    curves: [{ ...y, name: y.name }],
  };
}

function multiplierPlots(first: Rich): readonly PlotRequest<State>[] {
  const count = first.multipliers?.().length ?? 0;
  if (count === 0) return [];
  const curves = Array.from(
    { length: count },
    (_, i): Curve<State> => ({
      name: `λ${count > 1 ? i + 1 : ""}`,
      read: (state) => (state as Rich).multipliers?.()[i] ?? Number.NaN,
    }),
  );
  return [{ title: "Multipliers", curves }];
}

function energyPlot(): PlotRequest<State> {
  const curves = (["kinetic", "potential", "total"] as const).map((part) => ({
    name: part,
    read: (state: State) => (state as Rich).energy?.()[part] ?? Number.NaN,
  }));
  return { title: "Energy", curves };
}

function hasConstraints(first: Rich): boolean {
  return first.constraintError !== undefined && (first.multipliers?.().length ?? 0) > 0;
}
