import {
  type Difference,
  differenceOf,
  differsInLoadsOnly,
  same,
} from "../../describe/model/compare.js";
import { type Force, type Joint, namesGiven } from "../../describe/model/handles.js";
import type { ModelData } from "../../describe/model/model-data.js";
import type { Description, ModelSettings, SetNumbers } from "../../describe/settings.js";
import { argument, optionsOf } from "../../ground/checking/index.js";
import type { CoordinateChoice, StateData, System, SystemSource } from "../../seam/index.js";
import { type Plan, planModel, withLoads } from "../../systems/bodies/plan/plan.js";
import { modelWithout } from "../../systems/bodies/plan/remove-parts.js";
import { hasDrives, withDrivesStopped } from "../../systems/bodies/plan/stopped-drives.js";
import { constraintReport } from "../../systems/bodies/redundancy/constraint-report.js";
import { findFollowers } from "../../systems/bodies/redundancy/parallel-joints.js";
import { type Examination, examine } from "../../systems/bodies/redundancy/redundancy.js";
import { type AssemblyReport, sizeOf } from "../../systems/bodies/start/start.js";
import { turnsOf } from "../../systems/bodies/system/angle-continuation.js";
import type { LoopRanks } from "../../systems/bodies/system/loop-ranks.js";
import { BodySystem } from "../../systems/bodies/system/system.js";
import type { RelativePlan } from "../../systems/relative/plan/relative-plan.js";
import type { RankedTree } from "../../systems/relative/redundancy/relative-ranks.js";
import { areFarApart } from "../../systems/relative/redundancy/tree-inertia.js";
import { RelativeSystem } from "../../systems/relative/system/system.js";
import { caughtIn } from "../held/held-joints.js";
import { turnsNow } from "../stepping/state-options.js";
import { type ModelOptions, type OwnOptions, startKey, unheld } from "./compile-options.js";
import { chosenCoordinates } from "./coordinates/coordinate-reasons.js";
import type { JointSpace } from "./coordinates/joint-space.js";
import { checkJoints, type JointValues, jointValues } from "./coordinates/joint-values.js";
import { type ModelReport, modelReport } from "./coordinates/model-report.js";
import { FITS, MISFIT, OPEN, openness } from "./coordinates/open-joints.js";
import { placeJoints } from "./coordinates/place-joints.js";
import {
  checkEquilibrium,
  type Equilibrium,
  type EquilibriumOptions,
  equilibrium,
} from "./equilibrium/equilibrium.js";
import { adjustTo, plannedTree, treeLike } from "./plan-tree.js";
import { currentState } from "./probe/current-state.js";
import type { PlannedTree } from "./probe/planned-tree.js";
import type { SharedProbe } from "./reading/readout.js";
import { refuseThreads, withCentres } from "./simulation/carry-state.js";
import { BodySimulation } from "./simulation/simulation.js";
import {
  BODY_SIMULATION_SHAPE,
  type BodySimulationOptions,
} from "./simulation/simulation-options.js";
import { BodyState } from "./simulation/state.js";
import { assembledStart, carriedStart, type Described, type StartSource } from "./start-source.js";

type Told = Described<CompiledModel>;

/**
 * A compiled model: numbered, assembled and checked for redundant constraints. Made by {@link compile}.
 *
 * @example
 * console.log((await compile(m)).report.notes);
 */
export class CompiledModel implements SystemSource<BodyState> {
  /** The name of the model. */
  readonly name: string;
  /** The model as plain data. */
  readonly data: ModelData;
  /** Assembled start positions: centre of mass and Euler parameters of each body. */
  readonly q: Float64Array;
  /** Velocities at the start: of the centre of mass, and angular in the body's axes. */
  readonly v: Float64Array;
  /** Time at the start. */
  readonly time: number;
  /** @internal What is known of the rank of its rows. */
  readonly examination: Examination;
  /** A characteristic length of the model. */
  readonly length: number;
  /** How the given start was changed by assembly. */
  readonly assembly: AssemblyReport;
  /** How bodies, rows and forces lie in memory. */
  readonly plan: Plan;
  /** What has been set of its numbers since it was described. */
  readonly settings: ModelSettings;
  readonly #module: WebAssembly.Module;
  readonly #ranks: LoopRanks | undefined;
  #nearlyFits = false;
  /** How far joints are open at the start beyond what their geometry misses. */
  #open = 0;
  #degreesOfFreedom: number | undefined;
  readonly #shared: SharedProbe = {};
  /** In which coordinates its systems are, and why. */
  readonly coordinateChoice: CoordinateChoice;
  readonly #description: Description;
  readonly #options: OwnOptions;
  /** Its start is the one that was described, and none of a run or by joints. */
  readonly #isAssembled: boolean;
  #report: ModelReport | undefined;
  #tree: PlannedTree | undefined;
  /** Joint coordinates by which the start was given. */
  #joints: JointValues | undefined;
  #start: BodyState | undefined;

  constructor(
    data: ModelData,
    module: WebAssembly.Module,
    time: number,
    options: OwnOptions,
    { description, settings, like }: Told,
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
    this.#isAssembled = like ? like.#isAssembled : whole === undefined;
    this.length = like?.length ?? sizeOf(data);
    const bare = (plan: Plan, length: number) => new BodySystem(plan, module, { length });
    this.plan = like
      ? withLoads(like.plan, data)
      : planModel(data, plain, findFollowers(data, time, bare));
    const make = (plan: Plan) => this.bodySystem(plan);
    const { q, v, assembly } =
      like ??
      (whole
        ? carriedStart(whole, this.plan)
        : assembledStart(this.plan, { time, length: this.length, options, make }));
    this.q = q;
    this.v = v;
    this.assembly = assembly;
    const examination =
      like?.examination ?? examine({ plan: this.plan, q, v, time, length: this.length, make });
    this.examination = examination;
    this.#ranks = examination.ranks;
    const misfit = examination.misfits[0]?.size ?? 0;
    this.#nearlyFits = Math.max(misfit, assembly.residual / this.length) > FITS;
    this.#open = openness(assembly, misfit, this.length);
    this.#degreesOfFreedom = examination.degreesOfFreedom;
    if (like) {
      this.#joints = like.#joints;
      this.#tree = like.#tree && treeLike(like.#tree, this.plan);
    }
    this.coordinateChoice = like ? like.coordinateChoice : this.#choose();
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

  /** A system with memory of its own: what methods work on. */
  system(): System {
    return this.coordinateChoice.kind === "maximal"
      ? this.bodySystem()
      : this.relativeSystem(this.tree);
  }

  /** The same along a tree of joints. */
  relativeSystem({ plan, ranks }: Pick<PlannedTree, "plan" | "ranks">): RelativeSystem {
    return new RelativeSystem(plan, this.#module, {
      length: this.length,
      degreesOfFreedom: this.#degreesOfFreedom,
      ranks,
      nearlyFits: this.#nearlyFits,
      isAutomatic: (this.#options.coordinates ?? "auto") === "auto",
      misfit: this.#nearlyFits && !(this.#open > OPEN) ? MISFIT * this.length : undefined,
      maximal: () => this.bodySystem(),
    });
  }

  /** The tree of joint coordinates: planned when it is first needed. */
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

  /** A tree, and the poses where it is looked at. */
  #ranked(plan: RelativePlan): RankedTree {
    const { q, v, time } = this;
    const { poses: examined } = this.examination;
    const poses = examined.length > 0 ? examined : [{ q, v }];
    const make = (each: RelativePlan) => this.relativeSystem({ plan: each, ranks: undefined });
    return { plan, poses, time, length: this.length, make };
  }

  /**
   * A copy with other numbers: of parameters, or of a body, marker, joint or force. It is what {@link compile} would make with
   * them, to the last bit. Throws where the structure would change.
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

  /** The settings after one more call of `set`. */
  settingsAfter(where: string, given: readonly unknown[]): ModelSettings {
    return this.#description.change(this.settings, where, given);
  }

  /** A copy with these settings, and what differs in it. */
  withSettings(given: object): { model: CompiledModel; difference: Difference } {
    const description = this.#description;
    const settings = given as ModelSettings;
    const data = description.data(settings);
    const difference = differenceOf(this.data, data);
    const described = { description, settings };
    const anew = () => {
      const made = new CompiledModel(data, this.#module, this.time, this.#options, described);
      const model = this.#joints ? made.startingAt(this.#joints) : made;
      return { model, difference: "geometry" as const };
    };
    if (difference === "geometry") return settings.held ? this.#withHeld(settings) : anew();
    const { joints, markers, sensors, userForces } = this.data;
    const kept = Object.freeze({ ...data, joints, markers, sensors, userForces });
    const model = this.#twin(kept, described, difference);
    return model ? { model, difference } : anew();
  }

  /**
   * @internal What {@link compile} makes of a description that differs from this one only in masses, gravity and constants of forces; else undefined.
   */
  twinOf(data: ModelData, told: Told, options: ModelOptions): CompiledModel | undefined {
    const isSame =
      this.#isAssembled &&
      same(startKey({ ...this.#options, time: this.time }), startKey(options)) &&
      differsInLoadsOnly(this.data, data) &&
      sizeOf(data) === this.length;
    return isSame ? this.#twin(data, told, differenceOf(this.data, data)) : undefined;
  }

  /** Undefined where masses decide for other coordinates: bodies that have next to none are not put on a tree. */
  #twin(data: ModelData, told: Told, difference: Difference): CompiledModel | undefined {
    const twin = { ...told, like: this };
    const model = new CompiledModel(data, this.#module, this.time, this.#options, twin);
    if (difference === "forces") return model;
    const isOther = model.#choose().kind !== this.coordinateChoice.kind || areFarApart(data.bodies);
    return isOther ? undefined : model;
  }

  /** A copy that starts in a state, whose couplings hold what they hold there. */
  holding(state: Omit<StateData, "time">): CompiledModel {
    return this.#startingIn(state, this.settings);
  }

  #startingIn({ q, v, turns }: Omit<StateData, "time">, settings: ModelSettings): CompiledModel {
    const { assembly, plan, time } = this;
    const slots = Float64Array.from(plan.data);
    turnsOf(plan, () => slots).write(turns);
    const start = { q, v, assembly, plan: { ...plan, data: slots } };
    const described = { description: this.#description, settings };
    const data = settings === this.settings ? this.data : this.#description.data(settings);
    return new CompiledModel(data, this.#module, time, unheld(this.#options), described, start);
  }

  /** A copy with coordinates held: made from the one without, in the state where they were caught. */
  #withHeld(settings: ModelSettings) {
    const { held, ...free } = settings;
    const { model } = this.withSettings(free);
    return {
      model: model.#startingIn(caughtIn(held!, this.v.length), settings),
      difference: "geometry" as const,
    };
  }

  /** A state of the same mechanism with other numbers: every body's frame is where it was and moves as it did. */
  stateFrom(source: object, state: Pick<StateData, "q" | "v">): Pick<StateData, "q" | "v"> {
    if (!(source instanceof CompiledModel)) return state;
    if (this.coordinateChoice.kind === "relative") refuseThreads(source.plan, this.plan);
    return withCentres(source.data, this.data, state);
  }

  /** Gives a system of a model with other masses, gravity and forces the numbers of this one. */
  adjust(system: System): void {
    adjustTo(this, system);
  }

  /** The same, as a mechanism: with this plan, or one that has other masses. */
  bodySystem(plan = this.plan): BodySystem {
    return new BodySystem(plan, this.#module, {
      length: this.length,
      degreesOfFreedom: this.#degreesOfFreedom,
      ranks: this.#ranks,
      nearlyFits: this.#nearlyFits,
    });
  }

  /**
   * The mechanism in joint coordinates at its start: mass matrix, inverse dynamics, Jacobians. Simulations and states have their own.
   *
   * @example
   * const torques = (await compile(robot)).jointSpace.inverseDynamics({});
   */
  get jointSpace(): JointSpace {
    this.#start ??= this.state(this.#begin);
    return this.#start.jointSpace;
  }

  /** A reader of states of this mechanism. */
  state(data: StateData): BodyState {
    return new BodyState(this, data, this.#shared);
  }

  /**
   * Starts a simulation from the assembled start.
   *
   * @example
   * console.log((await compile(pendulum)).simulate({ step: 1e-3 }).runTo(2).body("rod").position);
   */
  simulate(options: BodySimulationOptions): BodySimulation {
    const read = optionsOf("simulate", "STEP", options, BODY_SIMULATION_SHAPE);
    return new BodySimulation(this, read);
  }

  /**
   * A copy that starts at other joint coordinates, given by name; others stay as they are, but for what closes loops.
   *
   * @example
   * const bent = system.startingAt({ elbow: 0.3, slider: { displacement: 0.1, displacementRate: 1 } });
   */
  startingAt(joints: JointValues): CompiledModel {
    const where = `${this.name}: start by joints`;
    const read = argument(where, "STEP", "joints", joints, jointValues);
    checkJoints(where, this.data, read);
    const made = this.holding(placeJoints(where, this, currentState(this.plan, this.#begin), read));
    made.#joints = { ...this.#joints, ...read };
    return made;
  }

  /**
   * A copy without some joints and forces, given by their handles or names, in the same start state. Use it as a mode for events.
   *
   * @example
   * const events = [{ when: ({ time }) => time - 1, action: (event) => event.switchTo("open") }];
   * solve(gate, { span: [0, 5], modes: { open: gate.without("latch") }, events });
   */
  without(...parts: (string | Joint | Force)[]): CompiledModel {
    const read = namesGiven("without", this.data, parts, "joint", "force");
    return this.#derived(this.time, this, (data) => modelWithout(data, read));
  }

  /**
   * Finds the static equilibrium downhill from the start. Drives are held at `time`. Throws if a body is unsupported.
   *
   * @example
   * const { state, stability } = (await compile(crane)).equilibrium();
   */
  equilibrium(options: EquilibriumOptions = {}): Equilibrium {
    checkEquilibrium(options, this.q.length);
    const { time = this.time } = options;
    const same = time === this.time;
    if (same && !hasDrives(this.data)) return equilibrium(this, options);
    const start = same ? this : undefined;
    const still = this.#derived(time, start, (data) => withDrivesStopped(data, time));
    return equilibrium(!same && this.#joints ? still.startingAt(this.#joints) : still, options);
  }

  /** A copy of which some parts are taken away or changed. */
  #derived(
    time: number,
    start: CompiledModel | undefined,
    derive: (data: ModelData) => ModelData,
  ): CompiledModel {
    const whole = this.#description;
    const description = { ...whole, data: (each: ModelSettings) => derive(whole.data(each)) };
    const [data, options] = [derive(this.data), unheld(this.#options)];
    const { settings } = this;
    return new CompiledModel(data, this.#module, time, options, { description, settings }, start);
  }

  get #begin(): StateData {
    const { q, v, time, plan } = this;
    return { q, v, time, turns: turnsNow(turnsOf(plan, () => Float64Array.from(plan.data))) };
  }
}
