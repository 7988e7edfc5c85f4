import { BODY_VELOCITIES } from "../../../assembly/layout-bodies.js";
import type { Address, Arena, Segment } from "../../base/memory/arena.js";
import type { BodyAccess, System } from "../../interfaces/index.js";
import {
  type Correction,
  iterate,
  NearestStep,
  plainCorrection,
  Size,
  sizesOf,
} from "../../interfaces/projection/projector.js";

/** Velocity residuals below this are rounding and cause no impulse. */
const VELOCITY_TOLERANCE = 1e-12;
/** Residuals above this are not rounding: rows that are not linear in the velocities may halve them late. */
const NONLINEAR_RESIDUAL = 1e-6;
/** Maximum Newton iterations. */
const MAX_ITERATIONS = 20;
/** Displacement for finite differences of `when`. */
const DIFFERENCE_STEP = 2 ** -15;

/** A contact between bodies that takes part in an impact. */
export interface ImpactContact {
  readonly restitution: number;
  /**
   * Writes the covector of its closing motion at the trial state, by velocities of the bodies, and returns the
   * closing rate: positive if it closes.
   */
  closing(bodies: BodyAccess, out: Float64Array): number;
}

/** Impulses of contacts, and their rates before and after the impact. */
export interface ImpactResult {
  readonly impulses: readonly number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/**
 * Velocity jumps. With impulses L of the constraints, and l along a covector g,
 *
 *   M (v+ - v-) = J^T L + g l,   J v+ + dPhi/dt = 0
 *
 * The multipliers of the motion are affine in their right-hand side, l(r) = S^+ (r - J M^-1 Q) with S = J M^-1 J^T,
 * so that S^+ r is the difference of those for r and for zero: no separate solver is needed.
 */
export class Impulses {
  readonly #system: System;
  readonly #negligible: number;
  readonly #step: NearestStep;
  readonly #zero: Address;
  readonly #multipliers: Segment;
  readonly #zeroMultipliers: Segment;
  readonly #covector: Segment;
  readonly #onBodies: Segment;
  readonly #direction: Segment;
  readonly #velocityCorrection: Correction;
  readonly #sum: Float64Array;
  readonly #savedPositions: Address;
  #arena!: Arena;

  /** Impulses up to the fraction `negligible` of the largest are rounding. */
  constructor(system: System, negligible = 0) {
    const { workspace } = system;
    this.#negligible = negligible;
    const { velocities, positions } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    this.#step = new NearestStep(system, "impulses");
    this.#zero = workspace.vector("impulses: zero", rows);
    this.#multipliers = workspace.reserve("impulses", rows);
    this.#zeroMultipliers = workspace.reserve("impulses: none", rows);
    this.#covector = workspace.reserve("impulses: covector", velocities);
    this.#direction = workspace.reserve("impulses: direction", velocities);
    const bodies = system.bodies?.count ?? 0;
    this.#onBodies = workspace.reserve("impulses: on bodies", BODY_VELOCITIES * bodies);
    this.#savedPositions = workspace.vector("impulses: positions", positions);
    this.#sum = new Float64Array(rows);
    this.#velocityCorrection = this.#correction();
    workspace.whenSealed((arena) => {
      this.#arena = arena;
    });
  }

  /** Clears the accumulated impulses. */
  clear(): void {
    this.#sum.fill(0);
  }

  /** Returns the accumulated impulses by row name, without rows that carry none. */
  byRow(): Record<string, number> {
    const entries = this.#system.constraints.rowNames.map(
      (name, row) => [name, this.#sum[row] as number] as const,
    );
    const largest = this.#sum.reduce((most, impulse) => Math.max(most, Math.abs(impulse)), 0);
    const carries = (impulse: number) => !(Math.abs(impulse) <= this.#negligible * largest);
    return Object.fromEntries(entries.filter(([, impulse]) => carries(impulse)));
  }

  /**
   * Projects the velocities of the accepted state onto the constraints, and adds the impulses of the projection.
   * Returns the largest residual left.
   */
  projectVelocities(t: number): number {
    this.#system.load(t);
    iterate(this.#velocityCorrection, MAX_ITERATIONS);
    return this.#velocityCorrection.sizes[Size.ERROR]!;
  }

  /** Velocity constraints need not be linear: Newton's iteration, as for an initial state. */
  #correction(): Correction {
    const system = this.#system;
    const { workspace, state, constraints, coordinates } = system;
    const step = this.#step;
    const move = (sign: 1 | -1) => {
      workspace.kernels.axpy(coordinates.velocities, sign, step.address, state.v, state.v);
      system.load(system.time);
    };
    const sizes = sizesOf(VELOCITY_TOLERANCE);
    return {
      ...plainCorrection(sizes),
      measure() {
        const rate = constraints.phiDot();
        sizes[Size.ERROR] = workspace.kernels.largestMagnitude(constraints.rows, rate);
      },
      correct: () => {
        step.negate(constraints.phiDot());
        this.#computeImpulses();
        step.find(constraints.phiDot());
        move(1);
      },
      keep: () => this.#add(1),
      undo: () => move(-1),
      refresh: () => sizes[Size.ERROR]! > NONLINEAR_RESIDUAL,
    };
  }

  /**
   * Reverses the rate of a function of the positions, scaled by the coefficient of restitution, under the
   * constraints: v+ = v + l w, w = M^-1 g - minnorm(J M^-1 g), l = -(1 + restitution) rate / g.w. Returns l; 0 unless
   * the rate has the given sign (1: rising, -1: falling): separating contacts are unchanged.
   */
  bounce(t: number, restitution: number, sign: number, value: (t: number) => number): number {
    const system = this.#system;
    const { kernels } = system.workspace;
    const { v } = system.state;
    const { velocities } = system.coordinates;
    const [g, w] = [this.#covector.address, this.#direction.address];
    const timeDerivative = this.#differentiate(t, value);
    system.load(t);
    this.#velocityChange();
    const size = kernels.dot(velocities, g, w);
    const rate = kernels.dot(velocities, g, v) + timeDerivative;
    if (!(size > 0 && rate * sign > 0)) return 0;
    const impulse = (-(1 + restitution) * rate) / size;
    this.#computeImpulses();
    this.#add(impulse);
    kernels.axpy(velocities, impulse, w, v, v);
    return impulse;
  }

  /** Applies simultaneous impacts at the accepted state, under the constraints. */
  applyImpacts(t: number, contacts: readonly ImpactContact[]): ImpactResult {
    const system = this.#system;
    const { velocities } = system.coordinates;
    const { v } = system.state;
    const { kernels } = system.workspace;
    const w = this.#direction.address;
    system.load(t);
    const covectors: Float64Array[] = [];
    const directions: Float64Array[] = [];
    const shares: Float64Array[] = [];
    const before = contacts.map((contact) => {
      const bodies = system.bodies as BodyAccess;
      const rate = contact.closing(bodies, this.#arena.floats(this.#onBodies));
      bodies.forces(this.#onBodies.address, this.#covector.address);
      this.#velocityChange();
      this.#computeImpulses();
      covectors.push(this.#arena.floats(this.#covector).slice());
      directions.push(this.#arena.floats(this.#direction).slice());
      const [one, other] = [
        this.#arena.floats(this.#multipliers),
        this.#arena.floats(this.#zeroMultipliers),
      ];
      shares.push(one.map((value, i) => value - other[i]!));
      return rate;
    });
    const W = covectors.map((one) => Float64Array.from(directions, (other) => dotOf(one, other)));
    const target = before.map((rate, i) => rate + contacts[i]!.restitution * Math.max(rate, 0));
    const impulses = impactImpulses(W, target);
    for (const [i, impulse] of impulses.entries()) {
      this.#arena.floats(this.#direction).set(directions[i]!);
      kernels.axpy(velocities, -impulse, w, v, v);
      for (const [row, share] of shares[i]!.entries()) {
        this.#sum[row] = this.#sum[row]! - impulse * share;
      }
    }
    const after = before.map((rate, i) => rate - dotOf(W[i]!, impulses));
    return { impulses, before, after };
  }

  /** Computes w = M^-1 g - minnorm(J M^-1 g), the velocity change caused by a unit impulse along the covector g. */
  #velocityChange(): void {
    const system = this.#system;
    const [g, w] = [this.#covector.address, this.#direction.address];
    const solver = system.dynamics.solver("auto");
    solver.factor();
    solver.massSolve(g, w);
    system.constraints.jacobianTimes(w, this.#zeroMultipliers.address);
    this.#step.find(this.#zeroMultipliers.address);
    system.workspace.kernels.axpy(system.coordinates.velocities, 1, this.#step.address, w, w);
  }

  /**
   * Computes S^+ r at the trial state, where r is the right-hand side of the step, as the difference of two
   * multipliers.
   */
  #computeImpulses(): void {
    const solver = this.#system.dynamics.solver("auto");
    solver.multipliers(this.#step.right, this.#multipliers.address);
    solver.multipliers(this.#zero, this.#zeroMultipliers.address);
  }

  /** Adds `scale` times the computed impulses. */
  #add(scale: number): void {
    const [one, other] = [
      this.#arena.floats(this.#multipliers),
      this.#arena.floats(this.#zeroMultipliers),
    ];
    for (let i = 0; i < this.#sum.length; i++) {
      this.#sum[i] = this.#sum[i]! + scale * (one[i]! - other[i]!);
    }
  }

  /** Writes the derivative of a function of the accepted positions, and returns its time derivative. */
  #differentiate(t: number, value: (t: number) => number): number {
    const { system } = this;
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const { kernels } = workspace;
    const covector = this.#arena.floats(this.#covector);
    const step = this.#arena.floats(this.#direction);
    kernels.copyVector(positions, state.q, this.#savedPositions);
    const at = (index: number, distance: number) => {
      step.fill(0);
      step[index] = distance;
      kernels.copyVector(positions, this.#savedPositions, state.q);
      system.coordinates.displace(state.q, this.#direction.address);
      return value(t);
    };
    for (let i = 0; i < velocities; i++) {
      covector[i] = slopeOf((distance) => at(i, distance));
    }
    kernels.copyVector(positions, this.#savedPositions, state.q);
    return slopeOf((distance) => value(t + distance));
  }

  get system(): System {
    return this.#system;
  }
}

function dotOf(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!;
  return sum;
}

/** The derivative at zero, by central differences of fourth order. */
function slopeOf(value: (distance: number) => number): number {
  const near = (value(DIFFERENCE_STEP) - value(-DIFFERENCE_STEP)) / (2 * DIFFERENCE_STEP);
  const far = (value(2 * DIFFERENCE_STEP) - value(-2 * DIFFERENCE_STEP)) / (4 * DIFFERENCE_STEP);
  return near + (near - far) / 3;
}

// Simultaneous impacts at several stops. With rates r of the contacts (positive if they close) before the impact,
// impulses l >= 0 that open them, W l the rates they remove, and coefficients of restitution e, Moreau's law is
//
//   0 <= l   perpendicular to   W l - r - e max(r, 0) >= 0
//
// (Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988): contacts with an impulse leave at e
// times their closing speed, others leave faster. W is symmetric positive semidefinite: the active set is found by
// exchanging the worst contact (Keller), each set solved exactly. Rejected: one contact after the other, whose result
// depends on their order if a mechanism is symmetric.

/** Rates closer than this fraction of the largest are equal. */
const RATE_TOLERANCE = 1e-12;

/** Returns the impulses l; `target` is r + e max(r, 0). W is row-major. */
export function impactImpulses(W: readonly Float64Array[], target: readonly number[]): number[] {
  const count = target.length;
  const size = target.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const active = target.map((value) => value > 0);
  let impulses: number[] = [];
  // Each exchange lowers the remaining energy, so only finitely many sets occur.
  for (let exchange = 0; exchange < 4 * count + 8; exchange++) {
    impulses = solveActive(W, target, active);
    const pulled = indexOfLargest(impulses.map((value, i) => (active[i] ? -value : 0)));
    if (pulled >= 0) {
      active[pulled] = false;
      continue;
    }
    const short = target.map((value, i) =>
      active[i] ? 0 : value - product(W[i]!, impulses) - RATE_TOLERANCE * size,
    );
    const closing = indexOfLargest(short);
    if (closing < 0) return impulses;
    active[closing] = true;
  }
  return impulses.map((value) => Math.max(value, 0));
}

/** Index of the largest positive value; -1 if none is positive. */
function indexOfLargest(values: readonly number[]): number {
  let index = -1;
  for (const [i, value] of values.entries()) {
    if (value > 0 && (index < 0 || value > values[index]!)) index = i;
  }
  return index;
}

function product(row: Float64Array, x: readonly number[]): number {
  return x.reduce((sum, value, i) => sum + row[i]! * value, 0);
}

/** Solves W l = target on the active set by elimination; l is zero elsewhere. Dependent contacts carry no impulse. */
function solveActive(
  W: readonly Float64Array[],
  target: readonly number[],
  active: readonly boolean[],
): number[] {
  const set = target.flatMap((_, i) => (active[i] ? [i] : []));
  const rows = set.map((i) => [...set.map((j) => W[i]![j]!), target[i]!]);
  const pivots: number[] = [];
  for (const [k, row] of rows.entries()) {
    const largest = W[set[k]!]![set[k]!]!;
    if (!(row[k]! > 1e-10 * largest)) {
      pivots.push(-1);
      continue;
    }
    pivots.push(k);
    for (const other of rows) {
      if (other === row) continue;
      const factor = other[k]! / row[k]!;
      for (let j = 0; j < row.length; j++) other[j] = other[j]! - factor * row[j]!;
    }
  }
  const found = target.map(() => 0);
  for (const [k, pivot] of pivots.entries()) {
    if (pivot >= 0) found[set[k]!] = rows[k]!.at(-1)! / rows[k]![k]!;
  }
  return found;
}
