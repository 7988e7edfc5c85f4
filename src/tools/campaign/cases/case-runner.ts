// Runs cases. Whatever a case does, its result says so: it never ends the campaign.

import { pathToFileURL } from "node:url";
import type { BodyState, CompiledModel } from "../../../bodies.js";
import { NodriftError } from "../../../ground/errors.js";
import { type Solution, type StopSignal, solve } from "../../../solve.js";
import { type ModelFile, readDocument } from "../../files/index.js";
import { moduleHash } from "../definition/module-hash.js";
import type { CaseMaker, Definition, OutputOptions } from "../definition/options.js";
import { type Setter, setterOf } from "./addresses.js";
import { formulaOf, outputsOf, statesFor } from "./outputs.js";
import type { Plan } from "./plan.js";
import type { CaseResult } from "./result.js";

/** Seconds that a case may take where nothing is said. */
export const PATIENCE = 600;
/** Characters of a reason. */
const REASON = 2000;

/** A model of one case, ready to be read. */
type Maker = (index: number) => Promise<object>;

/** Runs cases of a plan. */
export class CaseRunner {
  readonly #plan: Plan;
  readonly #make: Maker;
  /** The case before: the next one differs as a rule in a few numbers. */
  #last: CompiledModel | undefined;

  private constructor(plan: Plan, make: Maker) {
    this.#plan = plan;
    this.#make = make;
  }

  /** Loads what the cases are made by. A function is given where the definition cannot hold it. */
  static async of(plan: Plan, given?: CaseMaker): Promise<CaseRunner> {
    const { model } = plan.definition;
    if (model.kind === "document") {
      // Mistakes in formulas are those of all cases: they are told before any runs.
      checkEvents(
        readDocument(withOutputs(model.document, plan.definition.outputs)),
        plan.definition,
      );
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

  /** The model of a case, read; undefined where a module gives numbers and no model. */
  async file(index: number): Promise<ModelFile | undefined> {
    const made = await this.#make(index);
    return isDocument(made) ? readDocument(made) : undefined;
  }

  /** The result of a case. Only a signal to stop is thrown. */
  async run(index: number, signal?: StopSignal): Promise<CaseResult> {
    const parameters = Array.from(this.#plan.values(index));
    const head = { case: index, id: this.#plan.id(index) };
    try {
      const { maximumSeconds = PATIENCE } = this.#plan.definition.limits ?? {};
      const made = await within(maximumSeconds, this.#make(index));
      if (!isDocument(made)) {
        return { ...head, status: "done", parameters, outputs: this.#given(made) };
      }
      const { definition } = this.#plan;
      const file = readDocument(withOutputs(made, definition.outputs));
      const solution = await this.#solved(file, signal);
      if (solution.status === "finished" || solution.status === "event") {
        const outputs = outputsOf(definition.outputs, file, solution);
        return { ...head, status: "done", parameters, outputs };
      }
      const { time, q, v } = solution.end;
      const last = { time, q: Array.from(q), v: Array.from(v) };
      const reason = `${solution.status}: ${solution.reason}`.slice(0, REASON);
      if (solution.status === "aborted") throw new NodriftError("STOPPED", reason);
      return { ...head, status: "failed", parameters, reason, last };
    } catch (error) {
      if (error instanceof NodriftError && error.code === "STOPPED" && signal?.aborted) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      return { ...head, status: "failed", parameters, reason: reason.slice(0, REASON) };
    }
  }

  async #solved(file: ModelFile, signal: StopSignal | undefined): Promise<Solution<BodyState>> {
    const { outputs, limits = {} } = this.#plan.definition;
    const { maximumSeconds = PATIENCE, maximumSteps } = limits;
    checkEvents(file, { outputs });
    const began = performance.now();
    const like = this.#last;
    const system = await file.compile({
      maximumSeconds,
      ...(like && { like }),
      ...(signal && { signal }),
    });
    this.#last = system;
    const left = maximumSeconds - (performance.now() - began) / 1000;
    return solve(
      system,
      file.solveOptions(system, {
        output: statesFor(outputs),
        maximumSeconds: Math.max(left, 1e-3),
        ...(maximumSteps !== undefined && { maximumSteps }),
        ...(signal && { signal }),
      }),
    );
  }

  /** Numbers that a module computed itself. */
  #given(made: object): number[] {
    const { outputs } = (made ?? {}) as { readonly outputs?: unknown };
    const isRecord = typeof outputs === "object" && outputs !== null;
    return this.#plan.columns.map((name) => {
      const value = isRecord ? (outputs as Record<string, unknown>)[name] : undefined;
      if (Number.isFinite(value)) return value === 0 ? 0 : (value as number);
      const what = isRecord
        ? `output "${name}" is ${String(value)}`
        : "it gave neither a model nor outputs";
      throw new NodriftError("EVALUATION", what);
    });
  }
}

/** What a module promises, unless it takes longer than the limit. A module that never gives control back cannot be ended here. */
async function within<T>(seconds: number, made: T | PromiseLike<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `maximumSeconds: the module gave nothing within ${seconds} s`;
    // Longer delays than a timer can count mean no limit.
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

/** The formulas become the columns of the file's own output, with the functions that the file has. */
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
      `campaign: ${path} is not the module that the campaign was made with`,
    );
  }
  const loaded = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
  if (typeof loaded.default === "function") return loaded.default as CaseMaker;
  throw new NodriftError("DESCRIPTION", `campaign: ${path} has no function as its default export`);
}
