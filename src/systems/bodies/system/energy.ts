import { ForcePart } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { Energy } from "../../../seam/index.js";
import { isConservative } from "../plan/conservative.js";
import type { BodyQuantities } from "./quantities.js";

/** Energies of a mechanism. Its mass matrix is constant: kinetic energy has no gradient by q. */
export class BodyEnergy implements Energy {
  readonly hasPotential = true;
  readonly #system: BodyQuantities;
  readonly #momenta: Address;

  constructor(system: BodyQuantities) {
    this.#system = system;
    this.#momenta = system.workspace.vector("momenta", system.velocities);
  }

  get isConservative(): boolean {
    return isConservative(this.#system.plan.model);
  }

  potential(): number {
    const system = this.#system;
    system.requireFrames();
    return system.kernels.bodyPotential(system.table);
  }

  kinetic(): number {
    const { trial, movingVelocities, workspace } = this.#system;
    this.#system.massTimes(trial.v, this.#momenta);
    return workspace.kernels.dot(movingVelocities, trial.v, this.#momenta) / 2;
  }

  power(): number {
    const system = this.#system;
    const { trial, movingVelocities, workspace } = system;
    return workspace.kernels.dot(movingVelocities, system.loads(ForcePart.OTHER), trial.v);
  }

  potentialGradient(out: Address): void {
    const system = this.#system;
    system.kernels.bodyGradient(system.table, system.loads(ForcePart.CONSERVATIVE), out);
  }

  kineticGradient(out: Address): void {
    const { workspace, positions, zero } = this.#system;
    workspace.kernels.copyVector(positions, zero, out);
  }
}
