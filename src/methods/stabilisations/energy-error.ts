import type { Address, Segment } from "../../base/memory/arena.js";
import type { BoundStabilisation, System } from "../../interfaces/index.js";
import { NO_CORRECTION } from "../defaults.js";

/**
 * Velocities |J v - Phi'| below this are rounding, not a drive: their power would follow the errors that the control
 * should remove.
 */
const MIN_DRIVE_RATE = 1e-10;

/** Returns the number of velocities with kinetic energy; states follow them and have none. */
export function movingVelocities({ coordinates }: System): number {
  return coordinates.states.firstVelocity;
}

/**
 * The energy as a constraint: psi = T + V - (T + V)_0 - W, where W' is the power input (Yoon, eq. 9). The initial
 * energy and W are in the arena, so saving the arena saves the balance.
 *
 * Moving constraints add power too: v . J^T lambda with the prescribed J v, that is lambda . (J v - Phi'), which is
 * zero for constraints at rest. Lambda is that of the motion without stabilisation.
 */
export class EnergyBalance {
  /** psi at the last evaluated state. */
  error = 0;
  /** Power input at that state. */
  power = 0;

  readonly #system: System;
  readonly #workAt: number;
  readonly #velocityGradient: Address;
  readonly #positionGradient: Address;
  readonly #kineticGradient: Address;
  readonly #drive: Address;
  readonly #lambda: Address;
  readonly #power: Segment;
  /** Initial energy; work in the accepted and in the trial state; power to be copied. */
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
    // Created now, as solvers reserve memory.
    system.dynamics.solver("auto");
    workspace.whenSealed((arena) => {
      this.#start = arena.floats(start);
      this.#work = arena.floats(work);
      this.#trialWork = arena.floats({ ...work, address: system.trial.work });
      this.#powerView = arena.floats(this.#power);
    });
  }

  /** Takes the present energy as the reference from now on. */
  restart(): void {
    this.#start[0] = this.#energy();
    this.#work[0] = 0;
  }

  /** Computes psi and the power at the trial state, and passes the power to the integrator. */
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
    if (!(kernels.largestMagnitude(rows, this.#drive) > MIN_DRIVE_RATE)) return 0;
    system.dynamics.solver("auto").multipliers(system.constraints.gamma(), this.#lambda);
    return kernels.dot(rows, this.#lambda, this.#drive);
  }
}

/** A control of the energy that adds to the rates: `add` receives the balance, evaluated for them. */
export function energyControl(
  system: System,
  setGains: (h: number) => void,
  add: (balance: EnergyBalance, rates: Address) => void,
): BoundStabilisation {
  const balance = new EnergyBalance(system);
  return {
    ...NO_CORRECTION,
    restart: () => balance.restart(),
    beginStep: (_, h) => setGains(h),
    rates: {
      integratesWork: true,
      add(_, rates) {
        balance.evaluate(rates);
        add(balance, rates);
      },
    },
  };
}
