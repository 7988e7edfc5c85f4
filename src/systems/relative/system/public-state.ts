import { BODY_POSITIONS, SensorEntry, SensorKind } from "../../../../assembly/layout-bodies.js";
import type { Address, Segment } from "../../../ground/memory/arena.js";
import type { PublicCoordinates, PublicState, Pushes, System } from "../../../seam/index.js";
import { movingBodies } from "../../bodies/plan/carriers.js";
import { statesIn } from "../../bodies/system/coordinates.js";
import { type JointCoordinates, jointCoordinates } from "../plan/joint-coordinates.js";
import type { RelativePlan } from "../plan/relative-plan.js";
import type { RelativeFacts } from "./facts.js";
import type { RelativeQuantities } from "./quantities.js";

/** What was read last, of a plan that all runs of a compiled model share. */
interface Reading {
  readonly given: Float64Array;
  readonly reference: Float64Array;
  readonly found: JointCoordinates;
}

const readings = new WeakMap<RelativePlan, Reading>();

const areSame = (a: Float64Array, b: Float64Array) => a.every((x, i) => Object.is(x, b[i]));

/**
 * The joint coordinates of a public state, q and then v. Most runs of a compiled model start where the one before did:
 * that state is read once.
 */
function readOnce(
  plan: RelativePlan,
  state: Float64Array,
  reference: Float64Array,
): JointCoordinates {
  const last = readings.get(plan);
  if (last && areSame(state, last.given) && areSame(reference, last.reference)) return last.found;
  const { tree, rest } = plan;
  const positions = BODY_POSITIONS * rest.model.bodies.length;
  const given = { q: state.subarray(0, positions), v: state.subarray(positions) };
  const found = jointCoordinates(tree, rest.model, given, reference);
  readings.set(plan, { given: state.slice(), reference, found });
  return found;
}

/** States of bodies for those of the tree. */
export class Publication implements PublicState<System> {
  readonly coordinates: PublicCoordinates;
  readonly isAutomatic: boolean | undefined;
  readonly misfit: number | undefined;
  readonly #system: RelativeQuantities;
  #make: () => System;
  readonly #axes: Address;
  readonly #published: Address;
  #made: System | undefined;
  #pushes: Pushes | undefined;
  #floats: (segment: Segment) => Float64Array = () => new Float64Array(0);

  constructor(
    system: RelativeQuantities,
    { positionScale: scale, isAutomatic, misfit, maximal }: RelativeFacts,
  ) {
    const { bodies, workspace } = system;
    this.#system = system;
    this.#make = maximal;
    this.isAutomatic = isAutomatic;
    this.misfit = misfit;
    const { bodies: real } = system.plan.rest.model;
    this.coordinates = {
      positions: bodies.positions,
      velocities: bodies.velocities,
      positionNames: bodies.positionNames,
      velocityNames: bodies.velocityNames,
      rigidBodies: real.slice(0, movingBodies(real)),
      states: statesIn(bodies),
      positionScale: scale,
    };
    this.#axes = workspace.vector("axes of a node", 9);
    this.#published = workspace.vector("public state", bodies.positions + bodies.velocities);
    workspace.whenSealed((arena) => {
      this.#floats = (segment) => arena.floats(segment);
    });
  }

  write(from: Address, out: Address): void {
    const { kernels, table, positions, bodies } = this.#system;
    const v = from + 8 * positions;
    kernels.treePublish(table, from, v, this.#axes, out, out + 8 * bodies.positions);
  }

  /** The velocities of the bodies for the q and v at `from`, in memory that the next call overwrites. */
  bodies(from: Address): Address {
    this.write(from, this.#published);
    return this.#published + 8 * this.#system.bodies.positions;
  }

  read(from: Address, out: Address): number {
    const { positions, velocities, bodies, plan } = this.#system;
    const at = (address: Address, slots: number) =>
      this.#floats({ name: "a state", address, slots });
    const found = readOnce(
      plan,
      at(from, bodies.positions + bodies.velocities),
      this.#reference(at(this.#system.state.q, positions)),
    );
    at(out, positions).set(found.q);
    at(out + 8 * positions, velocities).set(found.v);
    return found.misfits.reduce(
      (most, { distance, turn, velocity, angularVelocity }) =>
        Math.max(most, distance, turn, velocity, angularVelocity),
      0,
    );
  }

  /** The mechanism has other masses or forces: what was made in maximal coordinates is `update`d to them. */
  adopt(make: () => System, update: (made: System) => void): void {
    this.#make = make;
    if (this.#made) update(this.#made);
  }

  /** What acts on the bodies besides the forces of the model. */
  setPushes(pushes: Pushes | undefined): void {
    this.#pushes = pushes;
    this.#made?.bodies?.setPushes(pushes);
  }

  maximal(): System {
    if (this.#made === undefined) {
      this.#made = this.#make();
      this.#made.bodies?.setPushes(this.#pushes);
    }
    return this.#made;
  }

  /** Angles as they are counted now; other coordinates as they are. */
  #reference(q: Float64Array): Float64Array {
    const { tree, rest } = this.#system.plan;
    const { data } = this.#system.bodies.arrays;
    const reference = q.slice();
    for (const { sensor, position } of tree.nodes) {
      if (rest.model.sensors[sensor]?.kind !== SensorKind.ANGLE) continue;
      const slot = rest.sensorList[SensorEntry.LENGTH * sensor + SensorEntry.DATA]!;
      reference[position] = data[slot]!;
    }
    return reference;
  }
}
