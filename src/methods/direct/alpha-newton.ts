import type { Address } from "../../ground/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../ground/memory/stiff-memory.js";
import type { System } from "../../seam/index.js";
import type { PowerSolver } from "../newton/power-matrix.js";
import type { AlphaCoefficients } from "./alpha-coefficients.js";
import type { AlphaMemory } from "./alpha-memory.js";
import { DirectMatrix, type Level } from "./direct-matrix.js";
import { writeBalance } from "./linearisation.js";

/** Iterations of a step at most, and with a matrix of an earlier step. */
const MOST = 30;
const FEW = 8;
/** Parts of the largest coordinate: displacements that are small enough, and those that may be rounding. */
const SMALL = 1e-14;
const ROUNDING = 1e-11;
/** Contraction from which small changes are rounding, and from which iterations diverge. */
const STALLED = 0.3;
const DIVERGENT = 0.95;
/** Where iterations contract as fast as this, the matrix is kept for the next step. */
const FAST = 0.02;

/**
 * Newton's iterations of a step for v' and lambda at its end. With k = beta h^2 (1 - alpha_f) / (1 - alpha_m) a change r of
 * v' moves q by k r and v by gamma h / (beta h^2) k r: the matrix of direct-matrix.ts with alpha = sqrt(k) and w = k r.
 */
export class AlphaNewton {
  /** How the matrix is found. */
  readonly source: string;
  /** Velocities that the step begins with, to be written before {@link solve}. */
  readonly velocity: Address;
  /** v' and lambda at the end. */
  readonly rate: Address;
  readonly lambda: Address;
  readonly #system: System;
  readonly #coefficients: AlphaCoefficients;
  readonly #level: Level;
  readonly #memory: AlphaMemory;
  readonly #stiff: StiffMemory;
  readonly #matrix: DirectMatrix;
  readonly #solver: PowerSolver;
  readonly #right: Address;
  readonly #mu: Address;
  readonly #push: Address;
  readonly #a: Address;
  readonly #move: Address;
  readonly #scratch: Address;
  readonly #all: Address;

  constructor(
    system: System,
    coefficients: AlphaCoefficients,
    level: Level,
    memory: AlphaMemory,
    tolerance: number,
  ) {
    const { workspace, coordinates, constraints } = system;
    const { velocities: n } = coordinates;
    const { rows } = constraints;
    const vector = (what: string, count: number) => workspace.vector(`alpha: ${what}`, count);
    this.#system = system;
    this.#coefficients = coefficients;
    this.#level = level;
    this.#memory = memory;
    this.#stiff = stiffMemory(workspace);
    const damping = this.#perStep * coefficients.gamma;
    this.#matrix = new DirectMatrix(
      system,
      { level, isStage: false, damping: damping / Math.sqrt(this.#perStep * coefficients.beta) },
      tolerance,
    );
    this.#solver = this.#matrix.solver(false);
    this.source = this.#matrix.linearisation.source;
    this.velocity = vector("velocity of the step", n);
    this.rate = vector("rate of v at the end", n);
    this.lambda = vector("multipliers at the end", rows);
    this.#right = vector("right side", this.#matrix.places.size);
    this.#mu = vector("corrections", rows);
    this.#push = vector("change of corrections", rows);
    this.#a = vector("a of an iteration", n);
    this.#move = vector("displacement", n);
    this.#scratch = vector("products", n);
    this.#all = vector("rows of the solution", Math.max(rows, 1));
  }

  /** Chooses rows at the trial state. */
  choose(t: number): void {
    this.#matrix.choose(t);
  }

  /** Finds the end of the step, which is the trial state then. False where iterations do not converge. */
  solve(t: number, h: number, first: Address, rate: Address, lambda: Address): boolean {
    const memory = this.#memory;
    if (memory.factored === h && memory.contraction <= FAST) {
      if (this.#iterate(t, h, first, rate, lambda, false)) return true;
    }
    return this.#iterate(t, h, first, rate, lambda, true);
  }

  /** out = a at the end. */
  writeEnd(first: Address, rate: Address, out: Address): void {
    const { kernels } = this.#system.workspace;
    const { velocities: n } = this.#system.coordinates;
    const { alphaM, alphaF } = this.#coefficients;
    const part = 1 / (1 - alphaM);
    kernels.axpy(n, part * (1 - alphaF) - 1, this.rate, this.rate, out);
    kernels.axpy(n, part * alphaF, rate, out, out);
    kernels.axpy(n, -part * alphaM, first, out, out);
  }

  /** da_{n+1} / dv'_{n+1}. */
  get #perStep(): number {
    const { alphaM, alphaF } = this.#coefficients;
    return (1 - alphaF) / (1 - alphaM);
  }

  #iterate(
    t: number,
    h: number,
    first: Address,
    rate: Address,
    lambda: Address,
    fresh: boolean,
  ): boolean {
    const { workspace, coordinates, constraints, trial } = this.#system;
    const { velocities: n, positions } = coordinates;
    const { kernels } = workspace;
    const memory = this.#memory;
    kernels.copyVector(n, rate, this.rate);
    kernels.copyVector(constraints.rows, lambda, this.lambda);
    this.#stiff.kernels.clearRows(1, constraints.rows, this.#mu);
    let before = 0;
    let contraction = 0;
    this.#place(t, h, first, rate);
    if (fresh) this.#linearise(t + h, h);
    const size = kernels.largestMagnitude(positions, trial.q);
    // Coordinates of joints may all be small, and rounding of the rows follows the size of the mechanism.
    const rounding = ROUNDING * Math.max(size, constraints.residualUnit ?? 1);
    const most = fresh ? MOST : FEW;
    for (let k = 1; k <= most; k++) {
      const change = this.#improve(h);
      this.#place(t, h, first, rate);
      if (!(change < Number.POSITIVE_INFINITY)) return false;
      const quotient = k === 1 ? FAST : change / Math.max(before, Number.MIN_VALUE);
      contraction = Math.max(quotient, k === 1 ? 0 : contraction);
      const isStalled = change <= rounding && quotient > STALLED;
      if (isStalled || change <= SMALL * size) {
        memory.contraction = isStalled ? memory.contraction : contraction;
        return true;
      }
      if (k > 2 && !(quotient < DIVERGENT)) return false;
      before = change;
    }
    return false;
  }

  /** The trial state is what v' and mu lead to. */
  #place(t: number, h: number, first: Address, rate: Address): void {
    const { workspace, coordinates, constraints, trial, state } = this.#system;
    const { velocities: n, positions } = coordinates;
    const { kernels } = workspace;
    const { beta, gamma } = this.#coefficients;
    const a = this.#a;
    const move = this.#move;
    this.writeEnd(first, rate, a);
    kernels.axpy(n, h - 1, this.velocity, this.velocity, move);
    kernels.axpy(n, h * h * (0.5 - beta), first, move, move);
    kernels.axpy(n, h * h * beta, a, move, move);
    kernels.axpy(n, h * (1 - gamma), first, this.velocity, trial.v);
    kernels.axpy(n, h * gamma, a, trial.v, trial.v);
    kernels.copyVector(positions, state.q, trial.q);
    if (this.#level === "both" && constraints.rows > 0) {
      this.#system.at(t);
      constraints.jacobianTransposeTimes(this.#mu, this.#scratch);
      kernels.axpy(n, 1, this.#scratch, move, move);
    }
    coordinates.displace(trial.q, move);
    this.#system.at(t + h);
  }

  #linearise(t: number, h: number): void {
    const memory = this.#memory;
    memory.factored = 0;
    this.#matrix.evaluate(t, this.rate, this.lambda);
    memory.jacobians++;
    memory.factorisations++;
    const row = this.#solver.factor(this.#alpha(h), 0);
    if (row >= 0) throw this.#matrix.singular(row);
    memory.factored = h;
    memory.contraction = 1;
  }

  #alpha(h: number): number {
    return h * Math.sqrt(this.#perStep * this.#coefficients.beta);
  }

  /** Changes v', lambda and mu. Gives the largest displacement by that. */
  #improve(h: number): number {
    const { workspace, coordinates, constraints } = this.#system;
    const { velocities: n } = coordinates;
    const { rows, holonomicRows } = constraints;
    const { kernels } = this.#stiff;
    const { places, partition } = this.#matrix;
    const right = this.#right;
    const alpha = this.#alpha(h);
    const square = alpha * alpha;
    kernels.clearRows(1, places.size, right);
    writeBalance(this.#system, this.rate, this.lambda, this.#scratch, this.#move);
    kernels.multiple(n, square, 0, this.#move, 0, right + 8 * places.motion, 0);
    // Rows on velocities: dv = gamma h / (beta h^2) w.
    const { beta, gamma } = this.#coefficients;
    const ofVelocities = (-beta * h) / gamma;
    const onPositions = this.#level === "positions" ? holonomicRows : 0;
    const offset = 8 * onPositions;
    kernels.multiple(onPositions, -alpha, 0, constraints.phi(), 0, this.#all, 0);
    const phiDot = constraints.phiDot() + offset;
    kernels.multiple(rows - onPositions, ofVelocities, 0, phiDot, 0, this.#all + offset, 0);
    this.#putRows(places.constraints);
    if (this.#level === "both") {
      kernels.multiple(rows, -alpha, 0, constraints.phi(), 0, this.#all, 0);
      this.#putRows(places.closure);
    }
    const core = workspace.kernels;
    core.multiplyEach(places.size, this.#solver.scales, right, right);
    this.#solver.solve(right);
    core.axpy(n, 1 / square, right + 8 * places.w, this.rate, this.rate);
    const { chosenRows, rows: list } = partition;
    const nu = right + 8 * places.multipliers;
    kernels.scatterNegative(rows, chosenRows, list.address, nu, this.#all);
    core.axpy(rows, 1 / square, this.#all, this.lambda, this.lambda);
    if (this.#level === "both") {
      const mu = right + 8 * places.corrections;
      kernels.scatterNegative(rows, chosenRows, list.address, mu, this.#push);
      core.axpy(rows, -1, this.#push, this.#mu, this.#mu);
    }
    return core.largestMagnitude(n, right + 8 * places.x);
  }

  /** The chosen ones of all rows. */
  #putRows(to: number): void {
    const { kernels } = this.#stiff;
    const { chosenRows, rows } = this.#matrix.partition;
    kernels.gather(chosenRows, rows.address, this.#all, this.#right + 8 * to);
  }
}
