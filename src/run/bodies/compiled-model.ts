import { argument, optionsOf } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { CoordinateChoice, StateData, System, SystemSource } from "../../interfaces/index.js";
import { type Difference, differenceOf, differsInLoadsOnly, same } from "../../model/compare.js";
import { type Force, type Joint, partNames } from "../../model/handles.js";
import type { ModelData } from "../../model/model-data.js";
import type { Description, ModelSettings, SetNumbers } from "../../model/settings.js";
import {
  type AssemblyReport,
  initialStateOf,
  sizeOf,
} from "../../systems/bodies/initial-state/initial-state.js";
import {
  hasDrives,
  modelWithout,
  withDrivesStopped,
} from "../../systems/bodies/plan/model-variants.js";
import {
  type Constants,
  carryCouplings,
  type Plan,
  planModel,
  withLoads,
} from "../../systems/bodies/plan/plan.js";
import { constraintReport } from "../../systems/bodies/redundancy/constraint-report.js";
import { findDependentBlocks } from "../../systems/bodies/redundancy/parallel-joints.js";
import { type Examination, Examiner, examine } from "../../systems/bodies/redundancy/redundancy.js";
import { carryAngles, unwrappedAnglesOf } from "../../systems/bodies/system/angle-continuation.js";
import type { LoopRanks } from "../../systems/bodies/system/loop-ranks.js";
import { BodySystem } from "../../systems/bodies/system/system.js";
import { pinsWithin, type TreePins } from "../../systems/relative/plan/choose-tree.js";
import {
  planRelative,
  type RelativePlan,
  withoutRows,
  withTreeLoads,
} from "../../systems/relative/plan/relative-plan.js";
import {
  areFarApart,
  type RankedTree,
  relativeRanks,
  treeWithoutForces,
  zeroRows,
} from "../../systems/relative/redundancy/relative-ranks.js";
import { RelativeSystem } from "../../systems/relative/system/system.js";
import { heldStateOf } from "../contact/joint-locks.js";
import { unwrappedAnglesNow } from "../stepping/state-options.js";
import {
  type CompiledOptions,
  type OwnOptions,
  startKey,
  withoutStartOptions,
} from "./compile-options.js";
import {
  chosenCoordinates,
  MAX_MISFIT,
  MISFIT_TOLERANCE,
  OPEN_TOLERANCE,
  openness,
} from "./coordinates/coordinate-reasons.js";
import { checkJoints, type JointValues, jointValues } from "./coordinates/joint-values.js";
import { placeJoints } from "./coordinates/place-joints.js";
import { type ModelReport, modelReport } from "./coordinates/tree-report.js";
import { currentState } from "./probe/current-state.js";
import type { PlannedTree } from "./probe/planned-tree.js";
import type { SharedProbe } from "./reading/readout.js";
import { BodyState } from "./reading/readout.js";
import { refuseThreads, withCentres } from "./simulation/mechanism.js";
import {
  BODY_SIMULATION_SHAPE,
  BodySimulation,
  type BodySimulationOptions,
} from "./simulation/simulation.js";

// Initial state and description of a compiled model.

/** Source of a known initial state: angles and couplings continue from those of its plan. */
interface StartSource {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly assembly: AssemblyReport;
  readonly plan: Constants;
}

/** Description of a model, and the values set since. */
interface Described<Model> {
  readonly description: Description;
  readonly settings: ModelSettings;
  /** A compiled model of the same mechanism with other masses, gravity or forces: all else is reused. */
  readonly reuse?: Model | undefined;
}

/** An initial state, and the memory in which it was found. */
interface StartState extends ReturnType<typeof initialStateOf> {
  readonly examiner?: Examiner | undefined;
}

/**
 * Assembles the described initial state. If it is far from assembled, representatives of parallel joints may close
 * while their dependent joints cannot: then all joints are treated alike.
 */
function assembledStart(
  plan: Plan,
  starting: Pick<Parameters<typeof initialStateOf>[0], "time" | "length" | "options" | "make">,
): StartState {
  let examiner: Examiner | undefined;
  const prepare = (system: BodySystem) => {
    if (plan.hasLoops) examiner = new Examiner(system, starting.length);
  };
  try {
    return { ...initialStateOf({ ...starting, plan, prepare }), examiner };
  } catch (error) {
    const isOpen = error instanceof NodriftError && error.code === "ASSEMBLY";
    if (!isOpen || plan.follows.every((leaders) => leaders.length === 0)) throw error;
    const equalPlan = planModel(plan.model, plan.unnormalised);
    const start = initialStateOf({ ...starting, plan: equalPlan });
    carryAngles(equalPlan, plan);
    carryCouplings(equalPlan, plan);
    return start;
  }
}

/** Copies a known initial state for a plan, whose angles and couplings continue from it. */
function carriedStart({ q, v, assembly, plan }: StartSource, onto: Plan): StartState {
  carryAngles(plan, onto);
  carryCouplings(plan, onto);
  return { q: q.slice(), v: v.slice(), assembly };
}

// The tree of a compiled model, and systems that adopt its values.

/** Plans the tree without rows that are always zero, with the ranks of the remaining rows. */
function plannedTree(
  bodies: Plan,
  q: Float64Array,
  pins: TreePins,
  ranked: (plan: RelativePlan) => RankedTree,
): PlannedTree {
  const whole = planRelative(bodies, q, pinsWithin(bodies.model, pins));
  const { make, time } = ranked(whole);
  const zero = zeroRows(make(treeWithoutForces(whole)), time);
  const plan = zero.size > 0 ? withoutRows(whole, zero) : whole;
  const ranks = relativeRanks(ranked(plan));
  return { plan, ranks, zeroRows: [...zero].map((row) => whole.rest.rowNames[row]!) };
}

/** Returns the tree for other masses and forces. */
function treeWithLoads({ plan, ...rest }: PlannedTree, whole: Plan): PlannedTree {
  return { ...rest, plan: withTreeLoads(plan, whole) };
}

/** A compiled model whose values a system adopts. */
interface Adjusting {
  readonly plan: Plan;
  readonly tree: PlannedTree;
  bodySystem(): BodySystem;
}

/** Writes the masses, gravity and forces of this model into a system created by another one. */
function adjustTo(model: Adjusting, system: System): void {
  if (system instanceof BodySystem) system.adopt(model.plan);
  else if (system instanceof RelativeSystem) {
    system.adopt(
      model.tree.plan,
      () => model.bodySystem(),
      (made) => adjustTo(model, made),
    );
  }
}

type ModelSource = Described<CompiledModel>;

/**
 * A compiled model: numbered, assembled and checked for redundant constraints. Created by {@link compile}.
 *
 * @example
 * console.log((await compile(m)).report.notes);
 */
export class CompiledModel implements SystemSource<BodyState> {
  /** The name of the model. */
  readonly name: string;
  /** The model as plain data. */
  readonly data: ModelData;
  /** Initial positions after assembly: centre of mass and Euler parameters of each body. */
  readonly q: Float64Array;
  /** Initial velocities: of the centre of mass, and angular in the body's axes. */
  readonly v: Float64Array;
  /** Initial time in seconds. */
  readonly time: number;
  /** @internal Rank and redundancy of its rows. */
  readonly examination: Examination;
  /** A characteristic length of the model. */
  readonly length: number;
  /** Changes of the described state by assembly. */
  readonly assembly: AssemblyReport;
  /** Memory layout of bodies, rows and forces. */
  readonly plan: Plan;
  /** Values set since it was described. */
  readonly settings: ModelSettings;
  readonly #module: WebAssembly.Module;
  readonly #ranks: LoopRanks | undefined;
  #nearlyFits = false;
  /** Opening of the joints in the initial state, beyond the misfit of their geometry. */
  #open = 0;
  #degreesOfFreedom: number | undefined;
  readonly #shared: SharedProbe = {};
  /** Coordinates of its systems, and the reason. */
  readonly coordinateChoice: CoordinateChoice;
  readonly #description: Description;
  readonly #options: OwnOptions;
  /** Whether its initial state is the described one, not one of a run or by joint coordinates. */
  readonly #isAssembled: boolean;
  #report: ModelReport | undefined;
  #tree: PlannedTree | undefined;
  /** Joint coordinates given for the initial state. */
  #joints: JointValues | undefined;
  #start: BodyState | undefined;

  constructor(
    data: ModelData,
    module: WebAssembly.Module,
    time: number,
    options: OwnOptions,
    { description, settings, reuse }: ModelSource,
    whole?: StartSource,
  ) {
    this.name = data.name;
    this.data = data;
    this.time = time;
    this.settings = settings;
    this.#description = description;
    this.#module = module;
    this.#options = options;
    const { unnormalisedEulerParameters: plain = false } = options;
    this.#isAssembled = reuse ? reuse.#isAssembled : whole === undefined;
    this.length = reuse?.length ?? sizeOf(data);
    const bare = (plan: Plan, length: number) => new BodySystem(plan, module, { length });
    this.plan = reuse
      ? withLoads(reuse.plan, data)
      : planModel(data, plain, findDependentBlocks(data, time, bare));
    const make = (plan: Plan) => this.bodySystem(plan);
    const { q, v, assembly, examiner }: StartState = reuse
      ? { q: reuse.q, v: reuse.v, assembly: reuse.assembly }
      : whole
        ? carriedStart(whole, this.plan)
        : assembledStart(this.plan, { time, length: this.length, options, make });
    this.q = q;
    this.v = v;
    this.assembly = assembly;
    const examination =
      reuse?.examination ??
      examine({ plan: this.plan, q, v, time, length: this.length, make }, examiner);
    this.examination = examination;
    this.#ranks = examination.ranks;
    const misfit = examination.misfits[0]?.size ?? 0;
    this.#nearlyFits = Math.max(misfit, assembly.residual / this.length) > MISFIT_TOLERANCE;
    this.#open = openness(assembly, misfit, this.length);
    this.#degreesOfFreedom = examination.degreesOfFreedom;
    if (reuse) {
      this.#joints = reuse.#joints;
      this.#tree = reuse.#tree && treeWithLoads(reuse.#tree, this.plan);
    }
    this.coordinateChoice = reuse ? reuse.coordinateChoice : this.#choose();
  }

  /** Rank, redundant rows and notes. */
  get report(): ModelReport {
    this.#report ??= modelReport(
      constraintReport(this, this.examination),
      this.coordinateChoice,
      () => this.tree,
    );
    return this.#report;
  }

  /** Creates a system with memory of its own, for methods to integrate. */
  system(): System {
    return this.coordinateChoice.kind === "maximal"
      ? this.bodySystem()
      : this.relativeSystem(this.tree);
  }

  /** Creates a system in relative coordinates along a tree. */
  relativeSystem({ plan, ranks }: Pick<PlannedTree, "plan" | "ranks">): RelativeSystem {
    return new RelativeSystem(plan, this.#module, {
      length: this.length,
      degreesOfFreedom: this.#degreesOfFreedom,
      ranks,
      nearlyFits: this.#nearlyFits,
      isAutomatic: (this.#options.coordinates ?? "auto") === "auto",
      misfit: this.#nearlyFits && !(this.#open > OPEN_TOLERANCE) ? MAX_MISFIT * this.length : 0,
      maximal: () => this.bodySystem(),
    });
  }

  /** The tree of joint coordinates, planned on first use. */
  get tree(): PlannedTree {
    this.#tree ??= plannedTree(this.plan, this.q, this.#options.tree ?? {}, (plan) =>
      this.#ranked(plan),
    );
    return this.#tree;
  }

  #choose(): CoordinateChoice {
    return chosenCoordinates(this, {
      asked: this.#options.coordinates ?? "auto",
      open: this.#open,
      ranked: () => this.#ranked(this.tree.plan),
    });
  }

  /** A tree, and the pose and time at which its rank is examined. */
  #ranked(plan: RelativePlan): RankedTree {
    const { q, v, time } = this;
    const { poses: examined } = this.examination;
    const poses = examined.length > 0 ? examined : [{ q, v }];
    const make = (each: RelativePlan) => this.relativeSystem({ plan: each, ranks: undefined });
    return { plan, poses, time, length: this.length, make };
  }

  /**
   * Returns a copy with other values of parameters, or of a body, marker, joint or force. It is bitwise the model that
   * {@link compile} would create with them. Throws if the structure would change.
   *
   * @example
   * const heavy = system.with({ k: 1e4 }).with("crank", { mass: 3 });
   */
  readonly with: SetNumbers<CompiledModel> = (...given: readonly unknown[]) =>
    this.withSettings(this.settingsAfter("with", given)).model;

  /** Parameters of the model with their present values. */
  get parameters() {
    return this.#description.parameters(this.settings);
  }

  /** Returns the settings after one more call of `set`. */
  settingsAfter(where: string, given: readonly unknown[]): ModelSettings {
    return this.#description.change(this.settings, where, given);
  }

  /** Returns a copy with these settings, and the kind of difference. */
  withSettings(given: object): { model: CompiledModel; difference: Difference } {
    const description = this.#description;
    const settings = given as ModelSettings;
    const data = description.data(settings);
    const difference = differenceOf(this.data, data);
    const described = { description, settings };
    const recompiled = () => {
      const made = new CompiledModel(data, this.#module, this.time, this.#options, described);
      const model = this.#joints ? made.startingAt(this.#joints) : made;
      return { model, difference: "geometry" as const };
    };
    if (difference === "geometry") return settings.held ? this.#withHeld(settings) : recompiled();
    const { joints, markers, sensors, userForces } = this.data;
    const kept = Object.freeze({ ...data, joints, markers, sensors, userForces });
    const model = this.#reusedWith(kept, described, difference);
    return model ? { model, difference } : recompiled();
  }

  /**
   * @internal Returns a model compiled by reuse of this one, if the description differs only in masses, gravity and
   * force constants; else undefined.
   */
  reusedFor(
    data: ModelData,
    source: ModelSource,
    options: CompiledOptions,
  ): CompiledModel | undefined {
    const isSame =
      this.#isAssembled &&
      same(startKey({ ...this.#options, time: this.time }), startKey(options)) &&
      differsInLoadsOnly(this.data, data) &&
      sizeOf(data) === this.length;
    return isSame ? this.#reusedWith(data, source, differenceOf(this.data, data)) : undefined;
  }

  /** Returns undefined if the masses lead to other coordinates: bodies of almost no mass are not put on a tree. */
  #reusedWith(
    data: ModelData,
    source: ModelSource,
    difference: Difference,
  ): CompiledModel | undefined {
    const reusing = { ...source, reuse: this };
    const model = new CompiledModel(data, this.#module, this.time, this.#options, reusing);
    if (difference === "forces") return model;
    const isOther = model.#choose().kind !== this.coordinateChoice.kind || areFarApart(data.bodies);
    return isOther ? undefined : model;
  }

  /** Returns a copy whose initial state is the given state; its couplings hold their values of that state. */
  withLocks(state: Omit<StateData, "time">): CompiledModel {
    return this.#startingIn(state, this.settings);
  }

  #startingIn(
    { q, v, unwrappedAngles }: Omit<StateData, "time">,
    settings: ModelSettings,
  ): CompiledModel {
    const { assembly, plan, time } = this;
    const slots = Float64Array.from(plan.data);
    unwrappedAnglesOf(plan, () => slots).write(unwrappedAngles);
    const start = { q, v, assembly, plan: { ...plan, data: slots } };
    const described = { description: this.#description, settings };
    const data = settings === this.settings ? this.data : this.#description.data(settings);
    return new CompiledModel(
      data,
      this.#module,
      time,
      withoutStartOptions(this.#options),
      described,
      start,
    );
  }

  /**
   * Returns a copy with held coordinates, created from the model without them in the state in which they were locked.
   */
  #withHeld(settings: ModelSettings) {
    const { held, ...free } = settings;
    const { model } = this.withSettings(free);
    return {
      model: model.#startingIn(heldStateOf(held!, this.v.length), settings),
      difference: "geometry" as const,
    };
  }

  /** Returns the same state for other parameters: every body's frame keeps its pose and motion. */
  stateFrom(source: object, state: Pick<StateData, "q" | "v">): Pick<StateData, "q" | "v"> {
    if (!(source instanceof CompiledModel)) return state;
    if (this.coordinateChoice.kind === "relative") refuseThreads(source.plan, this.plan);
    return withCentres(source.data, this.data, state);
  }

  /** Writes the masses, gravity and forces of this model into a system of another one. */
  adjust(system: System): void {
    adjustTo(this, system);
  }

  /** Creates a maximal-coordinate system for this plan, or one with other masses. */
  bodySystem(plan = this.plan): BodySystem {
    return new BodySystem(plan, this.#module, {
      length: this.length,
      degreesOfFreedom: this.#degreesOfFreedom,
      ranks: this.#ranks,
      nearlyFits: this.#nearlyFits,
    });
  }

  /** @internal The reader of the initial state. */
  get readout(): BodyState["readout"] {
    this.#start ??= this.state(this.#initialState);
    return this.#start.readout;
  }

  /** Returns a reader of a state of this mechanism. */
  state(data: StateData): BodyState {
    return new BodyState(this, data, this.#shared);
  }

  /**
   * Creates a simulation from the assembled initial state.
   *
   * @example
   * console.log((await compile(pendulum)).simulate({ step: 1e-3 }).runTo(2).body("rod").position);
   */
  simulate(options: BodySimulationOptions): BodySimulation {
    const read = optionsOf("simulate", "STEP", options, BODY_SIMULATION_SHAPE);
    return new BodySimulation(this, read);
  }

  /**
   * Returns a copy with other initial joint coordinates, given by name. Other joints stay unless a loop has to close.
   *
   * @example
   * const bent = system.startingAt({ elbow: 0.3, slider: { displacement: 0.1, displacementRate: 1 } });
   */
  startingAt(joints: JointValues): CompiledModel {
    const where = `${this.name}: start by joints`;
    const read = argument(where, "STEP", "joints", joints, jointValues);
    checkJoints(where, this.data, read);
    const made = this.withLocks(
      placeJoints(where, this, currentState(this.plan, this.#initialState), read),
    );
    made.#joints = { ...this.#joints, ...read };
    return made;
  }

  /**
   * Returns a copy without some joints and forces, given by their handles or names, in the same initial state. Use it
   * as a mode for events.
   *
   * @example
   * const events = [{ when: ({ time }) => time - 1, action: (event) => event.switchTo("open") }];
   * solve(gate, { span: [0, 5], modes: { open: gate.without("latch") }, events });
   */
  without(...parts: (string | Joint | Force)[]): CompiledModel {
    const read = partNames("without", this.data, parts, "joint", "force");
    return this.#derived(this.time, this, (data) => modelWithout(data, read));
  }

  /** @internal Returns a copy with drives held at a time, or this model if there is nothing to hold. */
  heldAt(time: number): CompiledModel {
    const same = time === this.time;
    if (same && !hasDrives(this.data)) return this;
    const start = same ? this : undefined;
    const still = this.#derived(time, start, (data) => withDrivesStopped(data, time));
    return !same && this.#joints ? still.startingAt(this.#joints) : still;
  }

  /** Returns a copy with some parts removed or changed. */
  #derived(
    time: number,
    start: CompiledModel | undefined,
    derive: (data: ModelData) => ModelData,
  ): CompiledModel {
    const whole = this.#description;
    const description = { ...whole, data: (each: ModelSettings) => derive(whole.data(each)) };
    const [data, options] = [derive(this.data), withoutStartOptions(this.#options)];
    const { settings } = this;
    return new CompiledModel(data, this.#module, time, options, { description, settings }, start);
  }

  get #initialState(): StateData {
    const { q, v, time, plan } = this;
    return {
      q,
      v,
      time,
      unwrappedAngles: unwrappedAnglesNow(
        unwrappedAnglesOf(plan, () => Float64Array.from(plan.data)),
      ),
    };
  }
}
