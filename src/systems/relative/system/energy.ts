import { ForcePart } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { Energy } from "../../../seam/index.js";
import { isConservative } from "../../bodies/plan/conservative.js";
import type { RelativeQuantities } from "./quantities.js";

/** Energies of a mechanism in relative coordinates: those of its bodies. */
export class RelativeEnergy implements Energy {
  readonly hasPotential = true;
  readonly #system: RelativeQuantities;
  readonly #momenta: Address;
  readonly #forces: Address;

  constructor(system: RelativeQuantities) {
    const { workspace, bodies } = system;
    this.#system = system;
    this.#momenta = workspace.vector("momenta", bodies.velocities);
    this.#forces = workspace.vector("forces of energies", system.velocities);
  }

  get isConservative(): boolean {
    return isConservative(this.#system.plan.rest.model);
  }

  potential(): number {
    const { bodies } = this.#system;
    bodies.requireFrames();
    return bodies.kernels.bodyPotential(bodies.table);
  }

  kinetic(): number {
    const { bodies, workspace } = this.#system;
    bodies.requireFrames();
    bodies.massTimes(bodies.trial.v, this.#momenta);
    return workspace.kernels.dot(bodies.movingVelocities, bodies.trial.v, this.#momenta) / 2;
  }

  power(): number {
    const { bodies, workspace } = this.#system;
    bodies.requireFrames();
    const loads = bodies.loads(ForcePart.OTHER);
    return workspace.kernels.dot(bodies.movingVelocities, loads, bodies.trial.v);
  }

  potentialGradient(out: Address): void {
    const { bodies, kernels, table, workspace, velocities } = this.#system;
    bodies.requireFrames();
    this.#system.jointForces(bodies.loads(ForcePart.CONSERVATIVE), this.#forces);
    workspace.kernels.axpy(velocities, -2, this.#forces, this.#forces, this.#forces);
    kernels.treeGradient(table, this.#forces, out);
  }

  kineticGradient(out: Address): void {
    const { kernels, table } = this.#system;
    this.#system.requireBias();
    kernels.treeKineticForces(table, this.#forces);
    kernels.treeGradient(table, this.#forces, out);
  }
}
