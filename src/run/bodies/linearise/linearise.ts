// Small motions about a state: what users ask for. linear-system.ts has the matrix.

import type { Vector } from "../../../describe/model/model-data.js";
import { checkKeys, flag } from "../../../describe/model/option-checks.js";
import { hypotenuse } from "../../../ground/algebra/portable-trigonometry.js";
import { ZERO as NO_TURN, norm } from "../../../ground/algebra/vectors.js";
import { NodriftError } from "../../../ground/errors.js";
import type { ReadContext } from "../reactions/joint-reading.js";
import { type CarriedStates, carriedStates } from "./carried-states.js";
import { StateSpace } from "./linear-system.js";
import { BasisFinder } from "./linearise-basis.js";
import { type Steady, SymmetryFinder, type Unsteady } from "./linearise-symmetries.js";
import { NearbyStates } from "./nearby-states.js";
import { type SplitEigenvalues, splitEigenvalues } from "./split-eigenvalues.js";

/** Eigenvalues smaller than this part of the largest, or of the rate of the motion, are zeros: free motions, found in pairs to a root. */
const ZERO = 1e-6;
/** Velocities and accelerations, in lengths of the model or radians, that are rest. */
const REST = 1e-6;
/** Turns slower than this part of the fastest are rounding. */
const STILL = 1e-9;

/** Options of `linearise`. */
export interface LineariseOptions {
  /**
   * Linearise at an unsteady state as if it were frozen. Shows stiffness, not stability. Default: false (such states
   * throw).
   */
  readonly frozen?: boolean | undefined;
}

/** Small motions about a state. */
export interface Linearisation {
  /** Independent displacements; with rolling or blades there are fewer velocities. */
  readonly degreesOfFreedom: number;
  /** The state is a static equilibrium. */
  readonly equilibrium: boolean;
  /**
   * The state is an equilibrium or a steady motion along a symmetry of the mechanism: a top that precesses, a bicycle
   * in a bend. If false, the linearisation is frozen in time and its eigenvalues do not decide stability.
   */
  readonly steady: boolean;
  /**
   * Angular velocity, in the world, of the frame that small motions of each body are seen in, by its name.
   * Eigenvalues seen in a frame that turns differ from those of one that does not by multiples of i times its rate.
   */
  readonly frames: Readonly<Record<string, Vector>>;
  /**
   * Of the displacements and velocities: two for each degree of freedom. In steady motion those of its symmetries
   * (another place, another heading) come last; they are zeros, or i times rates of the frames.
   */
  readonly eigenvalues: readonly { readonly re: number; readonly im: number }[];
  /** Natural frequencies |s| / 2 pi in hertz of the pairs of complex eigenvalues s of the motion, ascending. */
  readonly frequencies: readonly number[];
  /** Damping ratio -re(s) / |s| of each of these. */
  readonly dampingRatios: readonly number[];
  /** (z', u') = A (z, u) to first order, by rows. */
  readonly A: readonly (readonly number[])[];
  /** Displacements (then velocities) of all bodies for each z (then u): columns of Z. */
  readonly basis: readonly Float64Array[];
}

/** Linearises the motion about the present state. */
export function linearise(context: ReadContext, options: LineariseOptions = {}): Linearisation {
  checkKeys("linearise", options, [], ["frozen"]);
  const frozen = flag("linearise", "frozen", options.frozen ?? false);
  const { probe, reactions } = context;
  const carried = carriedStates(context.model.plan);
  refuseSingular(context);
  const { system } = probe;
  const accelerations = reactions.accelerations();
  const finder = new BasisFinder(probe, context.model.length);
  const { all, idle } = carried;
  const displacements = finder.basis(system.constraints.holonomicRows, all);
  const velocities =
    system.constraints.rows === system.constraints.holonomicRows && all.length === 0
      ? displacements
      : finder.basis(system.constraints.rows, idle);
  const bases = [displacements, velocities] as const;
  const neighbours = new NearbyStates(context);
  const v = context.present().v.map((value, i) => (all.includes(i) ? 0 : value));
  const equilibrium = [v, accelerations].every((x) => neighbours.sizeOf(x) < REST);
  const find = () => {
    refuseChanging(context, carried, accelerations);
    refuseStarting(context, neighbours, accelerations);
    const symmetries = new SymmetryFinder(context, neighbours, finder, accelerations, bases);
    return steadyOf(context, symmetries.find());
  };
  try {
    const steady = equilibrium || frozen ? undefined : find();
    const space = new StateSpace(
      { present: context.present, carried },
      finder,
      neighbours,
      bases,
      steady,
    );
    const columns = space.columns();
    const found = splitEigenvalues(columns, space.orbit(), ratesOf(steady));
    return {
      degreesOfFreedom: displacements.length,
      equilibrium,
      steady: equilibrium || steady !== undefined,
      frames: framesOf(context, steady),
      ...spectrum(
        found,
        Math.max(neighbours.sizeOf(v), Math.sqrt(neighbours.sizeOf(accelerations))),
      ),
      A: columns.map((_, row) => columns.map((column) => column[row]!)),
      basis: [...displacements, ...velocities],
    };
  } finally {
    neighbours.leave();
  }
}

/** Throws where joints lose rank: motions branch there. */
export function refuseSingular({ model, reactions, probe }: ReadContext): void {
  const { rows } = probe.system.constraints;
  const rank = rows - reactions.nullVectors().length;
  if (rank >= model.report.rank) return;
  throw new NodriftError(
    "SINGULAR",
    `${model.data.name}: the pose is singular (${rank} independent rows, ${model.report.rank} at poses ` +
      "nearby): the motion bifurcates there and cannot be linearised. Choose a pose away from it",
  );
}

/** Steady motions are looked for among those of bodies alone. */
function refuseChanging(context: ReadContext, { active }: CarriedStates, a: Float64Array): void {
  if (active.length === 0) return;
  const { data } = context.model;
  const names = data.states.flatMap(({ name, names: own }) => own.map((each) => `${name} ${each}`));
  const fastest = active.reduce(
    (best, slot, i) => (Math.abs(a[slot]!) > Math.abs(a[active[best]!]!) ? i : best),
    0,
  );
  const rate = a[active[fastest]!]!;
  const why =
    Math.abs(rate) > REST
      ? `state "${names[fastest]}" changes by ${rate.toPrecision(2)} a second`
      : "it moves, and steady motions of models with states are not known";
  throw notSteady(data.name, context.present().time, why);
}

/** A state at rest with non-zero acceleration is not steady: skip the search for symmetries. */
function refuseStarting(context: ReadContext, neighbours: NearbyStates, a: Float64Array): void {
  const { v, time } = context.present();
  const { data } = context.model;
  const largest = neighbours.sizeOf(a);
  if (neighbours.sizeOf(v) > REST * Math.sqrt(largest)) return;
  const sizes = data.bodies.map((_, body) => {
    return neighbours.sizeOf(a.map((x, i) => (Math.floor(i / 6) === body ? x : 0)));
  });
  const { name } = data.bodies[sizes.indexOf(largest)]!;
  throw notSteady(data.name, time, `"${name}" begins to move`);
}

function steadyOf(context: ReadContext, found: Steady | Unsteady): Steady {
  if ("field" in found) return found;
  const { data } = context.model;
  const why =
    found.body === undefined
      ? "forces or drives change with time"
      : `"${data.bodies[found.body]!.name}" deviates from the nearest steady motion by ` +
        `${found.missed.toPrecision(2)} (relative)`;
  throw notSteady(data.name, context.present().time, why);
}

function notSteady(name: string, time: number, why: string): NodriftError {
  return new NodriftError(
    "STEADY",
    `${name}: the motion at t = ${time} is not steady, so its eigenvalues do not decide stability: ` +
      `${why}. Linearise at an equilibrium or steady motion, or pass linearise({ frozen: true }) ` +
      "to see the stiffness only",
  );
}

/** Angular velocities of the frames bodies are seen in. */
function framesOf({ model }: ReadContext, steady: Steady | undefined) {
  const { bodies } = model.data;
  const rates = ratesOf(steady);
  const still = STILL * Math.max(0, ...rates);
  const clean = (x: number) => (Math.abs(x) > still ? x : 0);
  return Object.fromEntries(
    bodies.map(({ name }, body): [string, Vector] => {
      const [x, y, z] = steady ? steady.fields.turnOf(steady.field, body) : NO_TURN;
      return [name, [clean(x), clean(y), clean(z)]];
    }),
  );
}

/** Rates of the turns that a steady motion consists of. */
function ratesOf(steady: Steady | undefined): number[] {
  if (!steady) return [];
  const { fields, field } = steady;
  const rates = fields.turnsOf(field).map(norm);
  const fastest = Math.max(...rates);
  return rates.filter((rate) => rate > STILL * fastest);
}

/** What eigenvalues say; `rate` is that of the motion itself. */
function spectrum({ motion, symmetry }: SplitEigenvalues, rate: number) {
  const sizes = motion.map(({ real, imaginary }) => hypotenuse(real, imaginary));
  const least = ZERO * sizes.reduce((most, size) => Math.max(most, size), rate);
  const pairs = motion
    .map(({ real, imaginary }, i) => ({ real, imaginary, size: sizes[i]! }))
    .filter(({ imaginary, size }) => size > least && imaginary > ZERO * size)
    .sort((one, other) => one.size - other.size);
  return {
    eigenvalues: [...motion, ...symmetry].map(({ real, imaginary }) => ({
      re: real,
      im: imaginary,
    })),
    frequencies: pairs.map(({ size }) => size / (2 * Math.PI)),
    dampingRatios: pairs.map(({ real, size }) => -real / size),
  };
}
