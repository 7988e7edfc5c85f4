import { BODY_VELOCITIES } from "../../../assembly/layout-bodies.js";
import type { Address, Arena, Segment } from "../../ground/memory/arena.js";
import type { BodyAccess, System } from "../../seam/index.js";
import { type Correction, iterate, Size, sizesOf } from "../../seam/projection/iteration.js";
import { NearestStep } from "../../seam/projection/nearest-step.js";
import { impactImpulses } from "./complementarity.js";

/** Smaller velocity residuals are rounding and give no impulse. */
const ROUNDING = 1e-12;
/** Residuals above this are not rounding: rows that are not linear in the velocities may halve them late. */
const NONLINEAR_RESIDUAL = 1e-6;
/** Newton iterations at most. */
const ITERATIONS = 20;
/** Displacement of differences of `when`. */
const STEP = 2 ** -15;

/** A contact that is struck: of bodies. */
export interface Struck {
  readonly restitution: number;
  /**
   * Writes the covector of what closes it at the trial state, by velocities of the bodies, and gives its rate: positive where it
   * closes.
   */
  closing(bodies: BodyAccess, out: Float64Array): number;
}

/** Impulses of contacts, and their rates on both sides of the impact. */
export interface Strike {
  readonly impulses: readonly number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/**
 * Velocities that jump. With impulses L of the constraints, and l along a covector g,
 *
 *   M (v+ - v-) = J^T L + g l,   J v+ + dPhi/dt = 0
 *
 * The multipliers of the motion are affine in their right-hand side, l(r) = S^+ (r - J M^-1 Q) with
 * S = J M^-1 J^T, so that S^+ r is the difference of those for r and for zero: no solver of its own is needed.
 */
export class Impulses {
  readonly #system: System;
  readonly #negligible: number;
  readonly #step: NearestStep;
  readonly #zero: Address;
  readonly #multipliers: Segment;
  readonly #none: Segment;
  readonly #covector: Segment;
  readonly #onBodies: Segment;
  readonly #direction: Segment;
  readonly #onto: Correction;
  readonly #sum: Float64Array;
  readonly #kept: Address;
  #arena!: Arena;

  /** Impulses that are not more than the part `negligible` of the largest are rounding. */
  constructor(system: System, negligible = 0) {
    const { workspace } = system;
    this.#negligible = negligible;
    const { velocities, positions } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    this.#step = new NearestStep(system, "impulses");
    this.#zero = workspace.vector("impulses: zero", rows);
    this.#multipliers = workspace.reserve("impulses", rows);
    this.#none = workspace.reserve("impulses: none", rows);
    this.#covector = workspace.reserve("impulses: covector", velocities);
    this.#direction = workspace.reserve("impulses: direction", velocities);
    const bodies = system.bodies?.count ?? 0;
    this.#onBodies = workspace.reserve("impulses: on bodies", BODY_VELOCITIES * bodies);
    this.#kept = workspace.vector("impulses: positions", positions);
    this.#sum = new Float64Array(rows);
    this.#onto = this.#correction();
    workspace.whenSealed((arena) => {
      this.#arena = arena;
    });
  }

  /** Clears the impulses reported before. */
  clear(): void {
    this.#sum.fill(0);
  }

  /** Impulses since they were cleared, by the names of the rows; those of rows that carry none are left out. */
  byRow(): Record<string, number> {
    const entries = this.#system.constraints.rowNames.map(
      (name, row) => [name, this.#sum[row] as number] as const,
    );
    const largest = this.#sum.reduce((most, impulse) => Math.max(most, Math.abs(impulse)), 0);
    const carries = (impulse: number) => !(Math.abs(impulse) <= this.#negligible * largest);
    return Object.fromEntries(entries.filter(([, impulse]) => carries(impulse)));
  }

  /**
   * Projects the velocities of the accepted state onto the constraints, and adds the impulses of that. Returns the
   * largest residual left.
   */
  projectVelocities(t: number): number {
    this.#system.load(t);
    iterate(this.#onto, ITERATIONS);
    return this.#onto.sizes[Size.ERROR]!;
  }

  /** Velocity constraints need not be linear: Newton's iteration, as for a start. */
  #correction(): Correction {
    const system = this.#system;
    const { workspace, state, constraints, coordinates } = system;
    const step = this.#step;
    const move = (way: 1 | -1) => {
      workspace.kernels.axpy(coordinates.velocities, way, step.address, state.v, state.v);
      system.load(system.time);
    };
    const sizes = sizesOf(ROUNDING);
    return {
      sizes,
      measure() {
        const rate = constraints.phiDot();
        sizes[Size.ERROR] = workspace.kernels.largestMagnitude(constraints.rows, rate);
      },
      correct: () => {
        step.negate(constraints.phiDot());
        this.#find();
        step.find(constraints.phiDot());
        move(1);
      },
      keep: () => this.#add(1),
      undo: () => move(-1),
      refresh: () => sizes[Size.ERROR]! > NONLINEAR_RESIDUAL,
    };
  }

  /**
   * Turns the rate of a function of the positions around, times a coefficient of restitution, with the
   * constraints holding: v+ = v + l w, w = M^-1 g - minnorm(J M^-1 g), l = -(1 + restitution) rate / g.w.
   * Gives l; 0 where the rate does not go the way given (1: rising, -1: falling): separating contacts are unchanged.
   */
  bounce(t: number, restitution: number, way: number, value: (t: number) => number): number {
    const system = this.#system;
    const { kernels } = system.workspace;
    const { v } = system.state;
    const { velocities } = system.coordinates;
    const [g, w] = [this.#covector.address, this.#direction.address];
    const ofTime = this.#differentiate(t, value);
    system.load(t);
    this.#turn();
    const size = kernels.dot(velocities, g, w);
    const rate = kernels.dot(velocities, g, v) + ofTime;
    if (!(size > 0 && rate * way > 0)) return 0;
    const impulse = (-(1 + restitution) * rate) / size;
    this.#find();
    this.#add(impulse);
    kernels.axpy(velocities, impulse, w, v, v);
    return impulse;
  }

  /** Strikes contacts together at the accepted state, with the constraints holding. */
  strike(t: number, contacts: readonly Struck[]): Strike {
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
      this.#turn();
      this.#find();
      covectors.push(this.#arena.floats(this.#covector).slice());
      directions.push(this.#arena.floats(this.#direction).slice());
      const [one, other] = [this.#arena.floats(this.#multipliers), this.#arena.floats(this.#none)];
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

  /** w = M^-1 g - minnorm(J M^-1 g): the velocities that an impulse along the covector g gives. */
  #turn(): void {
    const system = this.#system;
    const [g, w] = [this.#covector.address, this.#direction.address];
    const solver = system.dynamics.solver("auto");
    solver.factor();
    solver.massSolve(g, w);
    system.constraints.jacobianTimes(w, this.#none.address);
    this.#step.find(this.#none.address);
    system.workspace.kernels.axpy(system.coordinates.velocities, 1, this.#step.address, w, w);
  }

  /** Finds S^+ r at the trial state, r the right-hand side of the step: as the difference of two multipliers. */
  #find(): void {
    const solver = this.#system.dynamics.solver("auto");
    solver.multipliers(this.#step.right, this.#multipliers.address);
    solver.multipliers(this.#zero, this.#none.address);
  }

  /** Adds scale times what was found. */
  #add(scale: number): void {
    const [one, other] = [this.#arena.floats(this.#multipliers), this.#arena.floats(this.#none)];
    for (let i = 0; i < this.#sum.length; i++) {
      this.#sum[i] = this.#sum[i]! + scale * (one[i]! - other[i]!);
    }
  }

  /** Writes the derivative of a function of the accepted positions, and gives that by time. */
  #differentiate(t: number, value: (t: number) => number): number {
    const { system } = this;
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const { kernels } = workspace;
    const covector = this.#arena.floats(this.#covector);
    const step = this.#arena.floats(this.#direction);
    kernels.copyVector(positions, state.q, this.#kept);
    const at = (index: number, distance: number) => {
      step.fill(0);
      step[index] = distance;
      kernels.copyVector(positions, this.#kept, state.q);
      system.coordinates.displace(state.q, this.#direction.address);
      return value(t);
    };
    for (let i = 0; i < velocities; i++) {
      covector[i] = slopeOf((distance) => at(i, distance));
    }
    kernels.copyVector(positions, this.#kept, state.q);
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
  const near = (value(STEP) - value(-STEP)) / (2 * STEP);
  const far = (value(2 * STEP) - value(-2 * STEP)) / (4 * STEP);
  return near + (near - far) / 3;
}
