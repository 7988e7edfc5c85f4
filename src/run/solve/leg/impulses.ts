import type { Address, Arena, Segment } from "../../../ground/memory/arena.js";
import type { System } from "../../../seam/methods.js";

/** Velocity residuals below this are rounding: no impulse is told. */
const ROUNDING = 1e-12;
/** Newton iterations at most. */
const ITERATIONS = 20;
/** Displacement of differences of `when`. */
const STEP = 2 ** -15;

/**
 * Velocities that jump. With impulses L of the constraints, and l along a covector g,
 *
 *   M (v+ - v-) = J^T L + g l,   J v+ + dPhi/dt = 0
 *
 * The multipliers of the motion are affine in their right side, l(r) = S^+ (r - J M^-1 Q) with
 * S = J M^-1 J^T, so that S^+ r is the difference of those for r and for zero: no solver of its own is needed.
 */
export class Impulses {
  readonly #system: System;
  readonly #right: Segment;
  readonly #zero: Address;
  readonly #multipliers: Segment;
  readonly #none: Segment;
  readonly #covector: Segment;
  readonly #direction: Segment;
  readonly #correction: Address;
  readonly #sum: Float64Array;
  readonly #kept: Address;
  #arena!: Arena;

  constructor(system: System) {
    const { workspace, rows, velocities, positions } = system;
    this.#system = system;
    this.#right = workspace.reserve("impulses: right side", rows);
    this.#zero = workspace.vector("impulses: zero", rows);
    this.#multipliers = workspace.reserve("impulses", rows);
    this.#none = workspace.reserve("impulses: none", rows);
    this.#covector = workspace.reserve("impulses: covector", velocities);
    this.#direction = workspace.reserve("impulses: direction", velocities);
    this.#correction = workspace.vector("impulses: correction", velocities);
    this.#kept = workspace.vector("impulses: positions", positions);
    this.#sum = new Float64Array(rows);
    workspace.whenSealed((arena) => {
      this.#arena = arena;
    });
  }

  /** Forgets impulses told before. */
  clear(): void {
    this.#sum.fill(0);
  }

  /** Impulses since they were cleared, by the names of the rows; those of rows that carry none are left out. */
  told(): Record<string, number> {
    const entries = this.#system.rowNames.map(
      (name, row) => [name, this.#sum[row] as number] as const,
    );
    return Object.fromEntries(entries.filter(([, impulse]) => impulse !== 0));
  }

  /**
   * Brings the velocities of the accepted state onto the constraints, and adds the impulses of that. Gives the
   * largest residual left.
   */
  bringOn(t: number): number {
    const { system, kernels } = this.#load(t);
    const { rows, velocities, positions, state } = system;
    const right = this.#right.address;
    const v = state + 8 * positions;
    let error = kernels.largestMagnitude(rows, system.phiDot());
    // Velocity constraints need not be linear: Newton's iteration, as for a start.
    for (let i = 0; i < ITERATIONS && error > ROUNDING; i++) {
      kernels.stabilisedRight(rows, 1, 0, this.#zero, system.phiDot(), this.#zero, right);
      this.#add(1);
      system.solver("auto").minnorm(1, right, this.#correction);
      kernels.axpy(velocities, 1, this.#correction, v, v);
      this.#load(t);
      const next = kernels.largestMagnitude(rows, system.phiDot());
      const halved = next <= error / 2;
      error = next;
      if (!halved) break;
    }
    return error;
  }

  /**
   * Turns the rate of a function of the positions around, times a coefficient of restitution, with the
   * constraints holding: v+ = v + l w, w = M^-1 g - minnorm(J M^-1 g), l = -(1 + restitution) rate / g.w.
   * Gives l; 0 where the rate does not go the way given (1: rising, -1: falling): what leaves by itself is
   * left alone.
   */
  bounce(t: number, restitution: number, way: number, value: (t: number) => number): number {
    const { system, kernels } = this.#load(t);
    const { velocities, positions, state, rows } = system;
    const [g, w] = [this.#covector.address, this.#direction.address];
    const v = state + 8 * positions;
    const ofTime = this.#differentiate(t, value);
    this.#load(t);
    const solver = system.solver("auto");
    solver.factor();
    solver.massSolve(g, w);
    system.jacobianTimes(w, this.#none.address);
    kernels.stabilisedRight(
      rows,
      1,
      0,
      this.#zero,
      this.#none.address,
      this.#zero,
      this.#right.address,
    );
    solver.minnorm(1, this.#right.address, this.#correction);
    kernels.axpy(velocities, 1, this.#correction, w, w);
    const size = kernels.dot(velocities, g, w);
    const rate = kernels.dot(velocities, g, v) + ofTime;
    if (!(size > 0 && rate * way > 0)) return 0;
    const impulse = (-(1 + restitution) * rate) / size;
    this.#add(impulse);
    kernels.axpy(velocities, impulse, w, v, v);
    return impulse;
  }

  /** Adds scale S^+ right at the state announced. */
  #add(scale: number): void {
    const solver = this.#system.solver("auto");
    solver.multipliers(this.#right.address, this.#multipliers.address);
    solver.multipliers(this.#zero, this.#none.address);
    const [one, other] = [this.#arena.floats(this.#multipliers), this.#arena.floats(this.#none)];
    for (let i = 0; i < this.#sum.length; i++) {
      this.#sum[i] = this.#sum[i]! + scale * (one[i]! - other[i]!);
    }
  }

  /** Writes the derivative of a function of the accepted positions, and gives that by time. */
  #differentiate(t: number, value: (t: number) => number): number {
    const { system } = this;
    const { workspace, positions, velocities, state } = system;
    const { kernels } = workspace;
    const covector = this.#arena.floats(this.#covector);
    const step = this.#arena.floats(this.#direction);
    kernels.copyVector(positions, state, this.#kept);
    const at = (index: number, distance: number) => {
      step.fill(0);
      step[index] = distance;
      kernels.copyVector(positions, this.#kept, state);
      system.displace(state, this.#direction.address);
      return value(t);
    };
    for (let i = 0; i < velocities; i++) {
      covector[i] = slopeOf((distance) => at(i, distance));
    }
    kernels.copyVector(positions, this.#kept, state);
    return slopeOf((distance) => value(t + distance));
  }

  get system(): System {
    return this.#system;
  }

  #load(t: number) {
    const system = this.#system;
    const { workspace, positions, velocities, state, trial } = system;
    workspace.kernels.copyVector(positions + velocities, state, trial);
    system.at(t);
    return { system, kernels: workspace.kernels };
  }
}

/** The derivative at zero, by central differences of fourth order. */
function slopeOf(value: (distance: number) => number): number {
  const near = (value(STEP) - value(-STEP)) / (2 * STEP);
  const far = (value(2 * STEP) - value(-2 * STEP)) / (4 * STEP);
  return near + (near - far) / 3;
}
