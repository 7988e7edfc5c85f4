import { isModel, type Model } from "../../describe/mechanism.js";
import type { ModelData } from "../../describe/model/model-data.js";
import {
  finite,
  flag,
  limit,
  listOf,
  locationOf,
  oneOf,
  optionsOf,
  type Shape,
  text,
} from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { RunLimits, type StopSignal, stopSignal, withLimits } from "../../ground/run-limits.js";
import { initBodies } from "../../ground/wasm/bodies.js";
import { init } from "../../ground/wasm/module.js";
import type { StateData, System, SystemSource } from "../../seam/index.js";
import { carryCouplings } from "../../systems/bodies/plan/coupling-offsets.js";
import { type Plan, planModel } from "../../systems/bodies/plan/plan.js";
import { modelWithout } from "../../systems/bodies/plan/remove-parts.js";
import { hasDrives, withDrivesStopped } from "../../systems/bodies/plan/stopped-drives.js";
import { type ModelReport, reportOf } from "../../systems/bodies/redundancy/model-report.js";
import { findFollowers } from "../../systems/bodies/redundancy/parallel-joints.js";
import { examine, type PublicPose } from "../../systems/bodies/redundancy/redundancy.js";
import { type AssemblyReport, sizeOf, startOf } from "../../systems/bodies/start/start.js";
import {
  checkStart,
  START_SHAPE,
  type StartOptions,
} from "../../systems/bodies/start/start-options.js";
import { carryAngles } from "../../systems/bodies/system/angle-continuation.js";
import type { LoopRanks } from "../../systems/bodies/system/loop-ranks.js";
import { BodySystem } from "../../systems/bodies/system/system.js";
import {
  planRelative,
  type RelativePlan,
  withoutRows,
} from "../../systems/relative/plan/relative-plan.js";
import { maximalWork, relativeWork } from "../../systems/relative/plan/work.js";
import { relativeRanks } from "../../systems/relative/redundancy/relative-ranks.js";
import { zeroRows } from "../../systems/relative/redundancy/zero-rows.js";
import { RelativeSystem } from "../../systems/relative/system/system.js";
import {
  checkEquilibrium,
  type Equilibrium,
  type EquilibriumOptions,
  equilibrium,
} from "./equilibrium/equilibrium.js";
import type { SharedProbe } from "./reading/readout.js";
import {
  BODY_SIMULATION_SHAPE,
  BodySimulation,
  type BodySimulationOptions,
} from "./simulation/simulation.js";
import { BodyState } from "./simulation/state.js";

/** Options of {@link compile}. */
export interface CompileOptions extends StartOptions {
  /** Time at which the start is assembled. Default: 0. */
  readonly time?: number;
  /**
   * Do not normalise Euler parameters in Runge-Kutta stages, to compare with codes that integrate them like other
   * coordinates. Larger constraint errors. Default: false.
   */
  readonly unnormalisedEulerParameters?: boolean;
  /**
   * What methods integrate. "relative": angles and displacements of joints along a tree; only joints that close loops are
   * constraints. "maximal": positions and velocities of all bodies; every joint is a constraint. "auto": relative
   * coordinates where they are cheaper; methods that need maximal coordinates get them. What users see of a
   * state is the same. Default: "auto".
   */
  readonly coordinates?: "auto" | "relative" | "maximal";
  /**
   * Aborts compilation with error code STOPPED; see {@link StopSignal} for what can abort while this thread computes.
   */
  readonly signal?: StopSignal;
  /** Aborts compilation likewise after so many seconds of real time. Default: none. */
  readonly maximumSeconds?: number;
}

/** A tree, and the ranks of the rows that remain. */
interface RankedPlan {
  readonly plan: RelativePlan;
  readonly ranks: LoopRanks | undefined;
}

/** Constraint errors of a start that joints of a tree cannot have. */
const OPEN = 1e-10;

/** How much joints may be open where the geometry fits only nearly, over the length of the model. */
const MISFIT = 1e-2;

/** Misfits of joints, in radians or lengths of the model, that are rounding. */
const FITS = 1e-11;

export const COMPILE_SHAPE: Shape<CompileOptions> = {
  time: finite,
  unnormalisedEulerParameters: flag,
  coordinates: oneOf("auto", "relative", "maximal"),
  signal: stopSignal,
  maximumSeconds: limit,
  ...START_SHAPE,
};

/**
 * A compiled model: numbered, assembled and checked for redundant constraints. Made by {@link compile}.
 *
 * @example
 * const system = await compile(m);
 * console.log(system.report.degreesOfFreedom, system.report.notes);
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
  /** How the given start was changed by assembly. */
  readonly assembly: AssemblyReport;
  /** How bodies, rows and forces lie in memory. */
  readonly plan: Plan;
  /** Rank, redundant rows and notes. */
  readonly report: ModelReport;
  readonly #module: WebAssembly.Module;
  readonly #length: number;
  readonly #ranks: LoopRanks | undefined;
  #nearlyFits = false;
  readonly #shared: SharedProbe = {};
  /** The tree and the ranks of its rows, where methods work on relative coordinates. */
  readonly #relative: RankedPlan | undefined;
  readonly #coordinates: "auto" | "relative" | "maximal";

  constructor(
    data: ModelData,
    module: WebAssembly.Module,
    time: number,
    {
      unnormalisedEulerParameters: plain = false,
      coordinates = "auto",
      ...options
    }: Omit<CompileOptions, "time"> = {},
    whole?: CompiledModel,
  ) {
    this.name = data.name;
    this.data = data;
    this.time = time;
    const bare = (plan: Plan, length: number) => new BodySystem(plan, module, { length });
    this.plan = planModel(data, plain, findFollowers(data, time, bare));
    this.#module = module;
    this.#length = sizeOf(data);
    const { q, v, assembly } = whole ? this.#startOf(whole) : this.#start(options);
    this.q = q;
    this.v = v;
    this.assembly = assembly;
    const make = (plan: Plan) => this.bodySystem(plan);
    const { plan } = this;
    const examination = examine({ plan, q, v, time, length: this.#length, make });
    this.#ranks = examination.ranks;
    const misfit = examination.misfits[0]?.size ?? 0;
    this.#nearlyFits = Math.max(misfit, assembly.residual / this.#length) > FITS;
    this.report = reportOf(this, examination);
    this.#coordinates = plain ? "maximal" : coordinates;
    this.#relative = this.#chooseCoordinates(examination.poses);
  }

  /** A characteristic length of the model. */
  get length(): number {
    return this.#length;
  }

  /** A system with memory of its own: what methods work on. */
  system(): System {
    if (this.#relative === undefined) return this.bodySystem();
    return this.#relativeSystem(this.#relative.plan, this.#relative.ranks);
  }

  #relativeSystem(plan: RelativePlan, ranks?: LoopRanks): RelativeSystem {
    return new RelativeSystem(plan, this.#module, {
      length: this.#length,
      degreesOfFreedom: this.report?.degreesOfFreedom,
      ranks,
      nearlyFits: this.#nearlyFits,
      misfit: this.#nearlyFits ? MISFIT * this.#length : undefined,
      maximal: () => this.bodySystem(),
    });
  }

  /** Relative coordinates where they are asked for or cheaper. */
  #chooseCoordinates(poses: readonly PublicPose[]): RankedPlan | undefined {
    if (this.#coordinates === "maximal") return undefined;
    const open = Math.max(this.assembly.residual, this.assembly.velocityResidual);
    // Joints of a tree cannot stay open, but for what their geometry misses.
    const isOpen = !this.#nearlyFits && open > OPEN;
    if (this.#coordinates === "auto" && isOpen) return undefined;
    const planned = this.#planRelative(poses);
    if (this.#coordinates === "relative") return planned;
    return relativeWork(planned.plan) < maximalWork(this.plan) ? planned : undefined;
  }

  /** The tree, without rows that are always zero, and the ranks of those that remain. */
  #planRelative(poses: readonly PublicPose[]): RankedPlan {
    const { q, v, time } = this;
    const make = (plan: RelativePlan) => this.#relativeSystem(plan);
    const whole = planRelative(this.plan, q);
    const zero = zeroRows(make(whole), time);
    const plan = zero.size > 0 ? withoutRows(whole, zero) : whole;
    const visited = poses.length > 0 ? poses : [{ q, v }];
    const ranks = relativeRanks({ plan, poses: visited, time, length: this.#length, make });
    return { plan, ranks };
  }

  /** The same, as a mechanism: with this plan, or one that has other masses. */
  bodySystem(plan = this.plan): BodySystem {
    return new BodySystem(plan, this.#module, {
      length: this.#length,
      degreesOfFreedom: this.report?.degreesOfFreedom,
      ranks: this.#ranks,
      nearlyFits: this.#nearlyFits,
    });
  }

  /** A reader of states of this mechanism. */
  state(data: StateData): BodyState {
    return new BodyState(this, data, this.#shared);
  }

  /**
   * Starts a simulation from the assembled start.
   *
   * @example
   * const simulation = (await compile(pendulum)).simulate({ step: 1e-3 });
   * console.log(simulation.runTo(2).body("rod").position);
   */
  simulate(options: BodySimulationOptions): BodySimulation {
    const read = optionsOf("simulate", "STEP", options, BODY_SIMULATION_SHAPE);
    return new BodySimulation(this, read);
  }

  /**
   * A copy without the named joints and forces, in the same start state, e.g. after a latch opens. Use it as a mode for
   * events.
   *
   * @example
   * const gate = await compile(m);
   * solve(gate, {
   *   span: [0, 5],
   *   modes: { open: gate.without("latch") },
   *   events: [{ when: (state) => state.time - 1, action: (event) => event.switchTo("open") }],
   * });
   */
  without(...names: string[]): CompiledModel {
    const read = listOf(text).read(names, locationOf("without", "DESCRIPTION", "names"));
    const data = modelWithout(this.data, read);
    return new CompiledModel(data, this.#module, this.time, this.#options, this);
  }

  /**
   * Finds the static equilibrium downhill from the start: pose, joint reactions, stability. Drives are held at their
   * value at `time`. Throws if a body is unsupported.
   *
   * @example
   * const { state, stability } = (await compile(crane)).equilibrium();
   * console.log(stability, state.body("load").position, state.joint("boom").force());
   */
  equilibrium(options: EquilibriumOptions = {}): Equilibrium {
    checkEquilibrium(options, this.q.length);
    const { time = this.time } = options;
    const same = time === this.time;
    if (same && !hasDrives(this.data)) return equilibrium(this, options);
    const data = withDrivesStopped(this.data, time);
    const whole = same ? this : undefined;
    const still = new CompiledModel(data, this.#module, time, this.#options, whole);
    return equilibrium(still, options);
  }

  /** The options that belong to the model and not to its start. */
  get #options(): Pick<CompileOptions, "unnormalisedEulerParameters" | "coordinates"> {
    const { unnormalised: unnormalisedEulerParameters } = this.plan;
    return { unnormalisedEulerParameters, coordinates: this.#coordinates };
  }

  #startOf(whole: CompiledModel) {
    const { q, v, assembly } = whole;
    carryAngles(whole.plan, this.plan);
    carryCouplings(whole.plan, this.plan);
    return { q: q.slice(), v: v.slice(), assembly };
  }

  /**
   * If the start is far from assembled, leaders of parallel joints may close where their followers cannot: then treat
   * all joints alike.
   */
  #start(options: StartOptions) {
    const { plan, time, data } = this;
    const make = (each: Plan) => this.bodySystem(each);
    const starting = { time, length: this.#length, options, make };
    try {
      return startOf({ ...starting, plan });
    } catch (error) {
      const isOpen = error instanceof NodriftError && error.code === "ASSEMBLY";
      if (!isOpen || plan.follows.every((leaders) => leaders.length === 0)) throw error;
      const equals = planModel(data, plan.unnormalised);
      const start = startOf({ ...starting, plan: equals });
      carryAngles(equals, plan);
      carryCouplings(equals, plan);
      return start;
    }
  }
}

/**
 * Compiles a model: loads the kernels, assembles the start and checks the constraints. The result can be simulated many
 * times.
 *
 * @example
 * const system = await compile(pendulum);
 * const simulation = system.simulate({ step: 1e-3 });
 */
export async function compile(
  model: Model,
  options: CompileOptions = {},
  ...more: undefined[]
): Promise<CompiledModel> {
  if (!isModel(model)) {
    throw new NodriftError(
      "DESCRIPTION",
      "compile takes what model() made: const m = model(); ...; await compile(m)",
    );
  }
  const read = optionsOf("compile", "STEP", options, COMPILE_SHAPE, more);
  const { time = 0, signal, maximumSeconds, ...rest } = read;
  const watch = new RunLimits(signal, maximumSeconds ?? Number.POSITIVE_INFINITY);
  const data = model.data();
  if (data.bodies.length === 0) {
    throw new NodriftError(
      "DESCRIPTION",
      `${data.name}: there is no body: add one with body({ ... })`,
    );
  }
  checkStart(rest, data);
  const [module] = await Promise.all([initBodies(), init()]);
  return withLimits(watch, () => {
    watch.check();
    return new CompiledModel(data, module, time, rest);
  });
}
