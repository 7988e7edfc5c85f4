// Plots of a run of any system. Their content depends only on the model and the states, never on timing.

import type { BodyState, ModelData } from "../bodies.js";
import type { Plot, PlotAxis, Series } from "../draw/scene-data.js";
import type { Dimension } from "../files/functions/quantities.js";
import type { State } from "../interfaces/index.js";
import { isTorqueOfRotations } from "../model/kinds.js";

/** Maximum number of curves per plot, and of plots per quantity. */
const MAX_CURVES = 8;
const MAX_PLOTS = 8;
/** Maximum number of values read per quantity; with more parts fewer states are read. */
const MAX_READINGS = 400_000;
const MIN_STATES = 60;

/** A curve of a plot. */
export interface Curve<T extends State> {
  readonly name: string;
  readonly read: (state: T) => number;
}

/** States of one solution, with its name in legends. */
export interface PlottedStates<T extends State> {
  /** Name; empty if there is only one solution. */
  readonly name: string;
  readonly states: readonly T[];
}

export interface PlotSource<T extends State> {
  readonly tracks: readonly PlottedStates<T>[];
  readonly timeUnit: string;
  readonly events: readonly { readonly time: number; readonly name: string }[];
  /** Whether x is the time of an animation. */
  readonly isSynced: boolean;
}

export interface PlotRequest<T extends State> {
  readonly title: string;
  readonly unit?: string | undefined;
  readonly label?: string;
  readonly log?: boolean;
  readonly curves: readonly Curve<T>[];
  /** Horizontal axis instead of time, for a phase plot. */
  readonly x?: (Curve<T> & { readonly unit?: string | undefined }) | undefined;
}

export class PlotMaker<T extends State> {
  /** Notes about omissions. */
  readonly notes: string[] = [];
  readonly #source: PlotSource<T>;

  constructor(source: PlotSource<T>) {
    this.#source = source;
  }

  /** Returns one plot, or several if there are many curves. */
  plots(wanted: PlotRequest<T>): readonly Plot[] {
    const { title, unit, label = "", log = false, x } = wanted;
    const shown = this.#largest(wanted);
    const groups = Array.from({ length: Math.ceil(shown.length / MAX_CURVES) }, (_, i) =>
      shown.slice(MAX_CURVES * i, MAX_CURVES * (i + 1)),
    );
    const y: PlotAxis = { label, ...(unit !== undefined && { unit }), log };
    return groups.map((series, i) => ({
      title: groups.length > 1 ? `${title} (${i + 1} of ${groups.length})` : title,
      x: x
        ? { label: x.name, ...(x.unit !== undefined && { unit: x.unit }) }
        : { label: "t", unit: this.#source.timeUnit },
      y,
      series: series.flat(),
      ...(!x && {
        marks: this.#source.events.slice(0, 50).map(({ time, name }) => ({ x: time, label: name })),
        synced: this.#source.isSynced,
      }),
    }));
  }

  /** Returns all curves; if there are too many, those with the largest values, in order. */
  #largest({ title, curves, x }: PlotRequest<T>): readonly (readonly Series[])[] {
    const all = this.#series(curves, x);
    const most = MAX_CURVES * MAX_PLOTS;
    if (all.length <= most) return all.filter((series) => series.length > 0);
    const peaks = all.map((series) => Math.max(0, ...series.map(({ y }) => peakOf(y))));
    const least = [...peaks].sort((a, b) => b - a)[most - 1]!;
    this.notes.push(`${title}: the ${most} with the largest values of ${all.length} are plotted`);
    return all.filter((_, i) => peaks[i]! >= least).slice(0, most);
  }

  /**
   * Returns the series of each curve, one for each solution; curves without values are dropped. Reads state by state,
   * since all reactions of a state come from one solve, cached while that state is read.
   */
  #series(curves: readonly Curve<T>[], x: Curve<T> | undefined): readonly (readonly Series[])[] {
    const tracks = this.#source.tracks.map(({ name, states }) => {
      const read = thinned(states, curves.length);
      const [places, values] = [new Float64Array(read.length), curves.map(() => newNumbers(read))];
      for (const [k, state] of read.entries()) {
        places[k] = x ? valueIn(x, state) : state.time;
        for (const [i, curve] of curves.entries()) values[i]![k] = valueIn(curve, state);
      }
      return { name, x: [...places], values };
    });
    return curves.map((curve, i) =>
      tracks
        .filter(({ values }) => values[i]!.some(Number.isFinite))
        .map(({ name, x: places, values }) => ({
          name: name === "" ? curve.name : `${curve.name}, ${name}`,
          x: places,
          y: [...values[i]!],
        })),
    );
  }
}

const newNumbers = (states: readonly unknown[]) => new Float64Array(states.length);

/** Returns a value; NaN for parts that the mode lacks. */
function valueIn<T extends State>({ read }: Curve<T>, state: T): number {
  try {
    return read(state);
  } catch {
    return Number.NaN;
  }
}

function peakOf(values: ArrayLike<number>): number {
  let peak = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    if (size > peak) peak = size;
  }
  return peak;
}

/** Thins states evenly to the number that all curves together may read; keeps the last one. */
function thinned<T>(states: readonly T[], curves: number): readonly T[] {
  const most = Math.max(MIN_STATES, Math.floor(MAX_READINGS / Math.max(1, curves)));
  if (states.length <= most) return states;
  return Array.from(
    { length: most },
    (_, i) => states[Math.round((i * (states.length - 1)) / (most - 1))]!,
  );
}

// Plots of a mechanism.

/** Quantities that a report of a mechanism can plot. */
export const BODY_QUANTITIES = [
  "angles",
  "displacements",
  "heights",
  "speeds",
  "reactions",
  "torques",
  "drives",
  "forces",
  "energy",
  "constraints",
] as const;

export type PlottedQuantity = (typeof BODY_QUANTITIES)[number];

type BodyPlot = PlotRequest<BodyState>;
type UnitFor = (dimension: Dimension) => string;

/** Returns the default quantities: motion of joints, or of bodies if no joint measures it; loads, energy, constraints. */
export function usualQuantities(data: ModelData): readonly PlottedQuantity[] {
  const measures = data.joints.some(
    ({ sensors }) => "angle" in sensors || "displacement" in sensors,
  );
  const motion = measures ? (["angles", "displacements"] as const) : (["heights"] as const);
  return [...motion, "reactions", "drives", "energy", "constraints"];
}

/** Returns the plots of a quantity; none if the mechanism does not have it. */
export function bodyPlots(
  quantity: PlottedQuantity,
  data: ModelData,
  unit: UnitFor,
): readonly BodyPlot[] {
  return MAKERS[quantity](data, unit).filter(({ curves }) => curves.length > 0);
}

const size = (vector: readonly number[]) => Math.hypot(...vector);

const MAKERS: Readonly<
  Record<PlottedQuantity, (data: ModelData, unit: UnitFor) => readonly BodyPlot[]>
> = {
  angles: (data, unit) => [sensed(data, "angle", "Joint angles", unit("angle"))],
  displacements: (data, unit) => [
    sensed(data, "displacement", "Joint displacements", unit("length")),
  ],
  heights: (data, unit) => [heights(data, unit("length"))],
  speeds: ({ bodies }, unit) => [
    {
      title: "Body speeds",
      unit: unit("velocity"),
      curves: bodies.map(({ name }) => ({
        name,
        read: (at) => size(at.body(name).centreVelocity),
      })),
    },
  ],
  reactions: (data, unit) => [
    {
      title: "Reaction forces",
      unit: unit("force"),
      curves: held(data).map((name) => ({ name, read: (at) => size(at.joint(name).force()) })),
    },
  ],
  torques: (data, unit) => [
    {
      title: "Reaction torques",
      unit: unit("torque"),
      curves: held(data).map((name) => ({ name, read: (at) => size(at.joint(name).torque()) })),
    },
  ],
  drives: (data, unit) => [
    drives(data, "driveAngle", "Torques of drives", unit("torque")),
    drives(data, "driveDisplacement", "Forces of drives", unit("force")),
    drives(data, "driveLength", "Forces of actuators", unit("force")),
  ],
  // Forces that act on an angle (torsion springs, motors, friction and stops of hinges) are shown as torques.
  forces: ({ forces, sensors }, unit) => [
    {
      title: "Forces of springs, tyres and loads",
      unit: unit("force"),
      curves: forces
        .filter((force) => !isTorqueOfRotations(force, sensors))
        .map(({ name }) => ({ name, read: (at) => size(at.force(name).force()) })),
    },
    {
      title: "Torques of springs and loads",
      unit: unit("torque"),
      curves: forces
        .filter((force) => isTorqueOfRotations(force, sensors))
        .map(({ name }) => ({ name, read: (at) => size(at.force(name).torque()) })),
    },
  ],
  energy: (_, unit) => [
    {
      title: "Energy",
      unit: unit("energy"),
      curves: (["kinetic", "potential", "total"] as const).map((part) => ({
        name: part,
        read: (at) => at.energy()[part],
      })),
    },
  ],
  constraints: ({ joints }) => (joints.length === 0 ? [] : [constraintPlot()]),
};

/** Returns the plot of the largest violations on a logarithmic axis, bounded below by rounding. */
export function constraintPlot(): PlotRequest<
  Pick<BodyState, "constraintError" | "time" | "q" | "v">
> {
  const floor = (value: number) => Math.max(value, 1e-17);
  return {
    title: "Constraint error",
    log: true,
    curves: [
      { name: "positions", read: (at) => floor(at.constraintError().position) },
      { name: "velocities", read: (at) => floor(at.constraintError().velocity) },
    ],
  };
}

/** Returns the joints except drives, which act along the freedom of another joint. */
function held({ joints }: ModelData): readonly string[] {
  return joints.filter(({ markers, isDrive }) => markers && !isDrive).map(({ name }) => name);
}

/** Returns the plot of a measured quantity. A drive has no curve of its own if its joint measures the same. */
function sensed(
  { joints }: ModelData,
  what: "angle" | "displacement",
  title: string,
  unit: string,
): BodyPlot {
  const measuring = joints.filter(({ sensors }) => Object.hasOwn(sensors, what));
  const first = measuring.filter(
    ({ isDrive, sensors, markers }) =>
      !isDrive ||
      !measuring.some(
        (other) =>
          !other.isDrive &&
          (other.sensors[what] === sensors[what] || sameMarkers(other.markers, markers)),
      ),
  );
  const curves = first.map(
    ({ name }): Curve<BodyState> => ({
      name,
      read: (at) => withoutRounding(at.joint(name)[what] ?? Number.NaN),
    }),
  );
  return { title, unit, curves };
}

/** Values below this are zero: a locked joint is then plotted as at rest. */
const VALUE_TOLERANCE = 1e-14;

function withoutRounding(value: number): number {
  return Math.abs(value) < VALUE_TOLERANCE ? 0 : value;
}

function sameMarkers(
  a: readonly [number, number] | undefined,
  b: readonly [number, number] | undefined,
): boolean {
  return a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1];
}

function drives({ joints }: ModelData, type: string, title: string, unit: string): BodyPlot {
  const curves = joints
    .filter((joint) => joint.isDrive && joint.type === type)
    .map(
      ({ name }): Curve<BodyState> => ({
        name,
        read: (at) => at.joint(name).driveForce ?? Number.NaN,
      }),
    );
  return { title, unit, curves };
}

/** Returns the plot of heights along the axis of gravity, or along z without gravity. */
function heights({ gravity, bodies }: ModelData, unit: string): BodyPlot {
  const sizes = gravity.map(Math.abs);
  const largest = Math.max(...sizes);
  const axis = largest === 0 ? 2 : sizes.indexOf(largest);
  return {
    title: `${"xyz"[axis]} of ${bodies.length === 1 ? "the body" : "bodies"}`,
    unit,
    curves: bodies.map(({ name }) => ({ name, read: (at) => at.body(name).position[axis]! })),
  };
}

// Plots of systems given by equations: coordinates, rates, phases, energy and constraints, if available.

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
