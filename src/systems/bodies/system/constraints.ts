import { BODY_VELOCITIES, Want } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { Constraints } from "../../../seam/index.js";
import { movingBodies, rotorCount } from "../plan/carriers.js";
import type { BodyQuantities } from "./quantities.js";

/** The rows of joints, drives, couplings and the user's constraints. */
export class BodyConstraints implements Constraints {
  readonly rows: number;
  readonly holonomicRows: number;
  readonly rowNames: readonly string[];
  readonly degreesOfFreedom: number | undefined;
  readonly areTimeless: boolean;
  readonly #system: BodyQuantities;

  constructor(system: BodyQuantities, degreesOfFreedom: number | undefined) {
    this.#system = system;
    this.rows = system.rows;
    this.holonomicRows = system.holonomicRows;
    this.rowNames = system.rowNames;
    // Methods integrate states like any other freedom, and what rotors have to spare.
    const { bodies } = system.plan.model;
    const own = BODY_VELOCITIES * movingBodies(bodies) + rotorCount(bodies);
    const states = system.velocities - own;
    this.degreesOfFreedom = degreesOfFreedom === undefined ? undefined : degreesOfFreedom + states;
    this.areTimeless = system.areRowsTimeless;
  }

  phi(): Address {
    return this.#system.phi();
  }

  phiDot(): Address {
    return this.#system.phiDot();
  }

  gamma(): Address {
    return this.#system.gamma();
  }

  jacobianTimes(x: Address, out: Address): void {
    const system = this.#system;
    system.require(Want.PHI | Want.JACOBIAN);
    system.kernels.bodyJacobianTimes(system.table, x, out);
  }

  jacobianTransposeTimes(lambda: Address, out: Address): void {
    const system = this.#system;
    system.require(Want.PHI | Want.JACOBIAN);
    system.kernels.bodyJacobianTransposeTimes(system.table, lambda, out);
  }
}
