// Runs cases. Failures are recorded in the result and never end the campaign.

import { pathToFileURL } from "node:url";
import { NodriftError } from "../../src/base/errors.js";
import type { BodyState, CompiledModel } from "../../src/bodies.js";
import { type ModelFile, readDocument } from "../../src/files/index.js";
import { type OutputOption, type Solution, type StopSignal, solve } from "../../src/solve.js";
import { moduleHash } from "../definition/module-hash.js";
import type {
  CaseMaker,
  Definition,
  OutputOptions,
  ParameterOptions,
} from "../definition/options.js";
import type { Plan } from "./plan.js";
import type { CaseResult } from "./result.js";

// Computes the outputs of a case from its solution.

// Outputs that depend on the whole run: integrals and extrema, by dense output.

/** Reads a number from a state. */
type Reading = (state: BodyState) => number;

/** Gauss-Legendre rule on [0, 1] with five nodes: exact to order 10, higher than that of all interpolants used. */
const ROOT = 2 * Math.sqrt(10 / 7);
const [INNER, OUTER] = [Math.sqrt(5 - ROOT) / 3, Math.sqrt(5 + ROOT) / 3];
const [MIDDLE, NEAR, FAR] = [
  128 / 225,
  (322 + 13 * Math.sqrt(70)) / 900,
  (322 - 13 * Math.sqrt(70)) / 900,
];
const NODES = [-OUTER, -INNER, 0, INNER, OUTER].map((x) => (1 + x) / 2);
const WEIGHTS = [FAR, NEAR, MIDDLE, NEAR, FAR].map((w) => w / 2);

/** Integrals and extrema of a formula over a run. */
interface AlongRun {
  readonly integral: number;
  readonly integralOfSquare: number;
  readonly maximum: { readonly value: number; readonly time: number };
  readonly minimum: { readonly value: number; readonly time: number };
}

/** A formula, and which of its extrema are needed. Each costs a dozen states. */
interface TallyRequest {
  readonly read: Reading;
  readonly maximum: boolean;
  readonly minimum: boolean;
}

/** Evaluates all readings in one pass over the steps, so that each state at a node is computed once. */
function alongRun(
  solution: Solution<BodyState>,
  requests: readonly TallyRequest[],
): readonly AlongRun[] {
  const tallies = requests.map((one) => new Tally(one));
  const { time, length } = solution;
  return solution.browse((at) => {
    for (let i = 0; i < length; i++) {
      const state = solution.state(i);
      state.readout.pinned(() => {
        for (const tally of tallies) tally.see(state.time, state);
      });
      const [from, to] = [time[i]!, time[i + 1] ?? time[i]!];
      if (from === to) continue;
      for (const [k, node] of NODES.entries()) {
        const now = from + node * (to - from);
        const between = at(now);
        between.readout.pinned(() => {
          for (const tally of tallies) tally.add(now, between, WEIGHTS[k]! * (to - from));
        });
      }
    }
    return tallies.map((tally) => tally.finish(at));
  });
}

class Tally {
  #integral = 0;
  #square = 0;
  /** Largest and smallest value so far, with their times and the neighbouring times. */
  readonly #largest = new Peak(1);
  readonly #smallest = new Peak(-1);

  constructor(readonly request: TallyRequest) {}

  see(time: number, state: BodyState): number {
    const value = this.request.read(state);
    this.#largest.see(time, value);
    this.#smallest.see(time, value);
    return value;
  }

  add(time: number, state: BodyState, weight: number): void {
    const value = this.see(time, state);
    this.#integral += weight * value;
    this.#square += weight * value * value;
  }

  finish(at: (time: number) => BodyState): AlongRun {
    const { read, maximum, minimum } = this.request;
    const value = (time: number) => read(at(time));
    return {
      integral: this.#integral,
      integralOfSquare: this.#square,
      maximum: maximum ? this.#largest.refined(value) : this.#largest.seen,
      minimum: minimum ? this.#smallest.refined(value) : this.#smallest.seen,
    };
  }
}

/** (3 - sqrt(5)) / 2. */
const GOLDEN_SECTION = (3 - Math.sqrt(5)) / 2;
/** Tolerance as a fraction of the interval. The value is then exact to rounding, since its slope is zero there. */
const TIME_TOLERANCE = 1e-9;
const MAX_ITERATIONS = 60;

/** Maximum of signed values, and the neighbouring times. */
class Peak {
  #value = Number.NaN;
  #time = Number.NaN;
  #before = Number.NaN;
  #after = Number.NaN;
  #last = Number.NaN;
  #isNew = false;

  constructor(readonly sign: 1 | -1) {}

  see(time: number, value: number): void {
    if (this.#isNew) {
      this.#after = time;
      this.#isNew = false;
    }
    if (Number.isNaN(this.#value) || this.sign * value > this.sign * this.#value) {
      this.#value = value;
      this.#time = time;
      this.#before = this.#last;
      this.#after = Number.NaN;
      this.#isNew = true;
    }
    this.#last = time;
  }

  get seen(): { readonly value: number; readonly time: number } {
    return { value: this.#value, time: this.#time };
  }

  /**
   * Refines the maximum between the neighbouring times by parabolas through the last three points, or by golden sections if these
   * do not converge (R. P. Brent, Algorithms for Minimization without Derivatives, 1973, chapter 5).
   */
  refined(at: (time: number) => number): { readonly value: number; readonly time: number } {
    const ends = [this.#before, this.#after].map((end) => (Number.isNaN(end) ? this.#time : end));
    let [low, high] = [Math.min(...ends), Math.max(...ends)];
    const close = TIME_TOLERANCE * (high - low);
    if (!(close > 0)) return this.seen;
    let x = Math.min(Math.max(this.#time, low), high);
    if (x === low || x === high) x = low + GOLDEN_SECTION * (high - low);
    let fx = -this.#try(x, at);
    let [w, v, fw, fv] = [x, x, fx, fx];
    let [step, before] = [0, 0];
    for (let i = 0; i < MAX_ITERATIONS; i++) {
      const middle = (low + high) / 2;
      if (Math.abs(x - middle) <= 2 * close - (high - low) / 2) break;
      const r = (x - w) * (fx - fv);
      const q = (x - v) * (fx - fw);
      const p = (x - v) * q - (x - w) * r;
      const bottom = 2 * (q - r);
      const [earlier, parabola] = [before, bottom === 0 ? Number.NaN : -p / bottom];
      before = step;
      const fits =
        Math.abs(parabola) < Math.abs(earlier) / 2 && x + parabola > low && x + parabola < high;
      if (fits) step = parabola;
      else {
        before = x >= middle ? low - x : high - x;
        step = GOLDEN_SECTION * before;
      }
      const u = x + (Math.abs(step) >= close ? step : Math.sign(step) * close);
      const fu = -this.#try(u, at);
      if (fu <= fx) {
        if (u >= x) low = x;
        else high = x;
        [v, fv, w, fw, x, fx] = [w, fw, x, fx, u, fu];
      } else {
        if (u < x) low = u;
        else high = u;
        if (fu <= fw || w === x) [v, fv, w, fw] = [w, fw, u, fu];
        else if (fu <= fv || v === x || v === w) [v, fv] = [u, fu];
      }
    }
    return this.seen;
  }

  #try(time: number, at: (time: number) => number): number {
    const value = at(time);
    if (this.sign * value > this.sign * this.#value) {
      this.#value = value;
      this.#time = time;
    }
    return this.sign * value;
  }
}

const ALONG = [
  "maximum",
  "minimum",
  "timeOfMaximum",
  "timeOfMinimum",
  "integral",
  "mean",
  "rms",
] as const;

/** Formula of an output; undefined for outputs of events. */
function formulaOf(output: OutputOptions): string | undefined {
  const found = (["end", "samples", ...ALONG] as const).find((kind) => output[kind] !== undefined);
  return found && output[found];
}

const isAlong = (output: OutputOptions) => ALONG.some((kind) => output[kind] !== undefined);

/** States that the outputs need: all steps if there is an integral, an extremum or a sample. */
function statesFor(outputs: readonly OutputOptions[]): OutputOption {
  return outputs.some((one) => isAlong(one) || one.samples !== undefined) ? "steps" : "ends";
}

/** Values of all columns in order. NaN and infinity are errors; times of events that did not occur are null. */
function outputsOf(
  outputs: readonly OutputOptions[],
  file: ModelFile,
  solution: Solution<BodyState>,
): (number | null)[] {
  const formulas = outputs.filter((one) => formulaOf(one) !== undefined);
  const readings = new Map<OutputOptions, Reading>(
    formulas.map((one, i) => [one, file.columns[i]!.read]),
  );
  const along = outputs.filter(isAlong);
  const found =
    along.length === 0
      ? []
      : alongRun(
          solution,
          along.map((one) => ({
            read: readings.get(one)!,
            maximum: (one.maximum ?? one.timeOfMaximum) !== undefined,
            minimum: (one.minimum ?? one.timeOfMinimum) !== undefined,
          })),
        );
  const integrals = new Map(along.map((one, i) => [one, found[i]!]));
  return outputs.flatMap((one) => {
    const values = valuesOf(one, solution, readings.get(one), integrals.get(one));
    const bad = values.find((value) => value !== null && !Number.isFinite(value));
    if (bad === undefined) return values.map((value) => (value === 0 ? 0 : value));
    throw new NodriftError("EVALUATION", `output "${one.name}" is ${bad}`);
  });
}

function valuesOf(
  output: OutputOptions,
  solution: Solution<BodyState>,
  read: Reading | undefined,
  along: AlongRun | undefined,
): (number | null)[] {
  const { timeOf, countOf, occurrence = 1, times } = output;
  if (timeOf !== undefined) {
    const all = solution.events.filter(({ name }) => name === timeOf);
    return [all[occurrence - 1]?.time ?? null];
  }
  if (countOf !== undefined) return [solution.events.filter(({ name }) => name === countOf).length];
  if (times) return times.map((time) => sampleAt(solution, time, output.name, read!));
  if (!along) return [read!(solution.end)];
  return [alongValue(output, along, Math.abs(solution.end.time - solution.time[0]!))];
}

function sampleAt(
  solution: Solution<BodyState>,
  time: number,
  name: string,
  read: Reading,
): number {
  const [from, to] = [solution.time[0]!, solution.end.time];
  if ((time - from) * (time - to) <= 0) return read(solution.at(time));
  throw new NodriftError(
    "STEP",
    `output "${name}": time ${time} is outside the run, which ended at ${to}`,
  );
}

function alongValue(output: OutputOptions, along: AlongRun, span: number): number {
  if (output.maximum !== undefined) return along.maximum.value;
  if (output.minimum !== undefined) return along.minimum.value;
  if (output.timeOfMaximum !== undefined) return along.maximum.time;
  if (output.timeOfMinimum !== undefined) return along.minimum.time;
  if (output.integral !== undefined) return along.integral;
  // Both the integral and the span would change their sign in a backward run.
  if (output.mean !== undefined) return along.integral / span;
  return Math.sqrt(Math.abs(along.integralOfSquare) / span);
}

// Locates the values of a model document that a parameter replaces.

type Node = Record<string, unknown> | unknown[];
/** Writes a value into a document. */
type Setter = (document: object, value: number) => void;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Returns a setter for a parameter in documents like this one. Throws if its location does not exist. */
function setterOf(parameter: ParameterOptions, document: object): Setter {
  const paths = pointersOf(parameter, document).map((pointer) =>
    resolved(pointer, parameter, document),
  );
  return (target, value) => {
    for (const path of paths) write(target, path, value);
  };
}

/** The given pointers, or a named parameter of the document. A formula without a location only serves other formulas. */
function pointersOf(parameter: ParameterOptions, document: object): readonly string[] {
  const { at, name, formula } = parameter;
  if (typeof at === "string") return [at];
  if (at) return at;
  const { parameters: named } = document as { readonly parameters?: unknown };
  if (isNode(named) && Object.hasOwn(named, name)) return [`/parameters/${escaped(name)}`];
  if (formula !== undefined) return [];
  throw new NodriftError(
    "DESCRIPTION",
    `campaign: parameter "${name}" needs "at", like "/bodies/0/mass", since the model has no parameter with its name`,
  );
}

const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
const unescaped = (key: string) => key.replaceAll("~1", "/").replaceAll("~0", "~");

type Path = readonly (string | number)[];

/** Resolves a pointer, with names of entries replaced by their indices. The last key may be a new one. */
function resolved(pointer: string, { name }: ParameterOptions, document: object): Path {
  const keys = pointer.slice(1).split("/").map(unescaped);
  const path: (string | number)[] = [];
  let node: unknown = document;
  for (const [i, key] of keys.entries()) {
    const isLast = i === keys.length - 1;
    const next = isNode(node) ? keyIn(node, key, isLast) : undefined;
    if (next === undefined) {
      const where = `/${keys.slice(0, i + 1).join("/")}`;
      throw new NodriftError(
        "DESCRIPTION",
        `campaign: parameter "${name}": the model has no ${where}`,
      );
    }
    path.push(next);
    node = (node as Record<string | number, unknown>)[next];
  }
  if (node === undefined || typeof node === "number") return path;
  throw new NodriftError(
    "DESCRIPTION",
    `campaign: parameter "${name}": ${pointer} is not a number in the model`,
  );
}

function keyIn(node: Node, key: string, mayBeNew: boolean): string | number | undefined {
  if (!Array.isArray(node)) {
    if (Object.hasOwn(node, key)) return key;
    return mayBeNew && !["__proto__", "constructor", "prototype"].includes(key) ? key : undefined;
  }
  const named = node.findIndex(
    (entry) => isNode(entry) && (entry as { name?: unknown }).name === key,
  );
  if (named >= 0) return named;
  const index = /^(0|[1-9]\d*)$/.test(key) ? Number(key) : -1;
  return index >= 0 && index < node.length ? index : undefined;
}

function write(document: object, path: Path, value: number): void {
  let node = document as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) node = node[key] as Record<string | number, unknown>;
  node[path.at(-1)!] = value;
}

/** Default time limit of a case in seconds. */
export const DEFAULT_SECONDS = 600;
/** Largest number of characters of a reason. */
const MAX_REASON_LENGTH = 2000;

/** Creates the model document or the outputs of a case. */
type Maker = (index: number) => Promise<object>;

/** Checks the formulas before any case runs. Modules are loaded only by workers, since they may never return. */
export function checkCases({ definition }: Plan): void {
  const { model, outputs } = definition;
  if (model.kind === "document") {
    checkEvents(readDocument(withOutputs(model.document, outputs)), definition);
  }
}

/** Runs cases of a plan. */
export class CaseRunner {
  readonly #plan: Plan;
  readonly #make: Maker;
  /** Compiled model of the previous case, for reuse: most cases differ in a few values only. */
  #last: CompiledModel | undefined;

  private constructor(plan: Plan, make: Maker) {
    this.#plan = plan;
    this.#make = make;
  }

  /** Creates a runner and loads its module. `given` is the function of a campaign that is defined by one. */
  static async of(plan: Plan, given?: CaseMaker): Promise<CaseRunner> {
    const { model } = plan.definition;
    if (model.kind === "document") {
      checkCases(plan);
      return new CaseRunner(plan, documentMaker(plan, model.document));
    }
    const maker = model.kind === "module" ? await importMaker(model) : given;
    if (!maker)
      throw new NodriftError("DESCRIPTION", "campaign: this process has no function to run");
    return new CaseRunner(plan, async (index) => {
      const values = plan.values(index);
      const named = plan.parameters.map((name, i) => [name, values[i]!] as const);
      return maker(Object.fromEntries(named));
    });
  }

  /** Reads the model of a case; undefined if its module returns outputs instead of a model. */
  async file(index: number): Promise<ModelFile | undefined> {
    const made = await this.#make(index);
    return isDocument(made) ? readDocument(made) : undefined;
  }

  /** Runs a case. Throws only if the signal stops it. */
  async run(index: number, signal?: StopSignal): Promise<CaseResult> {
    const parameters = Array.from(this.#plan.values(index));
    const head = { case: index, id: this.#plan.id(index) };
    try {
      const { maximumSeconds = DEFAULT_SECONDS } = this.#plan.definition.limits ?? {};
      const began = performance.now();
      const made = await within(maximumSeconds, this.#make(index));
      if (!isDocument(made)) {
        return { ...head, status: "done", parameters, outputs: this.#checkedOutputs(made) };
      }
      const { definition } = this.#plan;
      const file = readDocument(withOutputs(made, definition.outputs));
      const solution = await this.#solve(file, began, signal);
      if (solution.status === "finished" || solution.status === "event") {
        const outputs = outputsOf(definition.outputs, file, solution);
        return { ...head, status: "done", parameters, outputs };
      }
      const { time, q, v } = solution.end;
      const last = { time, q: Array.from(q), v: Array.from(v) };
      const reason = `${solution.status}: ${solution.reason}`.slice(0, MAX_REASON_LENGTH);
      if (solution.status === "aborted") throw new NodriftError("STOPPED", reason);
      return { ...head, status: "failed", parameters, reason, last };
    } catch (error) {
      if (error instanceof NodriftError && error.code === "STOPPED" && signal?.aborted) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      return { ...head, status: "failed", parameters, reason: reason.slice(0, MAX_REASON_LENGTH) };
    }
  }

  async #solve(
    file: ModelFile,
    began: number,
    signal: StopSignal | undefined,
  ): Promise<Solution<BodyState>> {
    const { outputs, limits = {} } = this.#plan.definition;
    const { maximumSeconds = DEFAULT_SECONDS, maximumSteps } = limits;
    checkEvents(file, { outputs });
    const left = () => Math.max(maximumSeconds - (performance.now() - began) / 1000, 1e-3);
    const reuse = this.#last;
    const system = await file.compile({
      maximumSeconds: left(),
      ...(reuse && { reuse }),
      ...(signal && { signal }),
    });
    this.#last = system;
    return solve(
      system,
      file.solveOptions(system, {
        output: statesFor(outputs),
        maximumSeconds: left(),
        ...(maximumSteps !== undefined && { maximumSteps }),
        ...(signal && { signal }),
      }),
    );
  }

  /** Checks outputs that a module computed itself. */
  #checkedOutputs(made: object): number[] {
    const { outputs } = (made ?? {}) as { readonly outputs?: unknown };
    const isRecord = typeof outputs === "object" && outputs !== null;
    return this.#plan.columns.map((name) => {
      const value = isRecord ? (outputs as Record<string, unknown>)[name] : undefined;
      if (Number.isFinite(value)) return value === 0 ? 0 : (value as number);
      const what = isRecord
        ? `output "${name}" is ${String(value)}`
        : "the module returned neither a model nor outputs";
      throw new NodriftError("EVALUATION", what);
    });
  }
}

/** Reason of a case whose module exceeds the time limit. */
export function lateReason(seconds: number): string {
  return `maximumSeconds: the module did not return within ${seconds} s`;
}

/** Awaits the result of a module, up to a time limit. Code that never returns is killed with its process. */
async function within<T>(seconds: number, made: T | PromiseLike<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = lateReason(seconds);
    // A delay beyond the range of timers means no limit.
    if (seconds < 2 ** 31 / 1000) {
      timer = setTimeout(() => reject(new NodriftError("EVALUATION", message)), 1000 * seconds);
    }
  });
  try {
    return await Promise.race([made, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isDocument(made: object): boolean {
  return typeof made === "object" && made !== null && Object.hasOwn(made, "nodrift");
}

function documentMaker(plan: Plan, document: object): Maker {
  const setters: readonly Setter[] = plan.definition.parameters.map((one) =>
    setterOf(one, document),
  );
  return async (index) => {
    const copy = structuredClone(document);
    const values = plan.values(index);
    for (const [i, set] of setters.entries()) set(copy, values[i]!);
    return copy;
  };
}

/** Replaces the output columns of a document by the formulas, which can use the functions of the file. */
function withOutputs(document: object, outputs: readonly OutputOptions[]): object {
  const values = outputs.flatMap((one, i) => {
    const value = formulaOf(one);
    if (value !== undefined) return [{ name: `output ${i}`, value }];
    if (one.timeOf !== undefined || one.countOf !== undefined) return [];
    throw new NodriftError(
      "DESCRIPTION",
      `output "${one.name}" needs a formula: end, maximum, integral, ...`,
    );
  });
  const { output: _, ...rest } = document as { readonly output?: unknown };
  return values.length === 0 ? rest : { ...rest, output: { values } };
}

function checkEvents(file: ModelFile, { outputs }: Pick<Definition, "outputs">): void {
  const names = new Set((file.settings.events ?? []).map(({ name }) => name));
  for (const { name, timeOf, countOf } of outputs) {
    const event = timeOf ?? countOf;
    if (event === undefined || names.has(event)) continue;
    throw new NodriftError("DESCRIPTION", `output "${name}": the model has no event "${event}"`);
  }
}

async function importMaker(model: {
  readonly path: string;
  readonly hash: string;
}): Promise<CaseMaker> {
  const { path, hash } = model;
  if (moduleHash(path) !== hash) {
    throw new NodriftError(
      "DESCRIPTION",
      `campaign: ${path} has changed since the campaign was defined`,
    );
  }
  const loaded = (await import(pathToFileURL(path).href).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    throw new NodriftError("DESCRIPTION", `campaign: ${path} does not load: ${message}`);
  })) as { readonly default?: unknown };
  if (typeof loaded.default === "function") return loaded.default as CaseMaker;
  throw new NodriftError("DESCRIPTION", `campaign: ${path} has no function as its default export`);
}
