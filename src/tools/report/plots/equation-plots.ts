// Plots of systems given by equations: coordinates, rates, phases, energy and constraints, as far as they have them.

import type { State } from "../../../seam/index.js";
import { constraintPlot } from "./body-plots.js";
import type { Curve, PlotWanted } from "./plot-maker.js";

/** What a report of equations can plot. */
export const EQUATION_QUANTITIES = [
  "coordinates",
  "velocities",
  "phases",
  "multipliers",
  "energy",
  "constraints",
] as const;

export type EquationQuantity = (typeof EQUATION_QUANTITIES)[number];

/** What states of equations may offer. */
interface Rich {
  energy?(): { readonly kinetic: number; readonly potential: number; readonly total: number };
  constraintError?(): { readonly position: number; readonly velocity: number };
  multipliers?(): Float64Array;
}

type Wanted = PlotWanted<State>;
/** Phase plots that are drawn without being asked for. */
const PHASES = 4;

/** Plots of a quantity; none where the states do not have it. */
export function equationPlots(
  quantity: EquationQuantity,
  names: readonly string[],
  first: State & Rich,
): readonly Wanted[] {
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
        ? range(0, Math.min(positions, PHASES)).map((x, i) => phase(x, curve(positions + i)))
        : range(0, positions - 1)
            .slice(0, 1)
            .map((x) => phase(x, curve(1)));
    case "multipliers":
      return multiplierPlots(first);
    case "energy":
      return first.energy === undefined ? [] : [energyPlot()];
    case "constraints":
      return hasConstraints(first) ? [constraintPlot() as Wanted] : [];
  }
}

function phase(x: Curve<State>, y: Curve<State>): Wanted {
  return {
    title: `${y.name} against ${x.name}`,
    label: y.name,
    x,
    curves: [{ ...y, name: y.name }],
  };
}

function multiplierPlots(first: Rich): readonly Wanted[] {
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

function energyPlot(): Wanted {
  const curves = (["kinetic", "potential", "total"] as const).map((part) => ({
    name: part,
    read: (state: State) => (state as Rich).energy?.()[part] ?? Number.NaN,
  }));
  return { title: "Energy", curves };
}

function hasConstraints(first: Rich): boolean {
  return first.constraintError !== undefined && (first.multipliers?.().length ?? 0) > 0;
}
