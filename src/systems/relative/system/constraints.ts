import { Want } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { Constraints } from "../../../seam/index.js";
import { stateCount } from "../../bodies/plan/carriers.js";
import type { RelativeQuantities } from "./quantities.js";

/** The rows of cut joints, couplings, drives and the user's constraints. */
export class RelativeConstraints implements Constraints {
  readonly rows: number;
  readonly holonomicRows: number;
  readonly rowNames: readonly string[];
  readonly degreesOfFreedom: number | undefined;
  readonly areTimeless: boolean;
  readonly #system: RelativeQuantities;

  readonly residualUnit: number;

  constructor(system: RelativeQuantities, degreesOfFreedom: number | undefined, length: number) {
    const { rows, holonomicRows, rowNames } = system.plan.rest;
    this.#system = system;
    this.rows = rows;
    this.holonomicRows = holonomicRows;
    this.rowNames = rowNames;
    this.degreesOfFreedom =
      degreesOfFreedom === undefined
        ? undefined
        : degreesOfFreedom + stateCount(system.plan.rest.model);
    this.areTimeless = system.bodies.areRowsTimeless;
    // Angles do not show how small a mechanism is, so its rows must.
    this.residualUnit = Math.min(1, length);
  }

  // Without rows nothing has to be evaluated.
  phi(): Address {
    const { bodies, rows } = this.#system;
    return rows === 0 ? bodies.segments.phi.address : bodies.phi();
  }

  phiDot(): Address {
    const { bodies, rows } = this.#system;
    if (rows === 0) return bodies.segments.phiDot.address;
    this.#system.useRates();
    return bodies.phiDot();
  }

  gamma(): Address {
    return this.#system.gamma();
  }

  jacobianTimes(x: Address, out: Address): void {
    const { bodies } = this.#system;
    bodies.require(Want.PHI | Want.JACOBIAN);
    bodies.kernels.bodyJacobianTimes(bodies.table, this.#system.bodyVelocities(x), out);
  }

  jacobianTransposeTimes(lambda: Address, out: Address): void {
    const { bodies, bodyVector } = this.#system;
    bodies.require(Want.PHI | Want.JACOBIAN);
    bodies.kernels.bodyJacobianTransposeTimes(bodies.table, lambda, bodyVector);
    this.#system.jointForces(bodyVector, out);
  }
}
