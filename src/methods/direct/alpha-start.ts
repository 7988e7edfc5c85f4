import type { Address } from "../../ground/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../ground/memory/stiff-memory.js";
import type { ConstraintSolver, System } from "../../seam/index.js";
import type { AlphaCoefficients } from "./alpha-coefficients.js";

/** Part of a step over which accelerations are differenced at a start. */
const PART = 0.5;

/**
 * What keeps the multipliers of generalised-alpha methods at order 2 (Arnold, Bruels and Cardona, Numer. Math. 129 (2015)
 * 149-179): a_0 is not v' but v'(t_0 + shift h), and in the index-3 form the first velocity is off the constraints by
 * what the method itself leaves in every step. Started naively, lambda is wrong by O(h), with a sign that changes.
 */
export class AlphaStart {
  readonly #system: System;
  readonly #coefficients: AlphaCoefficients;
  readonly #solver: ConstraintSolver;
  readonly #stiff: StiffMemory;
  readonly #move: Address;
  readonly #one: Address;
  readonly #two: Address;
  readonly #right: Address;

  constructor(system: System, coefficients: AlphaCoefficients, solver: ConstraintSolver) {
    const { workspace, coordinates, constraints } = system;
    const { velocities: n } = coordinates;
    this.#system = system;
    this.#coefficients = coefficients;
    this.#solver = solver;
    this.#stiff = stiffMemory(workspace);
    this.#move = workspace.vector("alpha: displacement of a start", n);
    this.#one = workspace.vector("alpha: first accelerations of a start", n);
    this.#two = workspace.vector("alpha: second accelerations of a start", n);
    this.#right = workspace.vector("alpha: residuals of a start", constraints.rows);
  }

  /**
   * out = v'' at the accepted state, by accelerations there and at two states ahead, (-3 a + 4 a_1 - a_2) / (2 s): within
   * the step, for functions may not be defined before the start. The states are those of Taylor's series.
   */
  writeJerk(t: number, h: number, rate: Address, out: Address): void {
    const { workspace, coordinates } = this.#system;
    const { velocities: n } = coordinates;
    const { kernels } = workspace;
    const s = PART * h;
    this.#ahead(t, s, rate, this.#one);
    this.#ahead(t, 2 * s, rate, this.#two);
    kernels.axpy(n, 4 / (2 * s) - 1, this.#one, this.#one, out);
    kernels.axpy(n, -1 / (2 * s), this.#two, out, out);
    kernels.axpy(n, -3 / (2 * s), rate, out, out);
    this.#system.load(t);
  }

  /**
   * Puts the velocity v of a step of length h on the constraints, and then off them by as much as makes the accelerations
   * a and a + h jerk at both ends lead to positions on the constraints: -minnorm(Phi) / h, some c h^2 v'' along J^T. That
   * is where the velocities of steps of equal length stay. Rejected: the same where the length of steps changes. The
   * accelerations of a step would be those foretold, and those of many steps a straight line.
   */
  perturb(t: number, h: number, a: Address, jerk: Address, v: Address): void {
    const { workspace, coordinates, constraints, trial } = this.#system;
    const { velocities: n } = coordinates;
    const { rows, holonomicRows } = constraints;
    const { kernels } = workspace;
    const { beta } = this.#coefficients;
    if (rows === 0) return;
    const right = this.#right;
    this.#negate(rows, constraints.phiDot());
    this.#solver.minnorm(1, right, this.#one);
    kernels.axpy(n, 1, this.#one, v, v);
    const move = this.#move;
    kernels.axpy(n, h - 1, v, v, move);
    kernels.axpy(n, h * h * 0.5, a, move, move);
    kernels.axpy(n, h * h * h * beta, jerk, move, move);
    coordinates.displace(trial.q, move);
    this.#system.at(t + h);
    this.#negate(holonomicRows, constraints.phi());
    this.#solver.minnorm(1, right, this.#one);
    kernels.axpy(n, 1 / h, this.#one, v, v);
    this.#system.load(t);
  }

  /** right = -residual in the first rows, zero in the others. */
  #negate(count: number, residual: Address): void {
    const { workspace, constraints } = this.#system;
    const { kernels } = workspace;
    const right = this.#right;
    this.#stiff.kernels.clearRows(1, constraints.rows, right);
    kernels.axpy(count, -1, residual, right, right);
  }

  /** out = accelerations a while after the accepted state. */
  #ahead(t: number, duration: number, rate: Address, out: Address): void {
    const { workspace, coordinates, constraints, trial, state } = this.#system;
    const { velocities: n, positions } = coordinates;
    const { kernels } = workspace;
    const move = this.#move;
    kernels.copyVector(positions, state.q, trial.q);
    kernels.axpy(n, duration - 1, state.v, state.v, move);
    kernels.axpy(n, (duration * duration) / 2, rate, move, move);
    coordinates.displace(trial.q, move);
    kernels.axpy(n, duration, rate, state.v, trial.v);
    this.#system.at(t + duration);
    this.#solver.accelerate(constraints.gamma(), out);
  }
}
