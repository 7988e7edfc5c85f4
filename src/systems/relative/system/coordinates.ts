import type { Turn } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { Coordinates, StatePlaces } from "../../../seam/index.js";
import { stateCount } from "../../bodies/plan/carriers.js";
import type { RelativeQuantities } from "./quantities.js";

/** Joint coordinates along a tree. */
export class RelativeCoordinates implements Coordinates {
  readonly positions: number;
  readonly velocities: number;
  readonly positionNames: readonly string[];
  readonly velocityNames: readonly string[];
  readonly ratesAreVelocities: boolean;
  readonly states?: StatePlaces;
  readonly #system: RelativeQuantities;

  constructor(system: RelativeQuantities) {
    this.#system = system;
    this.positions = system.positions;
    this.velocities = system.velocities;
    this.positionNames = system.positionNames;
    this.velocityNames = system.velocityNames;
    const count = stateCount(system.plan.rest.model);
    // Nodes come in the order of bodies, and those that carry states are the last.
    if (count > 0) {
      this.states = {
        firstPosition: this.positions - count,
        firstVelocity: this.velocities - count,
        idle: 0,
      };
    }
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
