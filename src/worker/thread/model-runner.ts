// A running model in a worker, for the source and options that a page has sent: its motion and its commands.

import { NodriftError } from "../../base/errors.js";
import {
  type BodySimulation,
  type CompiledModel,
  compile,
  defaultMethod,
  type Grip,
  type Model,
  type Recording,
} from "../../bodies.js";
import { AbsentParts } from "../../draw/frames.js";
import { type ModelFile, readDocument, readModel } from "../../files/index.js";
import type { Method, Simulation, State } from "../../index.js";
import { parseMethod, type Realtime, type Run, realtime, start, stateSpace } from "../../solve.js";
import type { Commands, RunData, SourceData } from "../messages/messages.js";

/** A motion in real time: with fixed steps, or adaptive. */
type RealtimeLoop = Realtime<Simulation | Run>;

const MECHANISM_ONLY =
  "only mechanisms can do that: this system is defined by functions and has no bodies";
const NOT_RECORDED = "the run is not recorded: pass record: true to spawn";
const FIXED_STEP_ONLY = "adaptive runs cannot do that: pass a step to spawn instead of a tolerance";

/** Runs a model in real time, and executes the commands of a page. */
export class ModelRunner {
  readonly motion: RealtimeLoop;
  readonly name: string;
  readonly method: string;
  readonly joints: readonly string[];
  /** Model data, for formulas. */
  readonly data: object | undefined;
  /** The simulation, if steps are fixed. */
  readonly #fixed: BodySimulation | undefined;
  readonly #absent: AbsentParts | undefined;
  readonly #until: number;
  readonly #recording: Recording | undefined;
  readonly #grips = new Map<number, Grip>();
  #gripCount = 0;
  /** Simulated seconds that were dropped before the loop was reset. */
  #droppedTime = 0;

  constructor(motion: RealtimeLoop, { until, record }: RunData, data?: CompiledModel["data"]) {
    const { simulation } = motion;
    this.motion = motion;
    this.data = data;
    this.name = data?.name ?? "";
    this.#until = Number.POSITIVE_INFINITY;
    if (isRun(simulation)) {
      this.method = simulation.solution().method;
      this.joints = data?.joints.map(({ name }) => name) ?? [];
      this.#absent = new AbsentParts(simulation);
      return;
    }
    this.#fixed = simulation as BodySimulation;
    this.method = simulation.method;
    this.joints = this.#fixed.joints ?? [];
    this.#until = until ?? Number.POSITIVE_INFINITY;
    if (record !== undefined) this.#recording = this.#method("record")(record) as Recording;
  }

  get bodies() {
    return this.motion.simulation.rigidBodies;
  }

  /** Joints and forces that the present mode lacks; the same array until the mode changes. */
  get absent(): readonly string[] {
    return this.#absent?.names ?? NONE;
  }

  /** Time that the simulation has reached. */
  get reached(): number {
    return this.motion.simulation.time;
  }

  get droppedTime(): number {
    return this.#droppedTime + this.motion.droppedTime;
  }

  /** Why the motion has ended; undefined while it runs. */
  get over(): string | undefined {
    const { status, stepLength } = this.motion;
    return this.reached >= this.#until - 1e-9 * stepLength ? "until" : status;
  }

  /** Draws the state that has been reached, and continues from there. */
  hold(): void {
    this.#droppedTime += this.motion.droppedTime;
    this.motion.reset();
  }

  /** Advances by real seconds; returns the number of steps taken. */
  advance(seconds: number): number {
    const left = (this.#until - this.reached) / this.motion.speed;
    return this.motion.advance(Math.max(0, Math.min(seconds, left)));
  }

  /** Executes a command. The model checks its arguments. */
  perform(name: keyof Commands, given: readonly unknown[]): unknown {
    const { motion } = this;
    switch (name) {
      case "pause":
      case "resume":
        motion.paused = name === "pause";
        return undefined;
      case "speed":
        motion.speed = given[0] as number;
        return undefined;
      case "step":
        motion.step(given[0] as number);
        return undefined;
      case "grab":
        this.#grips.set(++this.#gripCount, this.#method(name)(...given) as Grip);
        return this.#gripCount;
      case "moveTo":
        this.#grip(name, given[0]).moveTo(given[1] as never);
        return undefined;
      case "release":
        this.#grip(name, given[0]).release();
        this.#grips.delete(given[0] as number);
        return undefined;
      case "rewind":
        this.#recorded(name).rewind(given[0] as number);
        return undefined;
      case "recorded":
        return this.#recorded(name).run;
      case "namedState":
      case "save":
        return this.#method(name)();
      case "set":
      case "push":
      case "setState":
      case "setNamedState":
      case "restore":
        this.#method(name)(...given);
        return undefined;
      default:
        throw new NodriftError("STEP", `a worker has no command "${String(name)}"`);
    }
  }

  /** Returns a method of the simulation or the run; throws if it has none of that name. */
  #method(name: keyof Commands | "record"): (...given: readonly unknown[]) => unknown {
    const { simulation } = this.motion;
    const found = (simulation as unknown as Record<string, unknown>)[name];
    if (typeof found === "function") return found.bind(simulation);
    throw this.#refusal(name, MECHANISM_ONLY);
  }

  #grip(name: keyof Commands, id: unknown): Grip {
    const found = this.#grips.get(id as number);
    if (found) return found;
    throw this.#refusal(name, "this grip has been released: grab again");
  }

  #recorded(name: keyof Commands): Recording {
    if (this.#recording) return this.#recording;
    throw this.#refusal(name, NOT_RECORDED);
  }

  /** Returns the error of a command that is not possible; with fixed steps, for a reason. */
  #refusal(name: string, reason: string): NodriftError {
    return new NodriftError("STEP", `${name}: ${this.#fixed ? reason : FIXED_STEP_ONLY}`);
  }
}

const NONE: readonly string[] = [];

function isRun(simulation: Simulation | Run): simulation is Run {
  return has(simulation, "step", "finish");
}

/** A model a module may export: at any stage from description to run. */
export type ServedModel = Model | ModelFile | CompiledModel | Simulation | Run<State>;

/** A model, or a function that creates one. */
export type ModelFactory = ServedModel | ((input: unknown) => ServedModel | Promise<ServedModel>);

/** Span of adaptive runs without `until`, in simulated seconds. */
const ENDLESS_SPAN_S = 1e9;

/** Longest step of an adaptive run, in seconds: pages draw straight lines between states. */
const MAX_STEP_S = 1 / 60;

const DEFAULT_STEP_S = 1 / 240;

const has = (served: object, ...names: readonly string[]) =>
  names.every((name) => typeof (served as Record<string, unknown>)[name] === "function");

/** Creates the runner of a model for the given options. `own` is the model of a custom worker program. */
export async function createRunner(
  source: SourceData | undefined,
  run: RunData,
  own?: ModelFactory,
): Promise<ModelRunner> {
  const served = await loadModel(source, run, own);
  // Distinguished by shape: another copy of the package may have made it.
  if (isRun(served as Run<State>)) {
    refuseChoice(run, "a run");
    return new ModelRunner(realtime(served as Run<State>, clockOf(run)), run);
  }
  if (has(served, "advance", "setStep")) {
    refuseChoice(run, "a simulation");
    return new ModelRunner(realtime(served as Simulation, clockOf(run)), run);
  }
  if (has(served, "compile", "solveOptions")) return fileRunner(served as ModelFile, run);
  return compiledRunner(await compileModel(served), run);
}

async function loadModel(
  source: SourceData | undefined,
  { input }: RunData,
  own: ModelFactory | undefined,
): Promise<ServedModel> {
  if (own !== undefined) return callFactory(own, input, "the worker's model factory");
  if (source === undefined)
    throw new NodriftError(
      "DESCRIPTION",
      "spawn: no model given: pass one to spawn, or to serve in the worker",
    );
  if (source.kind === "text") return readModel(source.text);
  if (source.kind === "document") return readDocument(source.document);
  const { url } = source;
  let loaded: { readonly default?: ModelFactory };
  try {
    loaded = await import(/* @vite-ignore */ /* webpackIgnore: true */ url);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NodriftError("LOAD", `spawn: the module ${url} could not be loaded: ${reason}`, {
      cause,
    });
  }
  if (loaded.default !== undefined) return callFactory(loaded.default, input, `the module ${url}`);
  throw new NodriftError(
    "DESCRIPTION",
    `spawn: the module ${url} has no default export: export default () => model`,
  );
}

async function callFactory(
  factory: ModelFactory,
  input: unknown,
  where: string,
): Promise<ServedModel> {
  const served: unknown = await (typeof factory === "function" ? factory(input) : factory);
  if (typeof served === "object" && served !== null) return served as ServedModel;
  throw new NodriftError("DESCRIPTION", `spawn: ${where} returned ${served}, which is not a model`);
}

async function compileModel(served: ServedModel): Promise<CompiledModel> {
  if (has(served, "system", "simulate")) return served as CompiledModel;
  if (has(served, "calls", "data")) return compile(served as Model);
  throw new NodriftError(
    "DESCRIPTION",
    "spawn: a module's default export must create a model, a compiled model, a model file, a simulation or a run",
  );
}

/** Returns the runner of a model file. A file with events needs an adaptive run: fixed steps would miss events. */
async function fileRunner(file: ModelFile, run: RunData): Promise<ModelRunner> {
  const system = await file.compile();
  const { events = [], modes = [], solve } = file.settings;
  if (events.length + modes.length === 0) return compiledRunner(system, run);
  if (run.step !== undefined) {
    throw new NodriftError(
      "STEP",
      `spawn: "${file.name}" has events, which fixed steps cannot locate: give tolerance instead of step`,
    );
  }
  const { method, tolerance = solve?.tolerance ?? 1e-6 } = run;
  const options = file.solveOptions(system, {
    ...endlessOptions(system, run),
    tolerance,
    ...(method !== undefined && parseMethod(method)),
  });
  return adaptiveRunner(start(system, options), run, system);
}

function adaptiveRunner(motion: unknown, run: RunData, { data }: CompiledModel): ModelRunner {
  return new ModelRunner(realtime(motion as Run<State>, clockOf(run)), run, data);
}

/** Returns the options of a run without end that stores no states. */
function endlessOptions({ time }: CompiledModel, { until, speed }: RunData) {
  return {
    span: [time, until ?? time + ENDLESS_SPAN_S] as const,
    maximumStep: MAX_STEP_S * Math.max(speed, 1),
    output: "ends" as const,
    maximumSteps: Number.MAX_SAFE_INTEGER,
  };
}

/** Returns the runner of a compiled model: adaptive if a tolerance is given, else with fixed steps. */
function compiledRunner(system: CompiledModel, run: RunData): ModelRunner {
  const { method, step, tolerance } = run;
  if (tolerance !== undefined) {
    if (step !== undefined) {
      throw new NodriftError(
        "STEP",
        "spawn: step and tolerance exclude each other: give one of them",
      );
    }
    const options = { ...endlessOptions(system, run), tolerance };
    const own = method === undefined ? {} : parseMethod(method);
    return adaptiveRunner(start(system, { ...options, ...own }), run, system);
  }
  if (method === undefined) {
    const loop = realtime<BodySimulation>(system, {
      ...clockOf(run),
      step: step ?? DEFAULT_STEP_S,
    });
    return new ModelRunner(loop, run, system.data);
  }
  const simulation = system.simulate({ step: step ?? DEFAULT_STEP_S, method: methodOf(method) });
  return new ModelRunner(realtime(simulation, clockOf(run)), run, system.data);
}

/** Returns the method of a name; an integrator alone is completed with a suitable formulation. */
function methodOf(name: string): Method {
  const choice = parseMethod(name);
  if ("method" in choice) return choice.method;
  const { integrator } = choice;
  return integrator.isImplicit
    ? { formulation: stateSpace(), integrator }
    : ({ ...defaultMethod(), integrator } as Method);
}

function clockOf({ speed, maximumSteps }: RunData) {
  return { speed, ...(maximumSteps !== undefined && { maximumSteps }) };
}

/** Throws if options choose a method for a source that has one already. */
function refuseChoice(run: RunData, what: string): void {
  const given = (["method", "step", "tolerance"] as const).find((name) => run[name] !== undefined);
  if (given === undefined) return;
  throw new NodriftError(
    "STEP",
    `spawn: ${given} is not supported: the module creates ${what}, which has its own`,
  );
}
