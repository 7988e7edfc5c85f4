import {
  BODY_POSITIONS,
  BODY_VELOCITIES,
  ForcePart,
  Rank,
  SensorEntry,
  SensorKind,
  type Turn,
  Want,
} from "../../../../assembly/layout-bodies.js";
import { NodeKind, StepSetting } from "../../../../assembly/layout-tree.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address, Segment } from "../../../base/memory/arena.js";
import type {
  BodyAccess,
  ConstraintSolver,
  Constraints,
  Continuation,
  Coordinates,
  Energy,
  Loops,
  PublicCoordinates,
  PublicState,
  Pushes,
  SolverKind,
  StateIndices,
  System,
  UnwrappedAngles,
} from "../../../interfaces/index.js";
import { movingBodies, stateCount } from "../../bodies/plan/carriers.js";
import { isConservative } from "../../bodies/plan/conservative.js";
import { type Constants, holdCouplings } from "../../bodies/plan/plan.js";
import {
  AnglePrediction,
  angleCount,
  SLOW_ROTATION_RAD,
  turnOfStep,
  unwrappedAnglesOf,
} from "../../bodies/system/angle-continuation.js";
import { COMPLIANCE, carryOn, complianceOf } from "../../bodies/system/continuation.js";
import { statesIn } from "../../bodies/system/coordinates.js";
import {
  BodyLoops,
  type MechanismFacts,
  MIN_COMPLIANCE,
  RankKnowledge,
} from "../../bodies/system/loop-ranks.js";
import {
  followsReaction,
  ReactionLoads,
  type ReactionSource,
  type Rubbing,
  rubbingRows,
} from "../../bodies/system/reaction-loads.js";
import { MAX_COORDINATE, stiffAdvice } from "../../bodies/system/solve-errors.js";
import { QuantityDynamics } from "../../system-parts.js";
import { type JointCoordinates, jointCoordinates } from "../plan/joint-coordinates.js";
import type { RelativePlan } from "../plan/relative-plan.js";
import type { PlannedNode } from "../plan/tree-plan.js";
import { RelativeMatrices } from "./matrices.js";
import { RelativeQuantities, TreeMotion } from "./quantities.js";
import { TreeSolver } from "./tree-solver.js";

/** Data of a mechanism in relative coordinates, in addition to its plan. */
interface RelativeFacts extends MechanismFacts {
  /** See PublicState. */
  readonly isAutomatic: boolean;
  /** Joint error that states of the bodies may have: see PublicState. */
  readonly misfit: number;
  /** Creates the mechanism in maximal coordinates, with its own memory. */
  maximal(): System;
}

// Forces that joints of a tree transmit. They are not multipliers, since coordinates of the tree leave no rows. But
// the outboard bodies of a joint (its subtree) accelerate under the forces on them, and the difference is transmitted
// by the joint. With accelerations u' of the bodies, forces F of laws and external loads, and multipliers l of the
// remaining rows,
//
//   f = sum over the subtree of (M u' - F - J^T l),   of the linear parts in the world.
//
// The length of f is that of the vector of the joint's force rows in maximal coordinates: these are orthonormal, and
// its other rows contribute no force. Joints that are cut have their rows. Rejected: multipliers of the mechanism in
// maximal coordinates, whose solve would cost more than the tree saves.

/** Source of a joint's force: outboard bodies, or rows. */
interface ForceSource {
  readonly bodies: readonly number[];
  readonly rows: readonly number[];
}

class TreeReactions implements ReactionSource {
  readonly rubbing: readonly Rubbing[];
  readonly #places: readonly ForceSource[];
  readonly #system: RelativeQuantities;
  readonly #solver: TreeSolver;
  readonly #motion: TreeMotion;
  readonly #accelerations: Address;
  readonly #multipliers: Segment;
  #found = new Float64Array(0);
  #rest = new Float64Array(0);

  constructor(system: RelativeQuantities, solver: TreeSolver) {
    const { workspace, bodyQuantities: bodies, plan } = system;
    this.#system = system;
    this.#solver = solver;
    this.#motion = new TreeMotion(system);
    this.#accelerations = workspace.vector("accelerations for friction", system.velocities);
    this.#multipliers = workspace.reserve("multipliers for friction", system.rows);
    const { joints } = plan.rest.model;
    const found = rubbingRows(bodies).map(({ reaction, rows, ...rest }) => {
      const joint = joints.findIndex(({ name }) => name === reaction);
      return { ...rest, rows, bodies: bodiesBehind(system, joint) };
    });
    this.#places = found;
    this.rubbing = found.map(({ name, slot, bodies: behind, rows }) => ({
      name,
      slot,
      size: behind.length > 0 ? 3 : rows.length,
    }));
    workspace.whenSealed((arena) => {
      this.#found = arena.floats(this.#multipliers);
      const { rest: address } = this.#motion;
      this.#rest = arena.floats({ name: "forces of joints", address, slots: bodies.velocities });
    });
  }

  forget(): void {
    this.#system.forgetForces();
  }

  read(out: Float64Array): void {
    const { address: multipliers } = this.#multipliers;
    this.#solver.motion(this.#system.gamma(), this.#accelerations, multipliers);
    this.#motion.find(this.#accelerations);
    this.#motion.addBias();
    this.#motion.balance(multipliers);
    let at = 0;
    for (let j = 0; j < this.#places.length; j++) {
      const { bodies, rows } = this.#places[j]!;
      if (bodies.length === 0) {
        for (let i = 0; i < rows.length; i++) out[at++] = this.#found[rows[i]!]!;
        continue;
      }
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (let i = 0; i < bodies.length; i++)
          sum -= this.#rest[BODY_VELOCITIES * bodies[i]! + axis]!;
        out[at++] = sum;
      }
    }
  }
}

/** Outboard bodies of a joint of the tree; empty for a cut joint. */
function bodiesBehind({ plan }: RelativeQuantities, joint: number): number[] {
  const { nodes, nodeOf } = plan.tree;
  return nodeOf.flatMap((own, body) => {
    for (let node = own; node >= 0; node = nodes[node]!.parent) {
      if (nodes[node]!.joint === joint) return [body];
    }
    return [];
  });
}

/** The last conversion, for a plan that all runs of a compiled model share. */
interface ConvertedState {
  readonly given: Float64Array;
  readonly reference: Float64Array;
  readonly found: JointCoordinates;
}

const readings = new WeakMap<RelativePlan, ConvertedState>();

const areSame = (a: Float64Array, b: Float64Array) => a.every((x, i) => Object.is(x, b[i]));

/**
 * Returns the joint coordinates of a public state, q and then v. Most runs of a compiled model have the same initial
 * state, which is converted once.
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

/** Conversion between states of bodies and states of the tree. */
class Publication implements PublicState<System> {
  readonly coordinates: PublicCoordinates;
  readonly isAutomatic: boolean;
  readonly misfit: number;
  readonly #system: RelativeQuantities;
  #make: () => System;
  readonly #axes: Address;
  readonly #published: Address;
  #made: System | undefined;
  #pushes: Pushes | undefined;
  #floats: (segment: Segment) => Float64Array = () => new Float64Array(0);

  constructor(system: RelativeQuantities, { isAutomatic, misfit, maximal }: RelativeFacts) {
    const { bodyQuantities: bodies, workspace } = system;
    this.#system = system;
    this.#make = maximal;
    this.isAutomatic = isAutomatic;
    this.misfit = misfit;
    const { bodies: real } = system.plan.rest.model;
    this.coordinates = {
      positions: bodies.positions,
      velocities: bodies.velocities,
      get positionNames() {
        return bodies.positionNames;
      },
      get velocityNames() {
        return bodies.velocityNames;
      },
      rigidBodies: real.slice(0, movingBodies(real)),
      states: statesIn(bodies),
      positionScale: 0,
    };
    this.#axes = workspace.vector("axes of a node", 9);
    this.#published = workspace.vector("public state", bodies.positions + bodies.velocities);
    workspace.whenSealed((arena) => {
      this.#floats = (segment) => arena.floats(segment);
    });
  }

  write(from: Address, out: Address): void {
    const { kernels, table, positions, bodyQuantities: bodies } = this.#system;
    const v = from + 8 * positions;
    kernels.treePublish(table, from, v, this.#axes, out, out + 8 * bodies.positions);
  }

  /** Returns the velocities of the bodies for the q and v at `from`, in memory that the next call overwrites. */
  bodies(from: Address): Address {
    this.write(from, this.#published);
    return this.#published + 8 * this.#system.bodyQuantities.positions;
  }

  read(from: Address, out: Address): number {
    const { positions, velocities, bodyQuantities: bodies, plan } = this.#system;
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

  /** Replaces masses or forces of the mechanism; an existing maximal system is `update`d. */
  adopt(make: () => System, update: (made: System) => void): void {
    this.#make = make;
    if (this.#made) update(this.#made);
  }

  /** Sets loads that act in addition to the forces of the model. */
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

  /** Returns the current unwrapped angles; other coordinates unchanged. */
  #reference(q: Float64Array): Float64Array {
    const { tree, rest } = this.#system.plan;
    const { data } = this.#system.bodyQuantities.arrays;
    const reference = q.slice();
    for (const { sensor, position } of tree.nodes) {
      if (rest.model.sensors[sensor]?.kind !== SensorKind.ANGLE) continue;
      const slot = rest.sensorList[SensorEntry.LENGTH * sensor + SensorEntry.DATA]!;
      reference[position] = data[slot]!;
    }
    return reference;
  }
}

/** Energies of a mechanism in relative coordinates: those of its bodies. */
class RelativeEnergy implements Energy {
  readonly hasPotential = true;
  readonly #system: RelativeQuantities;
  readonly #momenta: Address;
  readonly #forces: Address;

  constructor(system: RelativeQuantities) {
    const { workspace, bodyQuantities: bodies } = system;
    this.#system = system;
    this.#momenta = workspace.vector("momenta", bodies.velocities);
    this.#forces = workspace.vector("forces of energies", system.velocities);
  }

  get isConservative(): boolean {
    return isConservative(this.#system.plan.rest.model);
  }

  potential(): number {
    const { bodyQuantities: bodies } = this.#system;
    bodies.requireFrames();
    return bodies.kernels.bodyPotential(bodies.table);
  }

  kinetic(): number {
    const { bodyQuantities: bodies, workspace } = this.#system;
    bodies.requireFrames();
    bodies.massTimes(bodies.trial.v, this.#momenta);
    return workspace.kernels.dot(bodies.movingVelocities, bodies.trial.v, this.#momenta) / 2;
  }

  power(): number {
    const { bodyQuantities: bodies, workspace } = this.#system;
    bodies.requireFrames();
    const loads = bodies.loads(ForcePart.OTHER);
    return workspace.kernels.dot(bodies.movingVelocities, loads, bodies.trial.v);
  }

  potentialGradient(out: Address): void {
    const { bodyQuantities: bodies, kernels, table, workspace, velocities } = this.#system;
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

/** Forces, masses and the solver of a tree. */
class RelativeDynamics extends QuantityDynamics<RelativeQuantities, TreeSolver> {
  readonly #ranks: RankKnowledge;

  constructor(system: RelativeQuantities, ranks: RankKnowledge) {
    super(system);
    this.#ranks = ranks;
  }

  solver(kind: SolverKind): ConstraintSolver {
    if (kind !== "auto" && kind !== "cholesky") {
      throw new NodriftError(
        "METHOD",
        `${this.quantities.bodyQuantities.name}: the solver "${kind}" works on dense matrices, which relative coordinates do not ` +
          'have: compile with coordinates: "maximal"',
      );
    }
    return this.treeSolver(kind);
  }

  /** Returns the solver with its own type. */
  treeSolver(kind: "auto" | "cholesky"): TreeSolver {
    return this.known(kind) ?? this.keep(kind, new TreeSolver(this.quantities, this.#ranks, kind));
  }
}

/** Joint coordinates along a tree. */
class RelativeCoordinates implements Coordinates {
  readonly positions: number;
  readonly velocities: number;
  readonly ratesAreVelocities: boolean;
  readonly states: StateIndices;
  readonly positionScale = 0;
  readonly #system: RelativeQuantities;

  constructor(system: RelativeQuantities) {
    this.#system = system;
    this.positions = system.positions;
    this.velocities = system.velocities;
    const count = stateCount(system.plan.rest.model);
    // Nodes are in the order of bodies, and those that carry states are the last.
    this.states = {
      firstPosition: this.positions - count,
      firstVelocity: this.velocities - count,
      idle: 0,
    };
    // Only Euler parameters differ in number from their velocities.
    this.ratesAreVelocities = system.positions === system.velocities;
  }

  get positionNames(): readonly string[] {
    return this.#system.positionNames;
  }

  get velocityNames(): readonly string[] {
    return this.#system.velocityNames;
  }

  positionRate(v: Address, scale: number, correction: Address, out: Address): void {
    const { kernels, table } = this.#system;
    kernels.treePositionRate(table, v, scale, correction, out);
  }

  displace(q: Address, displacement: Address, turn?: Turn): void {
    this.#system.displace(q, displacement, turn);
  }

  useUnnormalised(): void {}

  normalise(q: Address): void {
    this.#system.normalise(q);
  }
}

/**
 * A tenth of the compliance of maximal coordinates. It affects only rows that close loops, each relative to the
 * largest of its joint, so less of it suffices. On four-bars that come in line from six starts it takes the error of
 * positions from 6e-7 m to 3e-8 m at worst, on forty four-bars in a row from 2.6e-7 to 5e-8; a hundredth is no better.
 */
const COMPLIANCE_PER_ROTATION = 1 / 250;

/** Indices of the velocities of a node that rotate bodies, among the velocities of a tree. */
function angularVelocities({ kind, velocity }: PlannedNode): number[] {
  switch (kind) {
    case NodeKind.HINGE:
    case NodeKind.SCREW:
      return [velocity];
    case NodeKind.BALL:
      return [velocity, velocity + 1, velocity + 2];
    case NodeKind.FREE:
      return [velocity + 3, velocity + 4, velocity + 5];
    default:
      return [];
  }
}

/** Unwrapped angles, coupling offsets, and the compliance of each step. */
class RelativeContinuation implements Continuation {
  readonly actsBetweenSteps = true;
  readonly doubts = [];
  #angles: UnwrappedAngles | undefined;
  readonly #system: RelativeQuantities;
  readonly #ranks: RankKnowledge;
  readonly #loops: Loops | undefined;
  readonly #published: Publication;
  /** Angles that are coordinates of the tree, which are unwrapped already. */
  readonly #own: { readonly positions: Int32Array; readonly slots: Int32Array };
  /** Whether other angles are counted from step to step, which limits the rotation of bodies in one step. */
  readonly #counts: boolean;
  readonly #counted: { readonly address: Address; readonly count: number };
  readonly #turn: number;
  /** Indices of the angular velocities of the tree. */
  readonly #turning: Int32Array;
  #state = new Float64Array(0);
  readonly #settingsAddress: Address;
  #settings = new Float64Array(0);

  constructor(
    system: RelativeQuantities,
    ranks: RankKnowledge,
    loops: Loops | undefined,
    published: Publication,
    length: number,
  ) {
    const { rest, tree } = system.plan;
    this.#system = system;
    this.#ranks = ranks;
    this.#loops = loops;
    this.#published = published;
    const isAngle = (sensor: number) => rest.model.sensors[sensor]?.kind === SensorKind.ANGLE;
    const own = tree.nodes.filter(({ sensor }) => isAngle(sensor));
    this.#own = {
      positions: Int32Array.from(own, ({ position }) => position),
      slots: Int32Array.from(
        own,
        ({ sensor }) => rest.sensorList[SensorEntry.LENGTH * sensor + SensorEntry.DATA]!,
      ),
    };
    const owned = new Set(tree.nodes.map(({ sensor }) => sensor));
    const counted = [...rest.model.sensors.keys()].filter((i) => isAngle(i) && !owned.has(i));
    const list = system.workspace.reserve("counted angles", Math.ceil(counted.length / 2));
    this.#counted = { address: list.address, count: counted.length };
    this.#counts = counted.length > 0;
    this.#turning = Int32Array.from(tree.nodes.flatMap(angularVelocities));
    this.#turn = this.#counts ? turnOfStep(rest) : Number.POSITIVE_INFINITY;
    system.bodyQuantities.prediction = new AnglePrediction(
      {
        plan: rest,
        get arrays() {
          return system.bodyQuantities.arrays;
        },
        load: (t) => system.load(t),
        requireSensors: (want) => system.bodyQuantities.requireSensors(want),
        angularRate: () => this.#angularRate(),
        angularBound: () => this.#angularBound(),
      },
      (sensor) => !owned.has(sensor),
    );
    const settings = system.workspace.reserve("settings of steps", StepSetting.LENGTH);
    this.#settingsAddress = settings.address;
    // Sensors that rows read are continued in each step, and Euler parameters are normalised.
    const isUsed = (sensor: number) =>
      rest.sensorList[SensorEntry.LENGTH * sensor + SensorEntry.USED] !== 0;
    const isPlain =
      tree.positions === tree.velocities && ![...rest.model.sensors.keys()].some(isUsed);
    if (isPlain) system.stepSettings = settings.address;
    system.workspace.whenSealed((arena) => {
      this.#state = arena.floats(system.segments.state);
      arena.integers(list).set(counted);
      this.#settings = arena.floats(settings);
      this.#settings[StepSetting.REACH] = length;
      this.#settings[StepSetting.PER_TURN] = COMPLIANCE_PER_ROTATION;
      this.#settings[StepSetting.LEAST] = MIN_COMPLIANCE;
      this.#settings[StepSetting.MOST] = COMPLIANCE.most;
      this.#settings[StepSetting.COUNTED] = counted.length;
      this.#settings[StepSetting.COUNTED_LIST] = list.address;
      this.#settings[StepSetting.BLOWN_UP] = MAX_COORDINATE;
      this.#settings[StepSetting.SLOW_TURN] = SLOW_ROTATION_RAD;
    });
  }

  get unwrappedAngles(): UnwrappedAngles {
    this.#angles ??= this.#unwrappedAnglesOf();
    return this.#angles;
  }

  /** The end of a step is the beginning of the next, so its quantities are kept. */
  beginStep(t: number, h: number): void {
    const system = this.#system;
    const { kernels, bodyQuantities: bodies } = system;
    bodies.factor.isKept = false;
    // Sensors depend on time while they are predicted.
    const isPredicted = this.#counts && bodies.prediction.begin(t, h);
    system.keepsStates = h !== 0 && !isPredicted;
    const follows = this.#ranks.known === Rank.KNOWN && !this.#loops?.controlsError;
    this.#settings[StepSetting.CIRCULAR_REASON] = follows ? 1 : 0;
    if (!follows) return;
    if (h === 0) {
      // The state is about to be set.
      this.#ranks.compliance = complianceOf(0);
      return;
    }
    system.load(t);
    bodies.requireFrames();
    this.#ranks.compliance = kernels.treeCompliance(system.table, h, this.#settingsAddress);
  }

  useFixedSteps(): void {}

  stepLimit(): number {
    if (!this.#counts) return Number.POSITIVE_INFINITY;
    return this.#turn / this.#angularRate();
  }

  finaliseState(t: number): void {
    const system = this.#system;
    system.bodyQuantities.factor.isKept = false;
    system.requireFinite(t);
    system.normalise(system.state.q);
    this.#keepAngles();
    if (!this.#counts) return;
    system.load(t);
    // Evaluates frames, which rows need as well.
    system.bodyQuantities.require(Want.PHI);
    system.bodyQuantities.prediction.confirm(t);
    const { address, count } = this.#counted;
    system.kernels.bodyContinueSome(system.bodyQuantities.table, count, address);
  }

  get hasBreaks(): boolean {
    return this.#system.plan.rest.model.controllers.length > 0;
  }

  arrive(t: number): boolean {
    const system = this.#system;
    // Before the closure below is created: steps without samples must not allocate.
    if (!system.bodyQuantities.controllers.isDue(t)) return false;
    return system.bodyQuantities.arrive(t, () => {
      system.keepsStates = false;
      system.load(t);
    });
  }

  nextBreak(t: number): number {
    return this.#system.bodyQuantities.controllers.nextBreak(t);
  }

  continueFrom(previous: Continuation, t: number): void {
    this.#system.keepsStates = false;
    const { plan, bodyQuantities: bodies } = this.#system;
    carryOn(previous, this.constants, () =>
      holdCouplings(
        {
          plan: plan.rest,
          arrays: bodies.arrays,
          sensorValues: () => this.#system.sensorValues(t),
        },
        t,
      ),
    );
  }

  get constants(): Constants {
    const { plan, bodyQuantities: bodies } = this.#system;
    return { ...plan.rest, data: bodies.arrays.data };
  }

  /**
   * The same values as in maximal coordinates: threads of screws, which are not rows here, hold their initial values.
   */
  #unwrappedAnglesOf(): UnwrappedAngles {
    const { rest, whole } = this.#system.plan;
    const data = () => this.#system.bodyQuantities.arrays.data;
    const own = unwrappedAnglesOf(rest, data);
    const all = unwrappedAnglesOf(whole, () => Float64Array.from(whole.data));
    const numbers = new Float64Array(all.count);
    all.read(numbers);
    const angles = angleCount(rest);
    const others = own.names.slice(angles);
    const places = all.names.map((name, i) => {
      if (i < angles) return i;
      const place = others.indexOf(name);
      return place < 0 ? -1 : angles + place;
    });
    const few = new Float64Array(own.count);
    return {
      count: all.count,
      names: all.names,
      // Written values stay until the state is final, since angles are set before the state they belong to.
      read: (out) => {
        own.read(few);
        for (let i = 0; i < out.length; i++) {
          const place = places[i]!;
          out[i] = place < 0 ? numbers[i]! : few[place]!;
        }
      },
      write: (from) => {
        this.#system.keepsStates = false;
        for (let i = 0; i < from.length; i++) if (places[i]! >= 0) few[places[i]!] = from[i]!;
        own.write(few);
      },
    };
  }

  /** Sensors of tree joints are unwrapped by the coordinate itself. */
  #keepAngles(): void {
    const { data } = this.#system.bodyQuantities.arrays;
    const { positions, slots } = this.#own;
    const state = this.#state;
    for (let i = 0; i < slots.length; i++) data[slots[i]!] = state[positions[i]!]!;
  }

  /**
   * No body rotates faster than all joints of the tree together. That bound is usually small enough, and bodies need
   * not be evaluated.
   */
  #angularBound(): number {
    const { positions } = this.#system;
    let sum = 0;
    for (let i = 0; i < this.#turning.length; i++) {
      sum += Math.abs(this.#state[positions + this.#turning[i]!]!);
    }
    return sum;
  }

  /** The largest angular velocity of a body at the accepted state. */
  #angularRate(): number {
    const { kernels, bodyQuantities: bodies, state } = this.#system;
    return kernels.bodyAngularRate(bodies.table, this.#published.bodies(state.q));
  }
}

/** The rows of cut joints, couplings, drives and the user's constraints. */
class RelativeConstraints implements Constraints {
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
    this.areTimeless = system.bodyQuantities.areRowsTimeless;
    // Angles do not reveal the size of a small mechanism, so its rows must.
    this.residualUnit = Math.min(1, length);
  }

  // Without rows nothing has to be evaluated.
  phi(): Address {
    const { bodyQuantities: bodies, rows } = this.#system;
    return rows === 0 ? bodies.segments.phi.address : bodies.phi();
  }

  phiDot(): Address {
    const { bodyQuantities: bodies, rows } = this.#system;
    if (rows === 0) return bodies.segments.phiDot.address;
    this.#system.useRates();
    return bodies.phiDot();
  }

  gamma(): Address {
    return this.#system.gamma();
  }

  jacobianTimes(x: Address, out: Address): void {
    const { bodyQuantities: bodies } = this.#system;
    bodies.require(Want.PHI | Want.JACOBIAN);
    bodies.kernels.bodyJacobianTimes(bodies.table, this.#system.bodyVelocities(x), out);
  }

  jacobianTransposeTimes(lambda: Address, out: Address): void {
    const { bodyQuantities: bodies, bodyVector } = this.#system;
    bodies.require(Want.PHI | Want.JACOBIAN);
    bodies.kernels.bodyJacobianTransposeTimes(bodies.table, lambda, bodyVector);
    this.#system.jointForces(bodyVector, out);
  }
}

/** Rigid bodies with joints, in joint coordinates along a tree; only cut joints have rows. */
export class RelativeSystem extends RelativeQuantities implements System {
  readonly coordinates: RelativeCoordinates;
  readonly constraints: RelativeConstraints;
  readonly ranks: RankKnowledge;
  readonly dynamics: RelativeDynamics;
  readonly energy: RelativeEnergy;
  readonly loops: BodyLoops | undefined;
  readonly continuation: RelativeContinuation;
  readonly matrices: RelativeMatrices;
  readonly publicState: Publication;
  readonly bodies: BodyAccess;

  constructor(plan: RelativePlan, module: WebAssembly.Module, facts: RelativeFacts) {
    const { length, degreesOfFreedom, ranks, nearlyFits = false } = facts;
    super(plan, module);
    const closesLoops = plan.closing.includes(true);
    const ranked = this.rankedRows;
    this.coordinates = new RelativeCoordinates(this);
    this.bodies = {
      count: plan.rest.model.bodies.length,
      stiffAdvice: stiffAdvice(plan.rest.model),
      frames: () => {
        this.bodyQuantities.requireFrames();
        return this.bodyQuantities.arrays.frames;
      },
      sensors: (withJacobians) => this.bodyQuantities.sensorRecords(withJacobians),
      forces: (onBodies, out) => this.jointForces(onBodies, out),
      velocities: (v, out) => {
        const found = this.bodyVelocities(v);
        const { kernels } = this.workspace;
        kernels.copyVector(this.bodyQuantities.velocities, found, out);
      },
      angularRate: () => {
        const { kernels, bodyQuantities: bodies, state } = this;
        return kernels.bodyAngularRate(bodies.table, this.publicState.bodies(state.q));
      },
      setPushes: (pushes) => {
        this.push(pushes);
        this.publicState.setPushes(pushes);
      },
    };
    this.constraints = new RelativeConstraints(this, degreesOfFreedom, length);
    this.ranks = new RankKnowledge(ranked, closesLoops);
    if (ranks) this.workspace.whenSealed(() => this.ranks.learn(ranks));
    this.dynamics = new RelativeDynamics(this, this.ranks);
    if (followsReaction(this.bodyQuantities)) {
      const reactions = new TreeReactions(this, this.dynamics.treeSolver("auto"));
      this.bodyQuantities.reactionLoads = new ReactionLoads(this.bodyQuantities, reactions);
    }
    this.energy = new RelativeEnergy(this);
    this.matrices = new RelativeMatrices(this, length);
    const { constraints, dynamics } = this;
    this.loops = closesLoops
      ? new BodyLoops({ ...ranked, constraints, dynamics, ranks: this.ranks }, nearlyFits)
      : undefined;
    this.publicState = new Publication(this, facts);
    this.continuation = new RelativeContinuation(
      this,
      this.ranks,
      this.loops,
      this.publicState,
      length,
    );
  }

  /**
   * Adopts the masses, gravity and forces of a plan that is otherwise equal. `maximal` creates the mechanism in
   * maximal coordinates with them, and `update` changes an existing one.
   */
  adopt(plan: RelativePlan, maximal: () => System, update: (made: System) => void): void {
    this.adoptValues(plan);
    this.publicState.adopt(maximal, update);
  }
}
