import { SimulationError } from "../../ground/errors.js";
import type { Address } from "../../ground/memory/arena.js";
import type { ConstraintSolver } from "../../seam/index.js";
import type { AddedForces, EquationQuantities } from "./quantities.js";

/** Changes of C, relative to the forces, that end the iteration; and those that are an answer when it no longer converges. */
const ENOUGH = 2 * Number.EPSILON;
const ACCEPTED = 1e-12;

const ITERATIONS = 100;

/**
 * Forces C of constraints that are not ideal (Udwadia and Kalaba, Int. J. Non-Linear Mech. 37, 2002; Laulusa and Bauchau
 * 2008, 2.2.4; Braun and Goldfarb 2009, 4.6):
 *
 *   M a = Q + C + J^T lambda,   J a = gamma
 *
 * C is given as a law, of which only the work in displacements that the constraints allow matters: what else it has, lambda
 * takes away. So it may be added to Q, and every formulation, stabilisation and coupled method is right for it. Where it
 * depends on lambda, the two are found in turn, from C = 0 on: lambda with the forces Q + C, then C. Lambda is that of the
 * motion without stabilisation, which is no force.
 */
export class NonIdealForces implements AddedForces {
  readonly #system: EquationQuantities;
  readonly #solver: ConstraintSolver;
  readonly #multipliers: Address;
  readonly #applied: Address;
  readonly #address: Address;
  readonly #iterations: number;
  #views!: Record<"multipliers" | "force" | "applied", Float64Array>;

  /** Reserves memory; the solver is the one that methods use, so that nothing is factored twice. */
  constructor(system: EquationQuantities, solver: ConstraintSolver) {
    const { workspace, velocities: n, rows } = system;
    this.#system = system;
    this.#solver = solver;
    this.#iterations = system.equations.description.nonIdeal?.iterations ?? ITERATIONS;
    const multipliers = workspace.reserve("multipliers of the law", rows);
    const force = workspace.reserve("forces of the law", n);
    const applied = workspace.reserve("applied forces", n);
    this.#multipliers = multipliers.address;
    this.#address = force.address;
    this.#applied = applied.address;
    workspace.whenSealed((arena) => {
      this.#views = {
        multipliers: arena.floats(multipliers),
        force: arena.floats(force),
        applied: arena.floats(applied),
      };
    });
  }

  get applied(): Float64Array {
    return this.#views.applied;
  }

  add(forces: Address): void {
    const { workspace, velocities: n } = this.#system;
    const { kernels } = workspace;
    const { force, applied } = this.#views;
    kernels.copyVector(n, this.#applied, forces);
    force.fill(0);
    let before = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#iterations; i++) {
      const change = this.#next(forces);
      const size = Math.max(largest(applied), largest(force));
      if (change <= ENOUGH * size) return;
      if (!(change < before) && change <= ACCEPTED * size) return;
      before = change;
    }
    const { name, time } = this.#system;
    throw new SimulationError(
      "EVALUATION",
      time,
      `${name}: nonIdeal.force and the multipliers do not settle at t = ${time}, after ${this.#iterations} iterations: with ` +
        "friction this strong they may not determine each other, or the law is not continuous. Try less friction, or a " +
        "smoother law",
    );
  }

  power(): number {
    const { workspace, velocities, trial } = this.#system;
    this.#system.forces();
    return workspace.kernels.dot(velocities, this.#address, trial.v);
  }

  /** Finds lambda for the forces there are, then C for lambda. Returns by how much C has changed. */
  #next(forces: Address): number {
    const system = this.#system;
    const { workspace, velocities: n, functions, views, time } = system;
    const { multipliers, force, applied } = this.#views;
    this.#solver.multipliers(system.gamma(), this.#multipliers);
    functions.nonIdeal(views.q, views.v, multipliers, force, time);
    let change = 0;
    for (let i = 0; i < n; i++) {
      const value = force[i] as number;
      if (!Number.isFinite(value)) throw this.#notFinite(i, value);
      const next = (applied[i] as number) + value;
      change = Math.max(change, Math.abs(next - (views.forces[i] as number)));
    }
    workspace.kernels.axpy(n, 1, this.#address, this.#applied, forces);
    return change;
  }

  #notFinite(index: number, value: number): SimulationError {
    const { name, time, coordinateNames } = this.#system;
    return new SimulationError(
      "EVALUATION",
      time,
      `${name}: nonIdeal.force gave ${value} for "${coordinateNames[index]}" at t = ${time}`,
    );
  }
}

function largest(numbers: Float64Array): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) most = Math.max(most, Math.abs(numbers[i] as number));
  return most;
}
