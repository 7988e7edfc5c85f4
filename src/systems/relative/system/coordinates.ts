import type { Turn } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { Coordinates } from "../../../seam/index.js";
import type { RelativeQuantities } from "./quantities.js";

/** Joint coordinates along a tree. */
export class RelativeCoordinates implements Coordinates {
  readonly positions: number;
  readonly velocities: number;
  readonly positionNames: readonly string[];
  readonly velocityNames: readonly string[];
  readonly ratesAreVelocities: boolean;
  readonly #system: RelativeQuantities;

  constructor(system: RelativeQuantities) {
    this.#system = system;
    this.positions = system.positions;
    this.velocities = system.velocities;
    this.positionNames = system.positionNames;
    this.velocityNames = system.velocityNames;
    // Only Euler parameters are more than their velocities.
    this.ratesAreVelocities = system.positions === system.velocities;
  }

  positionRate(v: Address, scale: number, correction: Address, out: Address): void {
    const { kernels, table } = this.#system;
    kernels.treePositionRate(table, v, scale, correction, out);
  }

  displace(q: Address, displacement: Address, turn?: Turn): void {
    this.#system.displace(q, displacement, turn);
  }

  normalise(q: Address): void {
    this.#system.normalise(q);
  }
}
