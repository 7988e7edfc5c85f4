import type { Address, Segment } from "../../ground/memory/arena.js";
import type { System } from "../../seam/index.js";

/**
 * Velocities |J v - Phi'| below this are rounding, not a drive: counting their power would follow
 * the errors that the control is to take away.
 */
const DRIVEN = 1e-10;

/** Velocities that have kinetic energy: states behind them have none. */
export function movingVelocities({ coordinates }: System): number {
  return coordinates.states?.firstVelocity ?? coordinates.velocities;
}

/**
 * The energy as a constraint: psi = T + V - (T + V)_0 - W, where W' is the power put in (Yoon, eq.
 * 9). The energy at the start and W lie in the arena: saving the arena saves the balance.
 *
 * Constraints that move put in power as well: v . J^T lambda with J v as the constraints prescribe
 * it, lambda . (J v - Phi'), which is zero when nothing moves. Lambda is that of the motion without
 * stabilisation.
 */
export class EnergyBalance {
  /** psi at the state last evaluated. */
  error = 0;
  /** The power put in there. */
  power = 0;

  readonly #system: System;
  readonly #workAt: number;
  readonly #velocityGradient: Address;
  readonly #positionGradient: Address;
  readonly #kineticGradient: Address;
  readonly #drive: Address;
  readonly #lambda: Address;
  readonly #power: Segment;
  /** Energy at the start; work in the accepted, and in the trial state; power to be copied. */
  #start = new Float64Array(1);
  #work = new Float64Array(1);
  #trialWork = new Float64Array(1);
  #powerView = new Float64Array(1);

  constructor(system: System) {
    this.#system = system;
    const { workspace } = system;
    const { positions, velocities } = system.coordinates;
    const { rows } = system.constraints;
    this.#workAt = 8 * (positions + velocities);
    this.#velocityGradient = workspace.vector("d psi / dv", velocities);
    this.#positionGradient = workspace.vector("d psi / dq", positions);
    this.#kineticGradient = workspace.vector("dT / dq", positions);
    this.#drive = workspace.vector("velocities of constraints", rows);
    this.#lambda = workspace.vector("multipliers of the balance", rows);
    this.#power = workspace.reserve("power", 1);
    const start = workspace.reserve("energy at the start", 1);
    const work = { name: "work", address: system.state.work, slots: 1 };
    // Asked for now: solvers reserve memory.
    system.dynamics.solver("auto");
    workspace.whenSealed((arena) => {
      this.#start = arena.floats(start);
      this.#work = arena.floats(work);
      this.#trialWork = arena.floats({ ...work, address: system.trial.work });
      this.#powerView = arena.floats(this.#power);
    });
  }

  /** The present energy is right from now on. */
  restart(): void {
    this.#start[0] = this.#energy();
    this.#work[0] = 0;
  }

  /** Finds psi and the power at the trial state, and gives the power to the integrator. */
  evaluate(rates: Address): void {
    const expected = (this.#start[0] as number) + (this.#trialWork[0] as number);
    this.error = this.#energy() - expected;
    this.power = this.#system.energy.power() + this.#drivePower();
    this.#powerView[0] = this.power;
    const { kernels } = this.#system.workspace;
    kernels.copyVector(1, this.#power.address, rates + this.#workAt);
  }

  /** d psi / dv = M v. */
  velocityGradient(): Address {
    const { trial } = this.#system;
    this.#system.dynamics.massTimes(trial.v, this.#velocityGradient);
    return this.#velocityGradient;
  }

  /** d psi / dq = dV/dq + dT/dq. */
  positionGradient(): Address {
    const { workspace } = this.#system;
    const { positions } = this.#system.coordinates;
    const [gradient, kinetic] = [this.#positionGradient, this.#kineticGradient];
    this.#system.energy.potentialGradient(gradient);
    this.#system.energy.kineticGradient(kinetic);
    workspace.kernels.axpy(positions, 1, kinetic, gradient, gradient);
    return gradient;
  }

  #energy(): number {
    return this.#system.energy.kinetic() + this.#system.energy.potential();
  }

  #drivePower(): number {
    const system = this.#system;
    const { workspace, trial } = system;
    const { rows } = system.constraints;
    if (rows === 0) return 0;
    const { kernels } = workspace;
    system.constraints.jacobianTimes(trial.v, this.#drive);
    kernels.axpy(rows, -1, system.constraints.phiDot(), this.#drive, this.#drive);
    if (!(kernels.largestMagnitude(rows, this.#drive) > DRIVEN)) return 0;
    system.dynamics.solver("auto").multipliers(system.constraints.gamma(), this.#lambda);
    return kernels.dot(rows, this.#lambda, this.#drive);
  }
}
