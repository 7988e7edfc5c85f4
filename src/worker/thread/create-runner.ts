// Creates the model runner for the source and options a page has sent.

import { NodriftError } from "../../base/errors.js";
import {
  type BodySimulation,
  type CompiledModel,
  compile,
  defaultMethod,
  type Grip,
  type Model,
  type NamedState,
  type Recording,
} from "../../bodies.js";
import { AbsentParts } from "../../draw/frames.js";
import { type ModelFile, readDocument, readModel } from "../../files/index.js";
import type { Method, Simulation, Snapshot, State } from "../../index.js";
import {
  parseMethod,
  type Realtime,
  type RealtimeRun,
  type Run,
  type RunSnapshot,
  realtime,
  start,
  stateSpace,
} from "../../solve.js";
import type { RunData, SourceData } from "../messages/messages.js";
import { type ModelRunner, refusal } from "./model-runner.js";

// Fixed steps.

const MECHANISM_ONLY =
  "only mechanisms can do that: this system is defined by functions and has no bodies";
const NOT_RECORDED = "the run is not recorded: pass record: true to spawn";

/** Runs a simulation in real time, with fixed steps. */
class FixedStepRunner implements ModelRunner {
  readonly #loop: Realtime<Simulation>;
  readonly data: object | undefined;
  readonly absent = [];
  /** Simulated seconds that were dropped before the loop was reset. */
  #droppedTime = 0;
  readonly #until: number;
  readonly #grips = new Map<number, Grip>();
  readonly #recording: Recording | undefined;
  #gripCount = 0;

  constructor(loop: Realtime<Simulation>, { until, record }: RunData, data?: object) {
    this.#loop = loop;
    this.#until = until ?? Number.POSITIVE_INFINITY;
    this.data = data;
    if (record !== undefined) this.#recording = this.#mechanism("record").record(record);
  }

  /** Returns the simulation; throws unless it is one of bodies. */
  #mechanism(what: string): BodySimulation {
    const { simulation } = this.#loop;
    if ("grab" in simulation) return simulation as BodySimulation;
    throw refusal(what, MECHANISM_ONLY);
  }

  get name(): string {
    return (this.data as { name?: string } | undefined)?.name ?? "";
  }

  get method(): string {
    return this.#loop.simulation.method;
  }

  get bodies() {
    return this.#loop.simulation.rigidBodies;
  }

  get joints(): readonly string[] {
    return (this.#loop.simulation as Partial<BodySimulation>).joints ?? [];
  }

  get q(): Float64Array {
    return this.#loop.q;
  }

  get v(): Float64Array {
    return this.#loop.v;
  }

  get time(): number {
    return this.#loop.time;
  }

  get reached(): number {
    return this.#loop.simulation.time;
  }

  get stepLength(): number {
    return this.#loop.simulation.step;
  }

  get droppedTime(): number {
    return this.#droppedTime + this.#loop.droppedTime;
  }

  hold(): void {
    this.#droppedTime += this.#loop.droppedTime;
    this.#loop.reset();
  }

  get paused(): boolean {
    return this.#loop.paused;
  }

  set paused(paused: boolean) {
    this.#loop.paused = paused;
  }

  get clockSpeed(): number {
    return this.#loop.speed;
  }

  set clockSpeed(speed: number) {
    this.#loop.speed = speed;
  }

  get readable(): object {
    return this.#loop.simulation;
  }

  get over(): string | undefined {
    return this.reached >= this.#until - 1e-9 * this.stepLength ? "until" : undefined;
  }

  advance(seconds: number): number {
    const left = (this.#until - this.reached) / this.#loop.speed;
    return this.#loop.advance(Math.max(0, Math.min(seconds, left)));
  }

  step(count: number): void {
    this.#loop.simulation.advance(count);
  }

  set(...given: readonly unknown[]): void {
    const simulation = this.#mechanism("set");
    (simulation.set as (...all: readonly unknown[]) => void)(...given);
  }

  push(body: string, options: unknown): void {
    this.#mechanism("push").push(body, options as never);
  }

  grab(body: string, point: unknown, options: unknown): number {
    const grip = this.#mechanism("grab").grab(body, point as never, options as never);
    this.#gripCount++;
    this.#grips.set(this.#gripCount, grip);
    return this.#gripCount;
  }

  moveTo(grip: number, place: unknown): void {
    this.#findGrip("moveTo", grip).moveTo(place as never);
  }

  release(grip: number): void {
    this.#findGrip("release", grip).release();
    this.#grips.delete(grip);
  }

  #findGrip(what: string, id: number): Grip {
    const found = this.#grips.get(id);
    if (found) return found;
    throw new NodriftError("STEP", `${what}: this grip has been released: grab again`);
  }

  setState(q: unknown, v: unknown, options: unknown): void {
    this.#loop.simulation.setState(q as never, v as never, options as never);
  }

  namedState(): NamedState {
    return this.#mechanism("namedState").namedState();
  }

  setNamedState(state: unknown): void {
    this.#mechanism("setNamedState").setNamedState(state as NamedState);
  }

  save(): Snapshot {
    return this.#loop.simulation.save();
  }

  restore(snapshot: unknown): void {
    this.#loop.simulation.restore(snapshot as Snapshot);
  }

  rewind(time: number): void {
    if (!this.#recording) throw refusal("rewind", NOT_RECORDED);
    this.#recording.rewind(time);
  }

  recorded(): unknown {
    if (!this.#recording) throw refusal("recorded", NOT_RECORDED);
    return this.#recording.run;
  }
}

// Adaptive runs.

const FIXED_STEP_ONLY = "adaptive runs cannot do that: pass a step to spawn instead of a tolerance";

/** Runs an adaptive run in real time. */
class AdaptiveRunner implements ModelRunner {
  readonly #loop: RealtimeRun<State>;
  readonly #absent: AbsentParts;
  readonly data: object | undefined;
  /** Simulated seconds that were dropped before the loop was reset. */
  #droppedTime = 0;
  #stepLength = Number.NaN;

  constructor(loop: RealtimeRun<State>, data?: object) {
    this.#loop = loop;
    this.#absent = new AbsentParts(loop.run);
    this.data = data;
  }

  get name(): string {
    return (this.data as { name?: string } | undefined)?.name ?? "";
  }

  get method(): string {
    return this.#loop.run.solution().method;
  }

  get bodies() {
    return this.#loop.run.rigidBodies;
  }

  get joints(): readonly string[] {
    const { joints = [] } = (this.data ?? {}) as { joints?: readonly { name: string }[] };
    return joints.map(({ name }) => name);
  }

  get absent(): readonly string[] {
    return this.#absent.names;
  }

  get q(): Float64Array {
    return this.#loop.q;
  }

  get v(): Float64Array {
    return this.#loop.v;
  }

  get time(): number {
    return this.#loop.time;
  }

  get reached(): number {
    return this.#loop.run.time;
  }

  get stepLength(): number {
    return this.#stepLength;
  }

  get droppedTime(): number {
    return this.#droppedTime + this.#loop.droppedTime;
  }

  hold(): void {
    this.#droppedTime += this.#loop.droppedTime;
    this.#loop.reset();
  }

  get paused(): boolean {
    return this.#loop.paused;
  }

  set paused(paused: boolean) {
    this.#loop.paused = paused;
  }

  get clockSpeed(): number {
    return this.#loop.speed;
  }

  set clockSpeed(speed: number) {
    this.#loop.speed = speed;
  }

  get readable(): object {
    return this.#loop.run.state;
  }

  get over(): string | undefined {
    return this.#loop.run.isOver ? this.#loop.run.solution().status : undefined;
  }

  advance(seconds: number): number {
    const before = this.reached;
    const taken = this.#loop.advance(seconds);
    if (taken > 0) this.#stepLength = (this.reached - before) / taken;
    return taken;
  }

  step(count: number): void {
    const before = this.reached;
    let taken = 0;
    while (taken < count && this.#loop.run.step()) taken++;
    if (taken > 0) this.#stepLength = (this.reached - before) / taken;
  }

  set(...given: readonly unknown[]): void {
    (this.#loop.run.set as (...all: readonly unknown[]) => void)(...given);
  }

  save(): RunSnapshot {
    return this.#loop.run.save();
  }

  restore(snapshot: unknown): void {
    this.#loop.run.restore(snapshot as RunSnapshot);
  }

  push(): never {
    throw refusal("push", FIXED_STEP_ONLY);
  }

  grab(): never {
    throw refusal("grab", FIXED_STEP_ONLY);
  }

  moveTo(): never {
    throw refusal("moveTo", FIXED_STEP_ONLY);
  }

  release(): never {
    throw refusal("release", FIXED_STEP_ONLY);
  }

  setState(): never {
    throw refusal("setState", FIXED_STEP_ONLY);
  }

  namedState(): never {
    throw refusal("namedState", FIXED_STEP_ONLY);
  }

  setNamedState(): never {
    throw refusal("setNamedState", FIXED_STEP_ONLY);
  }

  rewind(): never {
    throw refusal("rewind", FIXED_STEP_ONLY);
  }

  recorded(): never {
    throw refusal("recorded", FIXED_STEP_ONLY);
  }
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
  if (has(served, "step", "finish")) {
    refuseChoice(run, "a run");
    return new AdaptiveRunner(realtime(served as Run<State>, clockOf(run)));
  }
  if (has(served, "advance", "setStep")) {
    refuseChoice(run, "a simulation");
    return new FixedStepRunner(realtime(served as Simulation, clockOf(run)), run);
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
  return new AdaptiveRunner(realtime(motion as Run<State>, clockOf(run)), data);
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
    return new FixedStepRunner(loop, run, system.data);
  }
  const simulation = system.simulate({ step: step ?? DEFAULT_STEP_S, method: methodOf(method) });
  return new FixedStepRunner(realtime(simulation, clockOf(run)), run, system.data);
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
