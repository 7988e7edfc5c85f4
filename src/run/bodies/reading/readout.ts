// Bodies and joints of a simulation by name, and sums over them.

import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { add, ZERO } from "../../../base/algebra/vectors.js";
import { hint, show, type VectorLike } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import type { Pushes, State, StateData } from "../../../interfaces/index.js";
import type { Difference } from "../../../model/compare.js";
import {
  type Body,
  type Controller,
  type Force,
  type Handle,
  type Joint,
  partName,
  type States,
} from "../../../model/handles.js";
import type { Vector } from "../../../model/model-data.js";
import {
  auxiliaryBodyOf,
  CONTROLLER_OUTPUTS,
  firstState,
} from "../../../systems/bodies/plan/carriers.js";
import type { ConstraintError, Energy } from "../../stepping/simulation.js";
import { frictionNeedsMaximal } from "../coordinates/coordinate-reasons.js";
import { checkJoints, type JointValues } from "../coordinates/joint-values.js";
import { type PlacedState, type PlacingTree, placeJoints } from "../coordinates/place-joints.js";
import {
  type JointCoordinateValues,
  type JointSpaceContext,
  jointCoordinates,
  TreeProbe,
} from "../coordinates/tree-probe.js";
import { type CurrentState, currentState } from "../probe/current-state.js";
import { type PoseAndRates, poseOfBody } from "../probe/pose-reading.js";
import { Probe, type ReadModel } from "../probe/probe.js";
import { driveForces } from "../reactions/drive-forces.js";
import { ForceReading, type ForceReadingOf } from "../reactions/force-reading.js";
import { JointReading, type JointReadingOf, type ReadContext } from "../reactions/joint-reading.js";
import { MotorReading, type SetTarget } from "../reactions/motor-reading.js";
import { Reactions } from "../reactions/reactions.js";
import { BodyReading } from "./body-reading.js";

/** Memory that the readers of one model share. */
export interface SharedProbe {
  probe?: Probe;
  reactions?: Reactions;
  treeProbe?: TreeProbe;
}

/** Lists of named parts. */
type PartList = "bodies" | "joints" | "forces";

/** Reads the state of a simulation. */
export class Readout implements ReadContext, JointSpaceContext {
  /** The model, whose values may change: see {@link adopt}. */
  model: ReadModel;
  readonly present: () => CurrentState;
  blocksOf: readonly (readonly number[])[] = [];
  #shared: SharedProbe;
  #indices!: Readonly<Record<PartList, ReadonlyMap<string, number>>>;
  readonly #bodies = new Map<string, BodyReading>();
  readonly #joints = new Map<string, JointReading>();
  readonly #forces = new Map<string, ForceReading>();
  readonly #pushes: () => Pushes | undefined;
  /** Poses of a pinned state. */
  #poses: PoseAndRates[] | undefined;

  /** `pushes` returns the loads on the bodies in addition to the forces of the model. */
  constructor(
    model: ReadModel,
    present: () => CurrentState,
    shared: SharedProbe = {},
    pushes: () => Pushes | undefined = () => undefined,
  ) {
    this.#shared = shared;
    this.#pushes = pushes;
    this.model = model;
    this.present = present;
    this.#indexParts();
  }

  /** Indexes named parts, and finds the blocks of each joint. */
  #indexParts(): void {
    const { indices, blocksOf } = listsOf(this.model);
    this.#indices = indices;
    this.blocksOf = blocksOf;
  }

  /** Continues with a model that has other values; existing readings use it, too. */
  adopt(model: ReadModel, difference: Difference): void {
    this.model = model;
    const { probe } = this.#shared;
    delete this.#shared.reactions;
    if (difference === "forces") {
      if (probe) model.adjust(probe.system);
      probe?.renew();
      if (this.#shared.treeProbe) model.adjust(this.#shared.treeProbe.system);
      return;
    }
    delete this.#shared.probe;
    delete this.#shared.treeProbe;
    this.#updateParts();
  }

  /** Switches to another model of the same bodies, with the memory that its readers share. */
  switchTo(model: ReadModel, shared: SharedProbe): void {
    this.model = model;
    this.#shared = shared;
    this.#updateParts();
  }

  #updateParts(): void {
    this.#indexParts();
    for (const name of this.#joints.keys()) {
      if (!this.#indices.joints.has(name)) this.#joints.delete(name);
    }
  }

  /** The probe, created on first use. */
  get probe(): Probe {
    this.#shared.probe ??= new Probe(this.model, this.present);
    this.#shared.probe.refuseInside();
    this.#shared.probe.viewStates(this.present);
    this.#shared.probe.system.bodies.setPushes(this.#pushes());
    return this.#shared.probe;
  }

  get reactions(): Reactions {
    const { probe } = this;
    this.#shared.reactions ??= new Reactions(this.model, probe);
    return this.#shared.reactions;
  }

  /** Reads one state several times; it must not change meanwhile. */
  pinned<T>(read: () => T): T {
    this.#poses = [];
    try {
      return this.#shared.probe ? this.probe.pinned(read) : read();
    } finally {
      this.#poses = undefined;
    }
  }

  /** Returns the pose and motion of a body, computed once while the state is pinned. */
  poseOf(body: number): PoseAndRates {
    const known = this.#poses?.[body];
    if (known) return known;
    const pose = poseOfBody(this.model.data, this.present(), body);
    if (this.#poses) this.#poses[body] = pose;
    return pose;
  }

  /** The probe of joint coordinates, created on first use. */
  get treeProbe(): TreeProbe {
    frictionNeedsMaximal(this.model.data, () => this.model.report, true);
    return this.#treeProbeOf(this.model.tree);
  }

  /** Returns the present state with given joint coordinates. */
  placed(where: string, values: JointValues): PlacedState {
    checkJoints(where, this.model.data, values);
    return placeJoints(where, this.model, this.present(), values, (tree) =>
      this.#treeProbeOf(tree),
    );
  }

  /** Returns memory for evaluations along a tree, cached for the tree of the model. */
  #treeProbeOf(tree: PlacingTree): TreeProbe {
    if (tree !== this.model.tree) return new TreeProbe(this.model.relativeSystem(tree));
    this.#shared.treeProbe ??= new TreeProbe(this.model.relativeSystem(tree));
    return this.#shared.treeProbe;
  }

  body(body: string | Body): BodyReading {
    const name = this.#nameOf("body", body);
    return this.#named(this.#bodies, "bodies", name, (index) => new BodyReading(this, index));
  }

  joint<Type extends string>(joint: string | Joint<Type>): JointReadingOf<Type> {
    const name = this.#nameOf("joint", joint);
    const make = (index: number) => new JointReading(this, index);
    return this.#named(this.#joints, "joints", name, make) as JointReadingOf<Type>;
  }

  force<Type extends string>(force: string | Force<Type>): ForceReadingOf<Type> {
    const name = this.#nameOf("force", force);
    return this.#named(this.#forces, "forces", name, (index) => {
      const { forces } = this.model.data;
      return new ForceReading(
        this,
        index < forces.length
          ? { list: "forces", index }
          : { list: "userForces", index: index - forces.length },
      );
    }) as ForceReadingOf<Type>;
  }

  /** Returns the name of a part given by its handle or its name. */
  #nameOf(kind: Handle["kind"], given: unknown): string {
    const { data } = this.model;
    return partName(data.name, data, given, kind);
  }

  /** Returns the reading of a motor; `set` changes its target. */
  motor(motor: string | Force<"motor">, set?: SetTarget): MotorReading {
    return new MotorReading(this, this.#nameOf("force", motor), set);
  }

  /** Returns the held outputs of a controller, by name. */
  output(controller: string | Controller): Readonly<Record<string, number>> {
    const { data, plan } = this.model;
    const name = this.#nameOf("controller", controller);
    const index = data.controllers.findIndex((each) => each.name === name);
    const found = data.controllers[index];
    if (found === undefined) {
      const known = data.controllers.map((each) => each.name);
      throw new NodriftError(
        "DESCRIPTION",
        `${data.name}: there is no controller ${show(name)}${hint(name, known)}`,
      );
    }
    const first = plan.controllerSlots[index]! + CONTROLLER_OUTPUTS;
    const held = this.present().data;
    return Object.fromEntries(found.outputs.map((own, i) => [own, held[first + i]!]));
  }

  /** Returns the values of a set of states, by name. */
  state(states: string | States): Readonly<Record<string, number>> {
    const { data, plan } = this.model;
    const name = this.#nameOf("states", states);
    const set = data.states.findIndex((each) => each.name === name);
    const found = data.states[set];
    if (found === undefined) {
      const known = data.states.map((each) => each.name);
      throw new NodriftError(
        "DESCRIPTION",
        `${data.name}: there are no states ${show(name)}${hint(name, known)}`,
      );
    }
    const { v } = this.present();
    const first = firstState(data, set);
    return Object.fromEntries(
      found.names.map((own, i) => {
        const [body, axis] = auxiliaryBodyOf(plan.model, first + i);
        return [own, v[BODY_VELOCITIES * body + axis]!];
      }),
    );
  }

  /** Returns the energy of all bodies, of gravity and of springs. */
  energy(): Energy {
    const { system } = this.probe;
    return this.probe.once("energy", () => {
      const [kinetic, potential] = [system.energy.kinetic(), system.energy.potential()];
      return { kinetic, potential, total: kinetic + potential };
    });
  }

  /** Returns the largest |Phi| and |dPhi/dt|. */
  constraintError(): ConstraintError {
    const { system } = this.probe;
    const { kernels } = system.workspace;
    return this.probe.once("constraint error", () => ({
      position: kernels.largestMagnitude(system.constraints.rows, system.constraints.phi()),
      velocity: kernels.largestMagnitude(system.constraints.rows, system.constraints.phiDot()),
    }));
  }

  momentum(): Vector {
    return this.#sum((body) => body.momentum);
  }

  angularMomentum(about: VectorLike = ZERO): Vector {
    return this.#sum((body) => body.angularMomentum(about));
  }

  #sum(part: (body: BodyReading) => Vector): Vector {
    return this.model.data.bodies.reduce((sum, { name }) => add(sum, part(this.body(name))), ZERO);
  }

  #named<T>(known: Map<string, T>, list: PartList, name: string, make: (index: number) => T): T {
    const found = known.get(name);
    if (found) return found;
    const made = make(this.#number(list, name));
    known.set(name, made);
    return made;
  }

  #number(list: PartList, name: string): number {
    const index = this.#indices[list].get(name);
    if (index !== undefined) return index;
    const names = [...this.#indices[list].keys()];
    const what = { bodies: "body", joints: "joint", forces: "force" }[list];
    throw new NodriftError(
      "DESCRIPTION",
      `${this.model.data.name}: there is no ${what} ${show(name)}${hint(name, names)}`,
    );
  }
}

interface PartIndices {
  readonly indices: Readonly<Record<PartList, ReadonlyMap<string, number>>>;
  readonly blocksOf: readonly (readonly number[])[];
}

/** Lists by model, cached because every state of a solution has a reader. */
const LISTS = new WeakMap<ReadModel, PartIndices>();

function listsOf(model: ReadModel): PartIndices {
  const known = LISTS.get(model);
  if (known) return known;
  const { bodies, joints, forces, userForces } = model.data;
  // Blocks after those of the joints belong to rotors.
  const blocksOf: number[][] = joints.map(() => []);
  for (const [index, { joint }] of model.plan.blocks.entries()) blocksOf[joint]?.push(index);
  const indices = {
    bodies: indicesByName(bodies),
    joints: indicesByName(joints),
    forces: indicesByName([...forces, ...userForces]),
  };
  const made = { indices, blocksOf };
  LISTS.set(model, made);
  return made;
}

function indicesByName(list: readonly { readonly name: string }[]): Map<string, number> {
  return new Map(list.map(({ name }, index) => [name, index]));
}

/**
 * A state of a mechanism with access by name. Quantities are computed when read.
 *
 * @example
 * const state = solution.at(2.5);
 * console.log(state.body("rod").position, state.joint("hinge").force());
 */
export class BodyState implements State {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly #data: StateData;
  readonly #readout: Readout;

  constructor(model: ReadModel, data: StateData, shared: SharedProbe) {
    this.q = data.q;
    this.v = data.v;
    this.#data = data;
    const present = currentState(model.plan, data);
    this.#readout = new Readout(model, () => present, shared);
  }

  /** @internal The reader of this state. */
  get readout(): Readout {
    return this.#readout;
  }

  /** Time in seconds. */
  get time(): number {
    return this.#data.time;
  }

  /** Unwrapped joint angles and the offsets held by couplings: a copy, for `setState` of simulations. */
  get unwrappedAngles(): Float64Array {
    return this.#data.unwrappedAngles.slice();
  }

  /** A body, by its handle or its name. */
  body(body: string | Body): BodyReading {
    return this.#readout.body(body);
  }

  /** A joint or drive, by its handle or its name: its forces and measurements. */
  joint<Type extends string>(joint: string | Joint<Type>): JointReadingOf<Type> {
    return this.#readout.joint(joint);
  }

  /**
   * A force, by its handle or its name: its loads on bodies, length, power and energy.
   *
   * @example
   * const [x, y, z] = simulation.force("strut").force({ on: "wheel" });
   */
  force<Type extends string>(force: string | Force<Type>): ForceReadingOf<Type> {
    return this.#readout.force(force);
  }

  /**
   * States added by `states` of the model, by name.
   *
   * @example
   * const { integral } = simulation.state("pi");
   */
  state(states: string | States): Readonly<Record<string, number>> {
    return this.#readout.state(states);
  }

  /**
   * A motor, by its handle or its name: torque, power, energy, target.
   *
   * @example
   * const { torque, power } = simulation.motor("elbow");
   */
  motor(motor: string | Force<"motor">): MotorReading {
    return this.#readout.motor(motor);
  }

  /**
   * Held outputs of a controller, by name.
   *
   * @example
   * const { torque } = simulation.output("pid");
   */
  output(controller: string | Controller): Readonly<Record<string, number>> {
    return this.#readout.output(controller);
  }

  /**
   * Returns the joint coordinates and velocities along the tree, by name: the minimal state.
   *
   * @example
   * solution.at(2.5).coordinates().positions["elbow angle"];
   */
  coordinates(): JointCoordinateValues {
    return jointCoordinates(this.#readout);
  }

  /** Returns the kinetic energy, the potential energy of gravity and springs, and their sum. */
  energy(): Energy {
    return this.#readout.energy();
  }

  /** Returns the largest constraint violations |Phi| and |dPhi/dt|. */
  constraintError(): ConstraintError {
    return this.#readout.constraintError();
  }

  /** Returns the momentum of all bodies together. */
  momentum(): Vector {
    return this.#readout.momentum();
  }

  /** Returns the angular momentum of all bodies together, about the origin of the world or another point. */
  angularMomentum(about?: VectorLike): Vector {
    return this.#readout.angularMomentum(about);
  }

  /** Returns the force or torque of each drive, by name. */
  driveForces(): Record<string, number> {
    return driveForces(this.#readout, this.time);
  }
}
