import { finite, flag, listOf, optionsOf, placeOf, type Shape, text } from "../checking/index.js";
import type { StateData, System, SystemSource } from "../contracts.js";
import { NodriftError } from "../errors.js";
import type { ModelData } from "../model/description.js";
import { initBodies } from "../wasm/bodies.js";
import { init } from "../wasm/module.js";
import { carryCouplings, holdCouplings } from "./couplings.js";
import { isModel, type Model } from "./model.js";
import { type Plan, planModel } from "./plan.js";
import type { SharedProbe } from "./readout.js";
import { planForRank } from "./redundancy.js";
import { type Report, reportOf } from "./redundancy-report.js";
import { BODY_SIMULATION_SHAPE, BodySimulation, type BodySimulationOptions } from "./simulation.js";
import { Assembler, type Assembly, givenState, sizeOf } from "./start.js";
import { BodyState } from "./state.js";
import { BodySystem } from "./system.js";
import { beginAtDrives, carryAngles, keepAngles } from "./turns.js";
import { modelWithout } from "./without.js";

export interface CompileOptions {
  /** Time at which the start is brought together. Default: 0. */
  readonly time?: number;
  /**
   * Rotation matrices by the formula for unit Euler parameters even where they are none, in the stages of
   * Runge-Kutta methods: as codes do that integrate them like any other coordinates. To compare with such
   * codes; the constraint errors are larger. Default: false.
   */
  readonly plainEulerParameters?: boolean;
}

export const COMPILE_SHAPE: Shape<CompileOptions> = { time: finite, plainEulerParameters: flag };

/** A model that is ready to run: numbered, assembled, examined. Made by {@link compile}. */
export class CompiledModel implements SystemSource<BodyState> {
  readonly name: string;
  readonly data: ModelData;
  /** Positions at the start, brought together: centre of mass and Euler parameters of each body. */
  readonly q: Float64Array;
  /** Velocities at the start: of the centre of mass, and angular in the body's axes. */
  readonly v: Float64Array;
  readonly time: number;
  readonly assembly: Assembly;
  readonly plan: Plan;
  /** The same with another order of elimination, for tests of rank; undefined where there is no loop. */
  readonly rankPlan: Plan | undefined;
  /** What the constraints are worth: rank, redundant rows, and notes worth reading. */
  readonly report: Report;
  readonly #module: WebAssembly.Module;
  readonly #length: number;
  readonly #shared: SharedProbe = {};

  constructor(
    data: ModelData,
    module: WebAssembly.Module,
    time: number,
    plain = false,
    whole?: CompiledModel,
  ) {
    this.name = data.name;
    this.data = data;
    this.time = time;
    this.plan = planModel(data, plain);
    this.#module = module;
    this.#length = sizeOf(data);
    const { q, v, assembly } = whole ? this.#startOf(whole) : this.#start();
    this.q = q;
    this.v = v;
    this.assembly = assembly;
    this.rankPlan = planForRank(this.plan);
    this.report = reportOf(this, this.rankPlan);
  }

  /** A length that is typical of the model. */
  get length(): number {
    return this.#length;
  }

  /** A system with memory of its own: what methods work on. */
  system(): System {
    return this.bodySystem();
  }

  /** The same, as a mechanism: with this plan, or one that differs in the order of elimination. */
  bodySystem(plan = this.plan): BodySystem {
    const residual = this.assembly?.residual ?? 0;
    const degreesOfFreedom = this.report?.degreesOfFreedom;
    return new BodySystem(plan, this.#module, { residual, length: this.#length, degreesOfFreedom });
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
   * The same bodies without some joints and forces, in the same state at the start: what is left when a latch
   * opens or a rope breaks. A mode that events of `solve` can switch to.
   *
   * @example
   * const gate = await compile(m);
   * solve(gate, {
   *   span: [0, 5],
   *   modes: { open: gate.without("latch") },
   *   events: [{ when: (state) => state.time - 1, action: (happening) => happening.switchTo("open") }],
   * });
   */
  without(...names: string[]): CompiledModel {
    const read = listOf(text).read(names, placeOf("without", "DESCRIPTION", "names"));
    const data = modelWithout(this.data, read);
    return new CompiledModel(data, this.#module, this.time, this.plan.plain, this);
  }

  #startOf(whole: CompiledModel) {
    const { q, v, assembly } = whole;
    carryAngles(whole.plan, this.plan);
    carryCouplings(whole.plan, this.plan);
    return { q: q.slice(), v: v.slice(), assembly };
  }

  #start() {
    const system = this.bodySystem();
    const assembler = new Assembler(system, this.#length);
    const arena = system.workspace.seal();
    const { positions, velocities, state } = system;
    const view = arena.floats({ name: "start", address: state, slots: positions + velocities });
    const given = givenState(this.data);
    view.set([...given.q, ...given.v]);
    const { plan } = this;
    beginAtDrives(plan, system.arrays.data, this.time);
    holdCouplings(system, this.time);
    carryCouplings({ ...plan, data: system.arrays.data }, plan);
    system.settle(this.time);
    const assembly = assembler.run(this.time, arena);
    system.settle(this.time);
    keepAngles(plan, system.arrays.data);
    return { q: view.slice(0, positions), v: view.slice(positions), assembly };
  }
}

/**
 * Makes a model ready to run: loads the kernels, numbers bodies and rows, brings the start together and
 * examines the constraints. A model compiled once can be simulated many times.
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
  const { time = 0, plainEulerParameters = false } = read;
  const data = model.data();
  if (data.bodies.length === 0) {
    throw new NodriftError(
      "DESCRIPTION",
      `${data.name}: there is no body: add one with body({ ... })`,
    );
  }
  const [module] = await Promise.all([initBodies(), init()]);
  return new CompiledModel(data, module, time, plainEulerParameters);
}
