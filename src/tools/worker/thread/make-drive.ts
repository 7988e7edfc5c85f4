// From what a page sent to a model that moves.

import {
  type BodySimulation,
  type CompiledModel,
  compile,
  defaultMethod,
  type Model,
} from "../../../bodies.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Method, Simulation, State } from "../../../index.js";
import { parseMethod, type Run, realtime, start, stateSpace } from "../../../solve.js";
import { type ModelFile, readDocument, readModel } from "../../files/index.js";
import type { RunData, SourceData } from "../messages/messages.js";
import type { Drive } from "./drive.js";
import { RunDrive } from "./run-drive.js";
import { StepDrive } from "./step-drive.js";

/** What a module may make: a model in any stage on its way to a motion. */
export type Made = Model | ModelFile | CompiledModel | Simulation | Run<State>;

/** A maker, or what it makes. */
export type Maker = Made | ((input: unknown) => Made | Promise<Made>);

/** Runs to a tolerance end here, where no other end is given. */
const NEVER = 1e9;

/** Longest step of a run to a tolerance: what is drawn between states is a straight line. */
const LONGEST = 1 / 60;

const LIVE_STEP = 1 / 240;

const has = (made: object, ...names: readonly string[]) =>
  names.every((name) => typeof (made as Record<string, unknown>)[name] === "function");

/** A motion of it, as the options say. `own` is what the program of a worker makes itself. */
export async function makeDrive(
  source: SourceData | undefined,
  run: RunData,
  own?: Maker,
): Promise<Drive> {
  const made = await madeOf(source, run, own);
  // By shape: it may be made by another copy of the package.
  if (has(made, "step", "finish")) {
    refuseChoice(run, "a run");
    return new RunDrive(realtime(made as Run<State>, clockOf(run)));
  }
  if (has(made, "advance", "setStep")) {
    refuseChoice(run, "a simulation");
    return new StepDrive(realtime(made as Simulation, clockOf(run)), run);
  }
  if (has(made, "compile", "solveOptions")) return fileDrive(made as ModelFile, run);
  return driveOf(await compiled(made), run);
}

async function madeOf(
  source: SourceData | undefined,
  { input }: RunData,
  own: Maker | undefined,
): Promise<Made> {
  if (own !== undefined) return called(own, input, "the worker's maker");
  if (source === undefined) throw new NodriftError("DESCRIPTION", "spawn: there is no model");
  if (source.kind === "text") return readModel(source.text);
  if (source.kind === "document") return readDocument(source.document);
  const { url } = source;
  let loaded: { readonly default?: Maker };
  try {
    loaded = await import(/* @vite-ignore */ /* webpackIgnore: true */ url);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NodriftError("LOAD", `spawn: the module ${url} could not be loaded: ${reason}`, {
      cause,
    });
  }
  if (loaded.default !== undefined) return called(loaded.default, input, `the module ${url}`);
  throw new NodriftError(
    "DESCRIPTION",
    `spawn: the module ${url} has no default export: export default () => model`,
  );
}

async function called(maker: Maker, input: unknown, where: string): Promise<Made> {
  const made: unknown = await (typeof maker === "function" ? maker(input) : maker);
  if (typeof made === "object" && made !== null) return made as Made;
  throw new NodriftError("DESCRIPTION", `spawn: ${where} gave ${made}, which is not a model`);
}

async function compiled(made: Made): Promise<CompiledModel> {
  if (has(made, "system", "simulate")) return made as CompiledModel;
  if (has(made, "calls", "data")) return compile(made as Model);
  throw new NodriftError(
    "DESCRIPTION",
    "spawn: a module's default export must make a model, a compiled model, a model file, a simulation or a run",
  );
}

/** Only runs have events: a file that has some is moved by one, or what is between steps would be passed over. */
async function fileDrive(file: ModelFile, run: RunData): Promise<Drive> {
  const system = await file.compile();
  const { events = [], modes = [], solve } = file.settings;
  if (events.length + modes.length === 0) return driveOf(system, run);
  if (run.step !== undefined) {
    throw new NodriftError(
      "STEP",
      `spawn: "${file.name}" has events, which steps of one length pass over: give tolerance in place of step`,
    );
  }
  const { method, tolerance = solve?.tolerance ?? 1e-6 } = run;
  const options = file.solveOptions(system, {
    ...endless(system, run),
    tolerance,
    ...(method !== undefined && parseMethod(method)),
  });
  return runDrive(start(system, options), run, system);
}

function runDrive(motion: unknown, run: RunData, { data }: CompiledModel): Drive {
  return new RunDrive(realtime(motion as Run<State>, clockOf(run)), data);
}

/** Options of a run that goes on until it is told otherwise, and keeps none of its states. */
function endless({ time }: CompiledModel, { until, speed }: RunData) {
  return {
    span: [time, until ?? time + NEVER] as const,
    maximumStep: LONGEST * Math.max(speed, 1),
    output: "ends" as const,
    maximumSteps: Number.MAX_SAFE_INTEGER,
  };
}

/** Fixed steps, of a method that is given or chosen, or those of a run to a tolerance. */
function driveOf(system: CompiledModel, run: RunData): Drive {
  const { method, step, tolerance } = run;
  if (tolerance !== undefined) {
    if (step !== undefined) {
      throw new NodriftError(
        "STEP",
        "spawn: give either step or tolerance: steps to a tolerance have no fixed length",
      );
    }
    const options = { ...endless(system, run), tolerance };
    const own = method === undefined ? {} : parseMethod(method);
    return runDrive(start(system, { ...options, ...own }), run, system);
  }
  if (method === undefined) {
    const loop = realtime<BodySimulation>(system, { ...clockOf(run), step: step ?? LIVE_STEP });
    return new StepDrive(loop, run, system.data);
  }
  const simulation = system.simulate({ step: step ?? LIVE_STEP, method: methodOf(method) });
  return new StepDrive(realtime(simulation, clockOf(run)), run, system.data);
}

/** A whole method: an integrator alone gets the formulation that suits it. */
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

/** What has its method already takes no other. */
function refuseChoice(run: RunData, what: string): void {
  const given = (["method", "step", "tolerance"] as const).find((name) => run[name] !== undefined);
  if (given === undefined) return;
  throw new NodriftError(
    "STEP",
    `spawn: ${given} cannot be given: the module makes ${what}, which has its own`,
  );
}
