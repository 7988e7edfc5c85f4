// Small motions about a state.
//
// Z spans the displacements that the joints allow, orthonormal in the metric of the masses. A state nearby is
// told by z, the displacement Z z (then closed by the joints), and u, the velocity v + Z u (then likewise). To
// first order closing changes neither, as it moves along M^-1 J^T, which is orthogonal to Z. Hence
//
//   z' = Z^T M (v, w + theta x w / 2),   u' = Z^T M a,
//
// where theta, the turn of a body from where it was, has the rate w + theta x w / 2 + ... in its axes. The
// matrix of z', u' by z, u is found by differences of fourth order. With rolling or blades, velocities
// are more constrained than displacements: they have a smaller basis.
//
// Where the state moves, these rates are not zero, and their derivatives depend on the coordinates as much as on
// the motion. A steady motion goes on by a symmetry X (linearise-symmetries.ts). Seen by one who goes on with it
// the rates are f - X, which are zero at the state: there A = D(f - X) is the same in all coordinates, and as X
// is a symmetry, the same at all times.

import { type Eigenvalue, eigenvalues } from "../analysis/eigenvalues.js";
import { NodriftError } from "../errors.js";
import { checkKeys, flag } from "../model/checks.js";
import type { Vector } from "../model/description.js";
import { hypotenuse } from "../model/portable.js";
import { BasisFinder } from "./linearise-basis.js";
import { Neighbours, type Place } from "./linearise-neighbours.js";
import { type Steady, SymmetryFinder, type Unsteady } from "./linearise-symmetries.js";
import type { ReadContext } from "./reactions-joint.js";

/** Eigenvalues smaller than this part of the largest are zeros: free motions, found in pairs to a root. */
const ZERO = 1e-6;
/** Velocities and accelerations, in lengths of the model or radians, that are rest. */
const REST = 1e-6;

export interface LineariseOptions {
  /**
   * Takes the derivatives at the state as if it stayed there, also where it neither rests nor moves steadily.
   * How stiff the forces are shows there; stability does not. Default: false, such states are refused.
   */
  readonly frozen?: boolean | undefined;
}

/** Small motions about a state. */
export interface Linearisation {
  /** Independent displacements; with rolling or blades there are fewer velocities. */
  readonly degreesOfFreedom: number;
  /** Nothing moves, and nothing begins to. */
  readonly equilibrium: boolean;
  /**
   * The state rests, or moves by a symmetry of the mechanism: a top that precesses, a bicycle in a bend. If not,
   * the linearisation is a frozen one, whose eigenvalues say nothing about stability.
   */
  readonly steady: boolean;
  /**
   * Angular velocity, in the world, of the frame that small motions of each body are seen in, by its name.
   * Eigenvalues seen in a frame that turns differ from those of one that does not by multiples of i times its rate.
   */
  readonly frames: Readonly<Record<string, Vector>>;
  /** Of the displacements and velocities: two for each degree of freedom. */
  readonly eigenvalues: readonly { readonly re: number; readonly im: number }[];
  /** Natural frequencies |s| / 2 pi in hertz of the pairs of complex eigenvalues s, ascending. */
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
  refuseSingular(context);
  const { system } = probe;
  const accelerations = reactions.accelerations();
  const finder = new BasisFinder(probe);
  const displacements = finder.basis(system.holonomicRows);
  const velocities =
    system.rows === system.holonomicRows ? displacements : finder.basis(system.rows);
  const neighbours = new Neighbours(context);
  const { v } = context.present();
  const equilibrium = [v, accelerations].every((x) => neighbours.sizeOf(x) < REST);
  try {
    const steady =
      equilibrium || frozen
        ? undefined
        : steadyOf(
            context,
            new SymmetryFinder(context, neighbours, finder, accelerations).find(
              displacements,
              velocities,
            ),
          );
    const space = new StateSpace(context, finder, neighbours, [displacements, velocities], steady);
    const columns = space.columns();
    const found = eigenvalues(
      columns.length,
      columns.flatMap((column) => [...column]),
    );
    return {
      degreesOfFreedom: displacements.length,
      equilibrium,
      steady: equilibrium || steady !== undefined,
      frames: framesOf(context, steady),
      ...spectrum(found),
      A: columns.map((_, row) => columns.map((column) => column[row]!)),
      basis: [...displacements, ...velocities],
    };
  } finally {
    neighbours.leave();
  }
}

function refuseSingular({ model, reactions, probe }: ReadContext): void {
  const { rows } = probe.system;
  const rank = rows - reactions.nullVectors().length;
  if (rank >= model.report.rank) return;
  throw new NodriftError(
    "SINGULAR",
    `${model.data.name}: the pose is singular (${rank} independent rows, ${model.report.rank} at poses ` +
      "nearby): motions branch there and have no linearisation. Move off it first",
  );
}

function steadyOf(context: ReadContext, found: Steady | Unsteady): Steady {
  if ("field" in found) return found;
  const { data } = context.model;
  const name = data.bodies[found.body]?.name ?? data.name;
  const time = context.present().time;
  throw new NodriftError(
    "STEADY",
    `${data.name}: the motion at t = ${time} is not steady, so eigenvalues would say nothing about it: ` +
      `"${name}" misses the nearest steady motion by ${found.missed.toPrecision(2)} of its own. Linearise at an ` +
      "equilibrium or in steady motion; or ask for linearise({ frozen: true }), which shows how stiff the forces " +
      "are, and not whether the motion is stable",
  );
}

function framesOf({ model }: ReadContext, steady: Steady | undefined) {
  const { bodies } = model.data;
  return Object.fromEntries(
    bodies.map(({ name }, body): [string, Vector] => [
      name,
      steady ? steady.fields.turnOf(steady.field, body) : [0, 0, 0],
    ]),
  );
}

function spectrum(found: readonly Eigenvalue[]) {
  const sizes = found.map(({ real, imaginary }) => hypotenuse(real, imaginary));
  const least = ZERO * sizes.reduce((most, size) => Math.max(most, size), 0);
  const pairs = found
    .map(({ real, imaginary }, i) => ({ real, imaginary, size: sizes[i]! }))
    .filter(({ imaginary, size }) => size > least && imaginary > ZERO * size)
    .sort((one, other) => one.size - other.size);
  return {
    eigenvalues: found.map(({ real, imaginary }) => ({ re: real, im: imaginary })),
    frequencies: pairs.map(({ size }) => size / (2 * Math.PI)),
    dampingRatios: pairs.map(({ real, size }) => -real / size),
  };
}

/** The state space about a state, and its rates by differences. */
class StateSpace {
  readonly #context: ReadContext;
  readonly #finder: BasisFinder;
  readonly #neighbours: Neighbours;
  readonly #bases: readonly [readonly Float64Array[], readonly Float64Array[]];
  readonly #steady: Steady | undefined;

  constructor(
    context: ReadContext,
    finder: BasisFinder,
    neighbours: Neighbours,
    bases: readonly [readonly Float64Array[], readonly Float64Array[]],
    steady: Steady | undefined,
  ) {
    this.#context = context;
    this.#finder = finder;
    this.#neighbours = neighbours;
    this.#bases = bases;
    this.#steady = steady;
  }

  /** Columns of A. */
  columns(): Float64Array[] {
    const present = this.#context.present();
    const still = new Float64Array(present.v.length);
    const [displacements, velocities] = this.#bases;
    const derivative = (displacement: Float64Array, velocity: Float64Array) =>
      this.#neighbours.derivative(present, { displacement, velocity }, true, 1, (place, h) =>
        this.#rates(place, displacement, h),
      );
    return [
      ...displacements.map((d) => derivative(d, still)),
      ...velocities.map((u) => derivative(still, u)),
    ];
  }

  /** z' and u' at a state that is turned by h d. */
  #rates(place: Place, d: Float64Array, h: number): Float64Array {
    const rates = this.#steady
      ? this.#beyond(this.#steady, place)
      : [turningRate(place.v, d, h), this.#neighbours.accelerations()];
    return Float64Array.from(
      rates.flatMap((rate, i) => this.#finder.components(this.#bases[i]!, rate)),
    );
  }

  /** The rates less those of the steady motion: no turn of the first order is left in them. */
  #beyond({ fields, field }: Steady, { q, v }: Place): Float64Array[] {
    const { displacement, velocity } = fields.at(field, q, v);
    const accelerations = this.#neighbours.accelerations();
    return [
      v.map((value, i) => value - displacement[i]!),
      accelerations.map((value, i) => value - velocity[i]!),
    ];
  }
}

/** (v, w + theta x w / 2) with theta = h d. */
function turningRate(v: Float64Array, d: Float64Array, h: number): Float64Array {
  const rate = v.slice();
  for (let body = 0; body < v.length; body += 6) {
    for (let i = 0; i < 3; i++) {
      const [j, k] = [body + 3 + ((i + 1) % 3), body + 3 + ((i + 2) % 3)];
      rate[body + 3 + i] = v[body + 3 + i]! + (h * (d[j]! * v[k]! - d[k]! * v[j]!)) / 2;
    }
  }
  return rate;
}
