import { NodriftError, StepFailure } from "../../ground/errors.js";
import type { Address } from "../../ground/memory/arena.js";
import { RANK_TOLERANCE } from "../../ground/rank-tolerance.js";
import type {
  BoundCoupledMethod,
  ConstraintSolver,
  ImplicitCosts,
  System,
} from "../../seam/index.js";
import { costsOf } from "../integrators/implicit/costs.js";
import { type AlphaCoefficients, errorsOf, shiftOf } from "./alpha-coefficients.js";
import { type AlphaMemory, alphaMemory } from "./alpha-memory.js";
import { AlphaNewton } from "./alpha-newton.js";
import { AlphaStart } from "./alpha-start.js";
import type { Level } from "./direct-matrix.js";

/**
 * A step of a generalised-alpha method with all constraints (Arnold and Bruels, Multibody Syst. Dyn. 18 (2007) 185-202;
 * Bruels, Cardona and Arnold, Mech. Mach. Theory 48 (2012) 121-137):
 *
 *   q_{n+1} = q_n moved by h v_n + h^2 ((1/2 - beta) a_n + beta a_{n+1}) + J_n^T mu
 *   v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})
 *   (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n
 *   M v' = Q + J^T lambda,   Phi = 0,   with mu: Phi' = 0 as well,   all at t_{n+1}
 *
 * Moves turn bodies exactly (`displace`): a Lie-group method. v' is the unknown of Newton's iterations.
 */
export class AlphaStepper implements BoundCoupledMethod {
  readonly costs: ImplicitCosts;
  readonly #system: System;
  readonly #errors: ReturnType<typeof errorsOf>;
  readonly #shift: number;
  readonly #level: Level;
  readonly #solver: ConstraintSolver;
  readonly #newton: AlphaNewton;
  readonly #start: AlphaStart;
  readonly #memory: AlphaMemory;
  readonly #refusal: StepFailure;
  /** Accepted: a, v', its slope, lambda. */
  readonly #a: Address;
  readonly #rate: Address;
  readonly #jerk: Address;
  readonly #lambda: Address;
  /** Of the attempt: a for its length, and at its end a. */
  readonly #first: Address;
  readonly #last: Address;

  constructor(system: System, name: string, coefficients: AlphaCoefficients, level: Level) {
    const { workspace, coordinates, constraints, dynamics } = system;
    const { velocities: n } = coordinates;
    const vector = (what: string, count = n) => workspace.vector(`${name}: ${what}`, count);
    this.#system = system;
    this.#errors = errorsOf(coefficients);
    this.#shift = shiftOf(coefficients);
    this.#level = level;
    this.#solver = dynamics.solver("auto");
    this.#memory = alphaMemory(name, workspace);
    this.#a = vector("a");
    this.#rate = vector("rate of v");
    this.#jerk = vector("slope of a");
    this.#lambda = vector("multipliers", constraints.rows);
    this.#first = vector("a at the beginning");
    this.#last = vector("a at the end");
    this.#start = new AlphaStart(system, coefficients, this.#solver);
    this.#newton = new AlphaNewton(system, coefficients, level, this.#memory, RANK_TOLERANCE);
    this.costs = costsOf(this.#newton.source, this.#memory);
    this.#refusal = new StepFailure(
      `${name}: Newton's iteration did not converge: use shorter steps; describe forces that jump as events`,
    );
  }

  attempt(t: number, h: number): void {
    const { workspace, coordinates, state } = this.#system;
    const { velocities: n } = coordinates;
    const { kernels } = workspace;
    const memory = this.#memory;
    this.#system.load(t);
    if (memory.chosen !== 1) {
      this.#newton.choose(t);
      memory.chosen = 1;
    }
    if (memory.known !== 1) this.#know(t, h);
    const first = this.#first;
    const newton = this.#newton;
    kernels.axpy(n, this.#shift * (h - memory.length), this.#jerk, this.#a, first);
    kernels.copyVector(n, state.v, newton.velocity);
    if (this.#level === "positions" && memory.length === 0) {
      this.#start.perturb(t, h, first, this.#jerk, newton.velocity);
    }
    if (!newton.solve(t, h, first, this.#rate, this.#lambda)) {
      memory.convergenceFailures++;
      memory.factored = 0;
      this.#refusal.factor = 0.5;
      throw this.#refusal;
    }
    newton.writeEnd(first, this.#rate, this.#last);
  }

  accept(): void {
    this.#system.store();
  }

  commit(_t: number, h: number): void {
    const { kernels } = this.#system.workspace;
    const { velocities: n } = this.#system.coordinates;
    const { rows } = this.#system.constraints;
    const memory = this.#memory;
    kernels.axpy(n, -1, this.#first, this.#last, this.#jerk);
    kernels.axpy(n, 1 / h - 1, this.#jerk, this.#jerk, this.#jerk);
    kernels.copyVector(n, this.#last, this.#a);
    kernels.copyVector(n, this.#newton.rate, this.#rate);
    kernels.copyVector(rows, this.#newton.lambda, this.#lambda);
    memory.length = h;
    memory.taken = 1;
  }

  reset(): void {
    this.#memory.known = 0;
    this.#memory.length = 0;
    this.#memory.factored = 0;
  }

  accelerations(out: Address): void {
    this.#solver.accelerate(this.#system.constraints.gamma(), out);
  }

  multipliers = (out: Address): void => {
    if (this.#memory.taken !== 1) {
      throw new NodriftError("STEP", "no step multipliers yet: take a step first");
    }
    const { workspace, constraints } = this.#system;
    workspace.kernels.copyVector(constraints.rows, this.#newton.lambda, out);
  };

  /**
   * Errors of the velocity and of the displacement: c_q h^2 (a_{n+1} - a_n), and c_v h times the second difference of a,
   * the slope before belonging to the middle of the step before.
   */
  estimate(h: number, ofVelocity: Address, ofDisplacement: Address): void {
    const { kernels } = this.#system.workspace;
    const { velocities: n } = this.#system.coordinates;
    const { position, velocity } = this.#errors;
    const change = ofDisplacement;
    kernels.axpy(n, -1, this.#first, this.#last, change);
    kernels.axpy(n, -h, this.#jerk, change, ofVelocity);
    const factor = (2 * velocity * h * h) / (h + this.#memory.length);
    kernels.axpy(n, factor - 1, ofVelocity, ofVelocity, ofVelocity);
    kernels.axpy(n, position * h * h - 1, change, change, change);
  }

  /** v', its slope and the multipliers at a start. */
  #know(t: number, h: number): void {
    const { workspace, coordinates, constraints } = this.#system;
    const gamma = constraints.gamma();
    this.#solver.accelerate(gamma, this.#rate);
    this.#solver.multipliers(gamma, this.#lambda);
    workspace.kernels.copyVector(coordinates.velocities, this.#rate, this.#a);
    this.#start.writeJerk(t, h, this.#rate, this.#jerk);
    this.#memory.known = 1;
    this.#memory.length = 0;
  }
}
