// Static equilibrium: where a mechanism comes to rest, what its joints carry there, and whether it stays.

import { checkKeys, finite, numbers, positive } from "../../../describe/model/option-checks.js";
import { eigenvalues } from "../../../ground/algebra/eigenvalues.js";
import { combination, nullSpace } from "../../../ground/algebra/gram-schmidt.js";
import { hypotenuse } from "../../../ground/algebra/portable-trigonometry.js";
import { NodriftError } from "../../../ground/errors.js";
import type { StateData } from "../../../seam/index.js";
import { turnSlots } from "../../../systems/bodies/system/angle-continuation.js";
import { refuseBeyond } from "../../held/limits.js";
import { carriedStates } from "../linearise/carried-states.js";
import { type Linearisation, linearise } from "../linearise/linearise.js";
import type { ReadModel } from "../probe/probe.js";
import { Readout } from "../reading/readout.js";
import type { BodyState } from "../simulation/state.js";
import { EquilibriumSearch, type Found } from "./equilibrium-search.js";

/** Options of {@link CompiledModel.equilibrium}. */
export interface EquilibriumOptions {
  /** Positions to begin at, seven numbers for each body as in `q`. Default: the start of the model. */
  readonly q?: ArrayLike<number> | undefined;
  /** Time at which drives and forces are held. Default: that of the model. */
  readonly time?: number | undefined;
  /**
   * Convergence: residual force relative to the largest force on a body, or the last displacement in radians. Default:
   * 1e-10.
   */
  readonly tolerance?: number | undefined;
  /** Maximum number of steps. Default: 200. */
  readonly iterations?: number | undefined;
}

/** A static equilibrium. */
export interface Equilibrium {
  /** Bodies and joints by their names: `state.joint("hinge").force()` is the static reaction. */
  readonly state: BodyState;
  /** Positions, seven numbers for each body. */
  readonly q: Float64Array;
  /** Time at which drives and forces are held. */
  readonly time: number;
  /**
   * Stability under small disturbances. "neutral": some displacement needs no force (see `free`), or the pose is
   * singular (`linearisation` is undefined), and terms of higher order decide.
   */
  readonly stability: "stable" | "unstable" | "neutral";
  /** Least eigenvalue of the stiffness over the masses, in 1/s^2; Infinity where nothing is free. */
  readonly stiffness: number;
  /** Bodies that can be moved without a force: the equilibrium is one of many. */
  readonly free: readonly string[];
  /** Small motions about it, with dampers; undefined at a singular pose. */
  readonly linearisation: Linearisation | undefined;
  /** Largest unbalanced force (or torque divided by model length). */
  readonly residual: number;
  /** Steps the search took. */
  readonly iterations: number;
  /** Largest distance of a body's centre of mass from where it started. */
  readonly moved: number;
}

/** A compiled model whose drives stand still. */
export interface StillModel extends ReadModel {
  readonly q: Float64Array;
  /** Of which states are the last. */
  readonly v: Float64Array;
  readonly time: number;
  state(data: StateData): BodyState;
}

const DEFAULT = { tolerance: 1e-10, iterations: 200 } as const;

/** What joints may be open at the start, over the length of the model: as when a model is compiled. */
const OPEN = 1e-5;
/** Relative stiffness treated as zero. */
const NONE = 1e-9;
/** Growth, over the size of the eigenvalue, that is not rounding. */
const GROWTH = 1e-7;
/** Eigenvalues of models with states, over the largest, that are zeros of free bodies: double ones are found to a root. */
const FREE = 3e-5;
/** Bodies that move by less than this part of the one that moves most do not count. */
const TAKES_PART = 1e-3;

export function checkEquilibrium(options: EquilibriumOptions, positions: number): void {
  const where = "equilibrium";
  checkKeys(where, options, [], ["q", "time", "tolerance", "iterations"]);
  const { q, time, tolerance, iterations } = options;
  if (q !== undefined) numbers(where, "q", q, positions);
  if (time !== undefined) finite(where, "time", time);
  if (tolerance !== undefined) positive(where, "tolerance", tolerance);
  if (iterations !== undefined) positive(where, "iterations", iterations);
}

/** Searches for rest, downhill from a start. */
export function equilibrium(model: StillModel, options: EquilibriumOptions): Equilibrium {
  const { tolerance = DEFAULT.tolerance, iterations = DEFAULT.iterations } = options;
  const { time } = model;
  const { active } = carriedStates(model.plan);
  let v: Float64Array = model.v.map((value, i) => (active.includes(i) ? value : 0));
  let q: Float64Array = Float64Array.from(options.q ?? model.q);
  let data: Float64Array = Float64Array.from(model.plan.data);
  const slots = turnSlots(model.plan);
  const readout = new Readout(model, () => {
    const turns = Float64Array.from(slots, (slot) => data[slot]!);
    return { q, v, time, data, turns, integrated: undefined };
  });
  readout.probe.load();
  const { system } = readout.probe;
  const search = new EquilibriumSearch(readout);
  refuseOpen(model, search.open({ q, v, time }));
  const found = search.run({ q, v, time }, tolerance, iterations);
  if (!found.found) throw failure(model, found);
  q = found.place.q;
  v = found.place.v;
  data = system.quantities.arrays.data.slice();
  const turns = new Float64Array(system.continuation.turns.count);
  system.continuation.turns.read(turns);
  readout.probe.forget();
  readout.probe.load();
  refuseBeyond("equilibrium", model.data, system.quantities.sensorValues(time));
  const linearisation = found.isSingular ? undefined : linearisationOf(readout);
  return {
    state: model.state({ q, v, time, turns }),
    q,
    time,
    ...verdict(model, search, found, linearisation),
    linearisation,
    residual: found.unbalanced.size,
    iterations: found.iterations,
    moved: found.moved * model.length,
  };
}

function refuseOpen({ data, length, time }: StillModel, open: number): void {
  if (open <= OPEN * length) return;
  throw new NodriftError(
    "ASSEMBLY",
    `${data.name}: equilibrium: assembly failed at t = ${time}: joints stay open by ` +
      `${open.toPrecision(3)}. Give a q closer to an assembled pose`,
  );
}

/** The state is at rest, whatever its accelerations are in absolute terms: nothing is lost by freezing it. */
function linearisationOf(readout: Readout): Linearisation | undefined {
  try {
    return linearise(readout, { frozen: true });
  } catch (error) {
    if (error instanceof NodriftError && error.code === "SINGULAR") return undefined;
    throw error;
  }
}

function verdict(
  model: StillModel,
  search: EquilibriumSearch,
  { stiffness: columns, basis, load }: Found,
  linearisation: Linearisation | undefined,
): Pick<Equilibrium, "stability" | "stiffness" | "free"> {
  const found = eigenvalues(
    columns.length,
    columns.flatMap((column) => [...column]),
  );
  const least = found.reduce((low, { real }) => Math.min(low, real), Number.POSITIVE_INFINITY);
  const largest = columns.reduce(
    (most, x) => x.reduce((m, y) => Math.max(m, Math.abs(y)), most),
    0,
  );
  // Without any stiffness, rounding is compared with what the load would do to the lightest body.
  const mass = model.data.bodies.reduce((low, body) => Math.min(low, body.mass), Infinity);
  const none = NONE * Math.max(largest, load / (mass * model.length));
  const directions = nullSpace(
    columns.map((column) => column.map((x) => (none > 0 ? (x * NONE) / none : x))),
    NONE,
  ).map((factors) => combination(basis, factors, basis[0]!.length));
  const names = model.data.bodies.map(({ name }) => name);
  const free = names.filter((_, body) =>
    directions.some((direction) => {
      const own = direction.map((x, i) => (Math.floor(i / 6) === body ? x : 0));
      return search.sizeOf(own) > TAKES_PART * search.sizeOf(direction);
    }),
  );
  // At a singular pose a displacement without stiffness may be one that no motion follows.
  const stability =
    linearisation && (least < -none || grows(linearisation, free.length > 0))
      ? "unstable"
      : free.length > 0 || !linearisation
        ? "neutral"
        : "stable";
  if (model.data.states.length === 0 || !linearisation)
    return { stability, stiffness: least, free };
  // Poses follow states, and the other way round: only the eigenvalues of both decide.
  const sizes = linearisation.eigenvalues.map(({ re, im }) => hypotenuse(re, im));
  const zero = (free.length > 0 ? FREE : NONE) * Math.max(...sizes);
  const isFree = sizes.some((size) => size <= zero);
  const isGrowing = linearisation.eigenvalues.some(
    ({ re }, i) => re > (isFree ? zero : 0) + GROWTH * sizes[i]!,
  );
  return {
    stability: isGrowing ? "unstable" : isFree ? "neutral" : "stable",
    stiffness: least,
    free: isFree ? free : [],
  };
}

/** Whether some mode grows. Free motions give double zeros, which rounding splits. */
function grows({ eigenvalues: all, dampingRatios }: Linearisation, isFree: boolean): boolean {
  if (isFree) return dampingRatios.some((ratio) => ratio < -GROWTH);
  const sizes = all.map(({ re, im }) => hypotenuse(re, im));
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  return all.some(({ re }, i) => re > GROWTH * sizes[i]! + NONE * largest);
}

function failure({ data, time, length }: StillModel, found: Found): NodriftError {
  if (found.changing) {
    const { state, rate } = found.changing;
    const name = data.states.flatMap((set) => set.names.map((own) => `${set.name} ${own}`))[state]!;
    return new NodriftError(
      "STEADY",
      `${data.name}: no equilibrium found from this start at t = ${time}: state "${name}" still changes by ` +
        `${rate.toPrecision(3)} a second. Check whether its rate can be zero, or start closer to where it is`,
    );
  }
  const { size, body, isTorque } = found.unbounded ?? found.unbalanced;
  const name = data.bodies[body]!.name;
  const amount = (isTorque ? size * length : size).toPrecision(3);
  const what = isTorque ? `torque of ${amount}` : `force of ${amount}`;
  const loose = found.unbounded
    ? "The pose is singular (taut or folded): only unbounded reactions would hold it. Start away from it " +
      "(option q), or let something give: longer links, or a bushing for a joint"
    : found.moved > 10
      ? `It moved by ${found.moved.toPrecision(2)} model lengths: the mechanism is probably unsupported`
      : "Start closer to equilibrium (option q) or raise `iterations`";
  return new NodriftError(
    "STEADY",
    `${data.name}: no equilibrium found from this start at t = ${time}: after ${found.iterations} iterations ` +
      `"${name}" still has an unbalanced ${what}. ${loose}`,
  );
}
