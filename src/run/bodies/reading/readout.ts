// Bodies and joints of a simulation by their names, and sums over them.

import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import type { Difference } from "../../../describe/model/compare.js";
import {
  type Body,
  type Controller,
  type Force,
  type Handle,
  type Joint,
  nameGiven,
  type States,
} from "../../../describe/model/handles.js";
import type { Vector } from "../../../describe/model/model-data.js";
import { hint, show, type VectorLike } from "../../../describe/model/option-checks.js";
import { add, ZERO } from "../../../ground/algebra/vectors.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Pushes } from "../../../seam/index.js";
import { carrierOf, firstState } from "../../../systems/bodies/plan/carriers.js";
import { CONTROLLER_OUTPUTS } from "../../../systems/bodies/plan/controller-slots.js";
import type { ConstraintError, Energy } from "../../stepping/inspection.js";
import { rubbing } from "../coordinates/coordinate-reasons.js";
import { JointSpace, type JointSpaceContext } from "../coordinates/joint-space.js";
import { checkJoints, type JointValues } from "../coordinates/joint-values.js";
import { type PlacedState, type PlacingTree, placeJoints } from "../coordinates/place-joints.js";
import { TreeProbe } from "../coordinates/tree-probe.js";
import type { CurrentState } from "../probe/current-state.js";
import { type PoseAndRates, poseOfBody } from "../probe/pose-reading.js";
import { Probe, type ReadModel } from "../probe/probe.js";
import { ForceReading, type ForceReadingOf } from "../reactions/force-reading.js";
import { JointReading, type JointReadingOf, type ReadContext } from "../reactions/joint-reading.js";
import { MotorReading, type SetTarget } from "../reactions/motor-reading.js";
import { Reactions } from "../reactions/reactions.js";
import { BodyReading } from "./body-reading.js";

/** What many readers of one model can share: the memory they work in. */
export interface SharedProbe {
  probe?: Probe;
  reactions?: Reactions;
  treeProbe?: TreeProbe;
}

/** What has names. */
type Lists = "bodies" | "joints" | "forces";

/** Reads a simulation. */
export class Readout implements ReadContext, JointSpaceContext {
  /** Its numbers may change: see {@link adopt}. */
  model: ReadModel;
  readonly present: () => CurrentState;
  blocksOf: readonly (readonly number[])[] = [];
  #shared: SharedProbe;
  #numbers!: Readonly<Record<Lists, ReadonlyMap<string, number>>>;
  readonly #bodies = new Map<string, BodyReading>();
  readonly #joints = new Map<string, JointReading>();
  readonly #forces = new Map<string, ForceReading>();
  readonly #pushes: () => Pushes | undefined;
  #jointSpace: JointSpace | undefined;
  /** Of a state that is pinned. */
  #poses: PoseAndRates[] | undefined;

  /** `pushes` is what acts on the bodies besides the forces of the model. */
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
    this.#listAll();
  }

  /** Numbers what has names, and finds the blocks of each joint. */
  #listAll(): void {
    const { numbers, blocksOf } = listsOf(this.model);
    this.#numbers = numbers;
    this.blocksOf = blocksOf;
  }

  /** The mechanism has other numbers from now on; readings that users hold read these. */
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
    this.#relist();
  }

  /** Reads another model of the same bodies from now on, with the memory that readers of that share. */
  turnTo(model: ReadModel, shared: SharedProbe): void {
    this.model = model;
    this.#shared = shared;
    this.#relist();
  }

  #relist(): void {
    this.#jointSpace = undefined;
    this.#listAll();
    for (const name of this.#joints.keys()) {
      if (!this.#numbers.joints.has(name)) this.#joints.delete(name);
    }
  }

  /** Made when something is read that needs it. */
  get probe(): Probe {
    this.#shared.probe ??= new Probe(this.model, this.present);
    this.#shared.probe.refuseInside();
    this.#shared.probe.lookAt(this.present);
    this.#shared.probe.system.bodies.setPushes(this.#pushes());
    return this.#shared.probe;
  }

  get reactions(): Reactions {
    const { probe } = this;
    this.#shared.reactions ??= new Reactions(this.model, probe);
    return this.#shared.reactions;
  }

  /** Reads one state several times: it does not change meanwhile. */
  pinned<T>(read: () => T): T {
    this.#poses = [];
    try {
      return this.#shared.probe ? this.probe.pinned(read) : read();
    } finally {
      this.#poses = undefined;
    }
  }

  /** Where a body is and how it moves; found once while the state is pinned. */
  poseOf(body: number): PoseAndRates {
    const known = this.#poses?.[body];
    if (known) return known;
    const pose = poseOfBody(this.model.data, this.present(), body);
    if (this.#poses) this.#poses[body] = pose;
    return pose;
  }

  /** Made when joint coordinates are asked for. */
  get treeProbe(): TreeProbe {
    rubbing(this.model.data, () => this.model.report, true);
    return this.#treeProbeOf(this.model.tree);
  }

  /** The present state with joint coordinates that are given. */
  placed(where: string, values: JointValues): PlacedState {
    checkJoints(where, this.model.data, values);
    return placeJoints(where, this.model, this.present(), values, (tree) =>
      this.#treeProbeOf(tree),
    );
  }

  /** Memory to evaluate along a tree: made once for that of the model, each time for others. */
  #treeProbeOf(tree: PlacingTree): TreeProbe {
    if (tree !== this.model.tree) return new TreeProbe(this.model.relativeSystem(tree));
    this.#shared.treeProbe ??= new TreeProbe(this.model.relativeSystem(tree));
    return this.#shared.treeProbe;
  }

  get jointSpace(): JointSpace {
    this.#jointSpace ??= new JointSpace(this);
    return this.#jointSpace;
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

  /** The name of what is given by its handle or its name. */
  #nameOf(kind: Handle["kind"], given: unknown): string {
    const { data } = this.model;
    return nameGiven(data.name, data, given, kind);
  }

  /** A motor; `set` changes its target. */
  motor(motor: string | Force<"motor">, set?: SetTarget): MotorReading {
    return new MotorReading(this, this.#nameOf("force", motor), set);
  }

  /** The outputs of a controller, as they are held. */
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

  /** The unknowns of a set of states, by their names. */
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
        const [body, axis] = carrierOf(plan.model, first + i);
        return [own, v[BODY_VELOCITIES * body + axis]!];
      }),
    );
  }

  /** Of all bodies, and of gravity and springs. */
  energy(): Energy {
    const { system } = this.probe;
    return this.probe.once("energy", () => {
      const [kinetic, potential] = [system.energy.kinetic(), system.energy.potential()];
      return { kinetic, potential, total: kinetic + potential };
    });
  }

  /** Largest |Phi| and |dPhi/dt|. */
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

  #named<T>(known: Map<string, T>, list: Lists, name: string, make: (index: number) => T): T {
    const found = known.get(name);
    if (found) return found;
    const made = make(this.#number(list, name));
    known.set(name, made);
    return made;
  }

  #number(list: Lists, name: string): number {
    const index = this.#numbers[list].get(name);
    if (index !== undefined) return index;
    const names = [...this.#numbers[list].keys()];
    const what = { bodies: "body", joints: "joint", forces: "force" }[list];
    throw new NodriftError(
      "DESCRIPTION",
      `${this.model.data.name}: there is no ${what} ${show(name)}${hint(name, names)}`,
    );
  }
}

interface Listed {
  readonly numbers: Readonly<Record<Lists, ReadonlyMap<string, number>>>;
  readonly blocksOf: readonly (readonly number[])[];
}

/** Every state of a solution has a reader: lists are made once for each model. */
const LISTED = new WeakMap<ReadModel, Listed>();

function listsOf(model: ReadModel): Listed {
  const known = LISTED.get(model);
  if (known) return known;
  const { bodies, joints, forces, userForces } = model.data;
  // Blocks behind those of the joints are rotors'.
  const blocksOf: number[][] = joints.map(() => []);
  for (const [index, { joint }] of model.plan.blocks.entries()) blocksOf[joint]?.push(index);
  const numbers = {
    bodies: numbersOf(bodies),
    joints: numbersOf(joints),
    forces: numbersOf([...forces, ...userForces]),
  };
  const made = { numbers, blocksOf };
  LISTED.set(model, made);
  return made;
}

function numbersOf(list: readonly { readonly name: string }[]): Map<string, number> {
  return new Map(list.map(({ name }, index) => [name, index]));
}
