// Sampled controllers, which read the mechanism at multiples of a period and hold their outputs in between.

import { isRecord } from "../../base/checking/index.js";
import {
  callable,
  checkKeys,
  descriptionError,
  finite,
  hint,
  isList,
  label,
  notNegative,
  numbers,
  ownOptions,
  positive,
  show,
} from "../../base/checking/values.js";
import { NodriftError } from "../../base/errors.js";
import type { Controller } from "../handles.js";
import type { ControllerData } from "../model-data.js";
import type { Parameter } from "../parameter-types.js";
import { isParameter } from "../parameters.js";
import type { QuantityReader } from "../quantity-reader.js";
import type { Store } from "../store.js";
import type { FormulaScope } from "./reading-formula.js";
import { checkedNames, formulasOf } from "./states.js";

/** Options of `controller`. */
export interface ControllerOptions {
  /** Name in messages, readings and files. Default: "controller" and a running number. */
  readonly name?: string | undefined;
  /** Sample period in seconds. Samples are taken at multiples of it. */
  readonly every: number;
  /** Offset of the samples from these multiples, in seconds. Default: 0. */
  readonly offset?: number | undefined;
  /** Delay in seconds from a sample until its outputs take effect; may be longer than `every`. Default: 0. */
  readonly delay?: number | undefined;
  /** Names of the outputs. */
  readonly outputs: readonly string[];
  /** Values of the outputs until those of the first sample take effect. Default: zeros. */
  readonly start?: readonly number[] | Float64Array | undefined;
  /** Values stored from sample to sample: names with initial values. */
  readonly memory?: Readonly<Record<string, number>> | undefined;
  /** Returns the outputs as a list, and may write to `memory`, whose entries are in the order given above. */
  readonly sample: SampleFunction | readonly string[];
  /**
   * Outputs that set parameters of the model, given by handle or name: `{ stiffness: "k" }`. Such parameters may only
   * affect force constants. The initial value of such an output is the value of the parameter.
   */
  readonly sets?: Readonly<Record<string, string | Parameter>> | undefined;
  /**
   * Update of the memory if `sample` is formulas (one for each output, of t, the names of the memory and quantities
   * of the model): a formula for each name. These are evaluated first, and the formulas of outputs use the new
   * values.
   */
  readonly remember?: Readonly<Record<string, string>> | undefined;
}

/** Returns the outputs for the mechanism at a sample. */
export type SampleFunction = (
  t: number,
  read: QuantityReader,
  memory: Float64Array,
  // biome-ignore lint/suspicious/noConfusingVoidType: what a function that only writes returns is void
) => ArrayLike<number> | void;

/** Maximum number of pending samples: a longer delay is taken for a mistake of units. */
const MAX_PENDING_SAMPLES = 10_000;

/** Adds a controller. NaN is reported with its name and the time. */
export function addController(store: Store, options: ControllerOptions): Controller {
  const name = store.nameFor("controller", "controller", options.name);
  const where = label("controller", name);
  checkKeys(
    where,
    options,
    ["every", "outputs", "sample"],
    ["name", "offset", "delay", "start", "memory", "remember", "sets"],
  );
  const outputs = checkedNames(where, "outputs", options.outputs);
  const every = positive(where, "every", options.every);
  const delay = notNegative(where, "delay", options.delay);
  if (delay > MAX_PENDING_SAMPLES * every) {
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: delay is ${delay / every} times every: more than ${MAX_PENDING_SAMPLES} samples would be under way`,
    );
  }
  const memory = Object.entries(options.memory ?? {}).map(
    ([key, value]) => [key, finite(where, `memory.${key}`, value)] as const,
  );
  const names = memory.map(([key]) => key);
  const sample = Array.isArray(options.sample)
    ? sampleOf(where, [outputs, names], options.sample, options.remember ?? {}, store)
    : callable<SampleFunction>(
        where,
        "sample",
        options.sample,
        "a function of t, a reader and the memory, or formulas",
      );
  if (options.remember !== undefined && !Array.isArray(options.sample)) {
    throw descriptionError(
      where,
      "remember is for a sample by formulas: a function writes to memory",
    );
  }
  const sets = setsOf(where, outputs, options.sets, store.parameters);
  const parameterAt = (output: number) => sets.find((each) => each.output === output)?.value ?? 0;
  return store.addController({
    name,
    ...(sets.length > 0 && {
      sets: Object.freeze(sets.map(({ output, parameter }) => ({ output, parameter }))),
    }),
    every,
    offset: options.offset === undefined ? 0 : finite(where, "offset", options.offset),
    delay,
    outputs,
    start: Object.freeze(
      options.start === undefined
        ? outputs.map((_, output) => parameterAt(output))
        : [...numbers(where, "start", options.start, outputs.length)],
    ),
    memory: Object.freeze(memory.map(([key]) => key)),
    memoryStart: Object.freeze(memory.map(([, value]) => value)),
    sample: checkedSample(where, outputs, sample),
  });
}

/**
 * Returns the options with names of the parameters in `sets`. In all other options, a parameter stands for its value.
 */
export function withNamedSets(store: Store, options: ControllerOptions): ControllerOptions {
  if (!isRecord(options.sets)) return options;
  const named = Object.entries(options.sets).map(([key, one]) => [
    key,
    isParameter(one) && store.owns(one) ? one.name : one,
  ]);
  return { ...options, sets: Object.fromEntries(named) };
}

/** Returns which outputs set which parameters. */
function setsOf(
  where: string,
  outputs: readonly string[],
  given: unknown,
  parameters: readonly { readonly name: string; readonly value: number }[],
) {
  if (given === undefined) return [];
  const names = parameters.map(({ name }) => name);
  const sets = Object.entries(ownOptions(`${where}: sets`, given as object));
  return sets.map(([key, parameter]) => {
    const output = outputs.indexOf(key);
    if (output < 0) {
      throw descriptionError(where, `sets: there is no output ${show(key)}${hint(key, outputs)}`);
    }
    const found = parameters.find(({ name }) => name === parameter);
    if (found !== undefined) return { output, parameter: found.name, value: found.value };
    throw descriptionError(
      where,
      `sets.${key}: there is no parameter ${show(parameter)}${hint(parameter, names)}: give the name of one`,
    );
  });
}

/** Returns the sample function of formulas for outputs and memory. */
function sampleOf(
  where: string,
  [outputs, memory]: readonly [readonly string[], readonly string[]],
  texts: readonly unknown[],
  remember: Readonly<Record<string, unknown>>,
  known: FormulaScope,
): SampleFunction {
  const variables = ["t", ...memory];
  checkKeys(`${where}: remember`, remember, [], memory);
  const changing = Object.keys(remember);
  const next = formulasOf(where, "remember", changing, Object.values(remember), variables, known);
  const places = changing.map((name) => memory.indexOf(name));
  const formulas = formulasOf(where, "sample", outputs, texts, variables, known);
  const values = new Float64Array(variables.length);
  const [found, out] = [new Float64Array(changing.length), new Float64Array(outputs.length)];
  return (t, read, kept) => {
    values[0] = t;
    values.set(kept, 1);
    for (let i = 0; i < next.length; i++) found[i] = next[i]!(values, read);
    for (let i = 0; i < next.length; i++) kept[places[i]!] = found[i]!;
    values.set(kept, 1);
    for (let i = 0; i < formulas.length; i++) out[i] = formulas[i]!(values, read);
    return out;
  };
}

function checkedSample(
  where: string,
  outputs: readonly string[],
  sample: SampleFunction,
): ControllerData["sample"] {
  return (t, read, memory, out) => {
    const returned: unknown = sample(t, read, memory);
    if (!isList(returned) || returned.length !== outputs.length) {
      throw new NodriftError(
        "EVALUATION",
        `${where}: sample gave ${show(returned)} at t = ${t}: give ${outputs.length} numbers`,
      );
    }
    for (let i = 0; i < outputs.length; i++) {
      const value: unknown = returned[i];
      if (typeof value !== "number" || !Number.isFinite(value)) {
        throw new NodriftError(
          "EVALUATION",
          `${where}: sample gave ${show(value)} for "${outputs[i]}" at t = ${t}`,
        );
      }
      out[i] = value;
    }
    const bad = memory.findIndex((value) => !Number.isFinite(value));
    if (bad < 0) return;
    throw new NodriftError(
      "EVALUATION",
      `${where}: sample left ${show(memory[bad])} in its memory at t = ${t}`,
    );
  };
}
