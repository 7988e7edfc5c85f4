import type { Address } from "../../ground/memory/arena.js";
import type { Energy } from "../../seam/index.js";
import { isConservative } from "./description.js";
import type { EquationQuantities } from "./quantities.js";

/** Energies of a system given by functions. */
export class EquationEnergy implements Energy {
  readonly hasPotential: boolean;
  readonly isConservative: boolean;
  readonly #system: EquationQuantities;
  readonly #momenta: Address;

  constructor(system: EquationQuantities) {
    const { description } = system.equations;
    this.#system = system;
    this.hasPotential = description.potential !== undefined;
    this.isConservative = isConservative(description);
    this.#momenta = system.workspace.vector("momenta", system.velocities);
  }

  potential(): number {
    const { functions, views, time } = this.#system;
    return functions.potential(views.q, views.v, time);
  }

  power(): number {
    const { functions, views, time, nonIdeal } = this.#system;
    return functions.power(views.q, views.v, time) + (nonIdeal?.power() ?? 0);
  }

  kinetic(): number {
    const { workspace, velocities, trial } = this.#system;
    this.#system.massTimes(trial.v, this.#momenta);
    return workspace.kernels.dot(velocities, trial.v, this.#momenta) / 2;
  }

  potentialGradient(out: Address): void {
    const { velocities, derivatives, time } = this.#system;
    this.#system.derive(velocities, out, (q, v, target) =>
      derivatives.potentialGradient(q, v, target, time),
    );
  }

  kineticGradient(out: Address): void {
    const { velocities, derivatives, time } = this.#system;
    this.#system.derive(velocities, out, (q, v, target) =>
      derivatives.kineticGradient(q, v, target, time),
    );
  }
}
