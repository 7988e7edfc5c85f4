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

import { Turn } from "../../assembly/layout-bodies.js";
import { type Eigenvalue, eigenvalues } from "../analysis/eigenvalues.js";
import { POINTS } from "../equations/differences.js";
import { NodriftError } from "../errors.js";
import { BasisFinder } from "./linearise-basis.js";
import type { ReadContext } from "./reactions-joint.js";
import type { Present } from "./readout-probe.js";

/** How far differences go, in radians or lengths of the model. */
const STEP = 2 ** -10;

/** Eigenvalues smaller than this part of the largest are zeros: free motions, found in pairs to a root. */
const ZERO = 1e-6;
/** Velocities and accelerations, in lengths of the model or radians, that are rest. */
const REST = 1e-6;

/** Small motions about a state. */
export interface Linearisation {
  /** Independent displacements; with rolling or blades there are fewer velocities. */
  readonly degreesOfFreedom: number;
  /**
   * Nothing moves, and nothing begins to. Elsewhere the state itself goes away, and eigenvalues tell of the
   * coordinates as much as of the motion.
   */
  readonly equilibrium: boolean;
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
export function linearise(context: ReadContext): Linearisation {
  const { probe, reactions, model } = context;
  refuseSingular(context);
  const { system } = probe;
  const accelerations = reactions.accelerations();
  const finder = new BasisFinder(probe);
  const displacements = finder.basis(system.holonomicRows);
  const velocities =
    system.rows === system.holonomicRows ? displacements : finder.basis(system.rows);
  const space = new StateSpace(context, finder, displacements, velocities, model.length);
  const columns = space.columns();
  const size = columns.length;
  const found = eigenvalues(
    size,
    columns.flatMap((column) => [...column]),
  );
  return {
    degreesOfFreedom: displacements.length,
    equilibrium: [context.present().v, accelerations].every((x) => space.sizeOf(x) < REST),
    ...spectrum(found),
    A: columns.map((_, row) => columns.map((column) => column[row]!)),
    basis: [...displacements, ...velocities],
  };
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

function spectrum(found: readonly Eigenvalue[]) {
  const sizes = found.map(({ real, imaginary }) => Math.hypot(real, imaginary));
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
  readonly #displacements: readonly Float64Array[];
  readonly #velocities: readonly Float64Array[];
  readonly #length: number;

  constructor(
    context: ReadContext,
    finder: BasisFinder,
    displacements: readonly Float64Array[],
    velocities: readonly Float64Array[],
    length: number,
  ) {
    this.#context = context;
    this.#finder = finder;
    this.#displacements = displacements;
    this.#velocities = velocities;
    this.#length = length;
  }

  /** Columns of A. */
  columns(): Float64Array[] {
    const present = this.#context.present();
    const still = new Float64Array(present.v.length);
    try {
      return [
        ...this.#displacements.map((d) => this.#derivative(present, d, still)),
        ...this.#velocities.map((u) => this.#derivative(present, still, u)),
      ];
    } finally {
      this.#context.probe.forget();
    }
  }

  /** Derivative of the rates along a displacement and a change of the velocity. */
  #derivative(present: Present, d: Float64Array, u: Float64Array): Float64Array {
    const h = STEP / Math.max(this.sizeOf(d), this.sizeOf(u));
    const sum = new Float64Array(this.#displacements.length + this.#velocities.length);
    for (const [multiple, weight] of POINTS) {
      const rates = this.#rates(present, d, u, multiple * h);
      for (let i = 0; i < sum.length; i++) {
        sum[i] = sum[i]! + (weight * rates[i]!) / h;
      }
    }
    return sum;
  }

  /** Largest turn, or slide over the length of the model. */
  sizeOf(x: Float64Array): number {
    return x.reduce((most, value, i) => {
      return Math.max(most, Math.abs(value) / (i % 6 < 3 ? this.#length : 1));
    }, 0);
  }

  /** z' and u' at the state moved by h d and h u. */
  #rates(present: Present, d: Float64Array, u: Float64Array, h: number): Float64Array {
    const { probe } = this.#context;
    const { system, arena, vector, projector } = probe;
    const { positions, velocities, state } = system;
    const place = arena.floats({ name: "state", address: state, slots: positions + velocities });
    const view = arena.floats(vector);
    place.set(present.q);
    place.set(
      present.v.map((v, i) => v + h * u[i]!),
      positions,
    );
    view.set(d.map((x) => h * x));
    system.displace(state, vector.address, Turn.EXPONENTIAL);
    projector.positions(present.time);
    projector.velocities(present.time);
    const v = place.slice(positions);
    probe.evaluate();
    system.solver("auto").accelerate(system.gamma(), vector.address);
    return Float64Array.from([
      ...this.#finder.components(this.#displacements, turningRate(v, d, h)),
      ...this.#finder.components(this.#velocities, view),
    ]);
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
