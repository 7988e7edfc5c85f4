// Assembles poses: Newton's iteration q += minnorm(-Phi), with shorter steps if a full one does not reduce the error.

import { BODY_VELOCITIES, BodyMass } from "../../../../assembly/layout-bodies.js";
import { leastSquares } from "../../../base/algebra/gram-schmidt.js";
import type { Address, Segment } from "../../../base/memory/arena.js";
import { checkLimits } from "../../../base/run-limits.js";
import { knowRanksHere, rankHere } from "../system/loop-ranks.js";
import type { BodySystem } from "../system/system.js";

const NEWTON = { iterations: 200, tolerance: 1e-13, halvings: 12, turn: 0.5 } as const;

/** Residuals explained by rounding, and (relative to the size) by a geometry of limited accuracy. */
export const CONSTRAINT_TOLERANCE = 1e-10;
export const MISFIT_TOLERANCE = 1e-5;
/** Maximum number of Newton steps for a geometry that fits approximately. */
const MAX_SETTLING_STEPS = 8;
/** Residuals smaller than this fraction of the positions are rounding errors. */
const ROUNDING_FRACTION = 4 * Number.EPSILON;

/** Masses of held bodies. */
export interface HeldMasses {
  /** Masses before bodies were held. */
  readonly free: Float64Array;
  /** Whether steps are always computed by dense least squares, or only if elimination fails. */
  readonly isDense: boolean;
}

/** Moves the accepted state of a system, in the metric of its masses. */
export class PositionAssembler {
  readonly #system: BodySystem;
  readonly #length: number;
  readonly #right: number;
  readonly #step: number;
  readonly #trialStep: number;
  readonly #dense: DenseSteps;
  #denseStep = new Float64Array(0);
  #held: HeldMasses | undefined;

  /** Reserves memory. Call before the system is sealed. */
  constructor(system: BodySystem, length: number) {
    this.#system = system;
    this.#length = length;
    const { workspace } = system;
    const { velocities } = system.coordinates;
    const { rows } = system.constraints;
    this.#right = workspace.vector("residual of the assembly", rows);
    const step: Segment = workspace.reserve("step of the assembly", velocities);
    this.#step = step.address;
    this.#trialStep = workspace.vector("part of a step of the assembly", velocities);
    this.#dense = new DenseSteps(system);
    workspace.whenSealed((arena) => {
      this.#denseStep = arena.floats(step);
    });
    system.dynamics.solver("auto");
  }

  /** Returns the largest remaining |Phi|. */
  run(t: number, held?: HeldMasses): number {
    this.#held = held;
    const system = this.#system;
    const { workspace, state, trial } = system;
    const { positions } = system.coordinates;
    const { rows } = system.constraints;
    const { kernels } = workspace;
    system.load(t);
    let square = kernels.dot(rows, system.constraints.phi(), system.constraints.phi());
    let error = kernels.largestMagnitude(rows, system.constraints.phi());
    const enough = Math.max(
      NEWTON.tolerance,
      ROUNDING_FRACTION * kernels.largestMagnitude(positions, state.q),
    );
    for (let i = 0; i < NEWTON.iterations && !(error <= enough); i++) {
      checkLimits();
      this.#newtonStep();
      const next = this.#search(t, square);
      if (!(next < square)) break;
      kernels.copyVector(positions, trial.q, state.q);
      // Steps rotate a body by less than half a revolution, so angles are continuous from one to the next.
      system.kernels.bodyContinue(system.table);
      const halved = kernels.largestMagnitude(rows, system.constraints.phi());
      // No further progress: rounding, or a geometry that fits approximately. More steps would trade error in rows
      // that fit for error in rows that do not.
      if (error < MISFIT_TOLERANCE * this.#length && halved > error / 2) break;
      [square, error] = [next, halved];
    }
    system.load(t);
    if (error > enough) this.#settle(t);
    return kernels.largestMagnitude(rows, system.constraints.phi());
  }

  /**
   * Reduces the residual of a geometry that fits approximately: with the rank of this pose, Newton steps no longer act
   * on redundant rows. They continue while they get shorter.
   */
  #settle(t: number): void {
    const system = this.#system;
    const { workspace, state, trial } = system;
    const { positions, velocities } = system.coordinates;
    const { kernels } = workspace;
    if (!system.plan.hasLoops) return;
    if (!this.#held) system.ranks.learn(rankHere(system));
    let last = Number.POSITIVE_INFINITY;
    for (let i = 0; i < MAX_SETTLING_STEPS; i++) {
      this.#newtonStep();
      const size = kernels.largestMagnitude(velocities, this.#step);
      if (!(size < last / 2)) break;
      last = size;
      system.coordinates.displace(trial.q, this.#step);
      system.at(t);
      kernels.copyVector(positions, trial.q, state.q);
    }
    system.ranks.forget();
    system.load(t);
  }

  /** step = minnorm(-Phi), limited to a reasonable length. */
  #newtonStep(): void {
    const system = this.#system;
    const { workspace } = system;
    const { velocities } = system.coordinates;
    const { rows } = system.constraints;
    const { kernels } = workspace;
    const held = this.#held;
    if (held && (held.isDense || !knowRanksHere(system))) {
      system.constraints.phi();
      const right = system.arrays.phi.map((error) => -error);
      this.#denseStep.set(this.#dense.solve(right, held.free));
    } else {
      kernels.axpy(rows, -2, system.constraints.phi(), system.constraints.phi(), this.#right);
      system.dynamics.solver("auto").minnorm(1, this.#right, this.#step);
    }
    const turn = system.kernels.bodyAngularRate(system.table, this.#step);
    const slide = kernels.largestMagnitude(velocities, this.#step) / (2 * this.#length);
    const excess = Math.max(turn, slide) / NEWTON.turn;
    if (excess > 1) kernels.axpy(velocities, 1 / excess - 1, this.#step, this.#step, this.#step);
  }

  /** Sets the trial positions to the accepted ones displaced by the step, or by a fraction of it. */
  #search(t: number, square: number): number {
    const system = this.#system;
    const { workspace, state, trial } = system;
    const { positions, velocities } = system.coordinates;
    const { rows } = system.constraints;
    const { kernels } = workspace;
    let factor = 1;
    for (let halving = 0; ; halving++) {
      kernels.copyVector(positions, state.q, trial.q);
      kernels.axpy(velocities, factor - 1, this.#step, this.#step, this.#trialStep);
      system.coordinates.displace(trial.q, this.#trialStep);
      system.at(t);
      const next = kernels.dot(rows, system.constraints.phi(), system.constraints.phi());
      if (next < square || halving === NEWTON.halvings) return next;
      factor /= 2;
    }
  }
}

// Assembly steps with held bodies, by dense least squares. A body between two held ones has more rows than degrees of
// freedom, so rows are redundant in ways that are not in the plan.
//
// Rejected, but for a first attempt, which is linear in the number of bodies: elimination of S = J M^-1 J^T. It
// squares the distance between rows, and after a weak pivot those of redundant rows become negative, beyond any
// tolerance that separates them from independent ones: in two of a thousand random starts, and in every eighth if
// ranks are not evaluated first.

export class DenseSteps {
  readonly #system: BodySystem;
  readonly #product: Address;
  #unit = new Float64Array(0);
  #image = new Float64Array(0);
  #unitAt: Address = 0;

  /** Reserves memory. Call before the system is sealed. */
  constructor(system: BodySystem) {
    const { workspace } = system;
    const { velocities } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    const unit = workspace.reserve("a velocity alone", velocities);
    const image = workspace.reserve("rates of a velocity alone", rows);
    this.#unitAt = unit.address;
    this.#product = image.address;
    workspace.whenSealed((arena) => {
      this.#unit = arena.floats(unit);
      this.#image = arena.floats(image);
    });
  }

  /**
   * Returns the least x, in the metric of the masses `free`, with J x nearest to `right` at the trial state.
   * Coordinates whose inverse mass in the system is zero are held: their x is zero. Rows are weighted by their own
   * length in that metric.
   */
  solve(right: ArrayLike<number>, free: Float64Array): Float64Array {
    const weights = weightsOf(free);
    const isFree = weightsOf(this.#system.arrays.masses).map((weight) => (weight > 0 ? 1 : 0));
    const columns = Array.from(weights, (weight, i) => this.#column(i, weight));
    const lengths = Array.from({ length: right.length }, (_, row) =>
      Math.sqrt(columns.reduce((sum, column) => sum + column[row]! * column[row]!, 0)),
    );
    const divided = (x: ArrayLike<number>) =>
      Float64Array.from(lengths, (length, row) => (length > 0 ? x[row]! / length : 0));
    const moving = [...isFree.keys()].filter((i) => isFree[i] === 1);
    const factors = leastSquares(
      moving.map((i) => divided(columns[i]!)),
      divided(right),
    );
    const x = new Float64Array(weights.length);
    moving.forEach((i, k) => {
      x[i] = weights[i]! * factors[k]!;
    });
    return x;
  }

  /** A column of J times the weight of its velocity. */
  #column(index: number, weight: number): Float64Array {
    this.#unit.fill(0);
    this.#unit[index] = weight;
    this.#system.constraints.jacobianTimes(this.#unitAt, this.#product);
    return this.#image.slice();
  }
}

/** Square roots of inverse masses and moments, which are isotropic here: x = weight y with the length of y. */
function weightsOf(masses: Float64Array): Float64Array {
  const bodies = masses.length / BodyMass.LENGTH;
  return Float64Array.from({ length: BODY_VELOCITIES * bodies }, (_, i) => {
    const record = BodyMass.LENGTH * Math.floor(i / BODY_VELOCITIES);
    const isLinear = i % BODY_VELOCITIES < 3;
    return Math.sqrt(
      masses[record + (isLinear ? BodyMass.INVERSE_MASS : BodyMass.INVERSE_INERTIA)]!,
    );
  });
}
