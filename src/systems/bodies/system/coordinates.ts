import {
  BODY_POSITIONS,
  BODY_VELOCITIES,
  BodyTable,
  PLAIN_ROWS,
  type Turn,
} from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../base/memory/arena.js";
import { failed } from "../../../base/wasm/status.js";
import type { Coordinates, RigidBodyInfo, StateIndices } from "../../../interfaces/index.js";
import { energeticBodies, movingBodies, rotorCount } from "../plan/carriers.js";
import type { Plan } from "../plan/plan.js";
import type { BodyQuantities } from "./quantities.js";

/** Seven positions and six velocities for each body. */
export class BodyCoordinates implements Coordinates {
  readonly positions: number;
  readonly velocities: number;
  readonly ratesAreVelocities = false;
  readonly rigidBodies: readonly RigidBodyInfo[];
  readonly positionScale: number;
  readonly states: StateIndices;
  readonly #system: BodyQuantities;
  /** The table of the kernels. */
  #integers = new Int32Array(0);

  constructor(system: BodyQuantities, length: number) {
    this.#system = system;
    this.positions = system.positions;
    this.velocities = system.velocities;
    const { bodies } = system.plan.model;
    this.rigidBodies = bodies.slice(0, movingBodies(bodies));
    this.states = statesIn(system);
    this.positionScale = isFar(system.plan, length) ? length : 0;
    system.workspace.whenSealed((arena) => {
      this.#integers = arena.integers(system.segments.table);
    });
  }

  get velocityNames(): readonly string[] {
    return this.#system.velocityNames;
  }

  get positionNames(): readonly string[] {
    return this.#system.positionNames;
  }

  positionRate(v: Address, scale: number, correction: Address, out: Address): void {
    const { kernels, table } = this.#system;
    kernels.bodyPositionRate(table, v, scale, correction, out);
  }

  displace(q: Address, displacement: Address, turn?: Turn): void {
    this.#system.displace(q, displacement, turn);
  }

  normalise(q: Address): void {
    const { kernels, table } = this.#system;
    const status = kernels.bodyNormalise(table, q);
    if (failed(status)) throw this.#system.errorFor(status, "");
  }

  useUnnormalised(isPlain: boolean): void {
    const otherwise = this.#system.plan.unnormalised ? 1 : 0;
    this.#integers[BodyTable.PLAIN] = isPlain ? PLAIN_ROWS : otherwise;
  }
}

/** Indices of the first state in q and v; those after the last if there is none. */
export function statesIn({
  plan,
  positions,
  velocities,
  movingVelocities,
}: BodyQuantities): StateIndices {
  const { bodies } = plan.model;
  const [own, energetic] = [movingBodies(bodies), energeticBodies(bodies)];
  if (own === bodies.length) {
    return { firstPosition: positions, firstVelocity: velocities, idle: 0 };
  }
  return {
    firstPosition: positions - BODY_POSITIONS * (bodies.length - energetic),
    firstVelocity: movingVelocities,
    idle: BODY_VELOCITIES * (energetic - own) - rotorCount(bodies),
  };
}

/** Distance, in lengths of the mechanism, above which the origin of the world is far away. */
const FAR_DISTANCE_LENGTHS = 1e3;

/** Unconnected bodies may be anywhere: the scale of satellites is their distance. */
function isFar({ model: { bodies }, blocks }: Plan, length: number): boolean {
  if (blocks.length === 0) return false;
  return bodies
    .slice(0, movingBodies(bodies))
    .every(({ position }) => Math.max(...position.map(Math.abs)) > FAR_DISTANCE_LENGTHS * length);
}
