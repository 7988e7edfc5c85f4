// Controllers that look at the mechanism at times of their own, and hold what they say in between.

import { isRecord } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { Controller } from "../model/handles.js";
import type { ControllerData } from "../model/model-data.js";
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
} from "../model/option-checks.js";
import type { Parameter } from "../model/parameter-types.js";
import { isParameter } from "../model/parameters.js";
import type { QuantityReader } from "../model/quantity-reader.js";
import type { Store } from "../model/store.js";
import type { Known } from "./reading-formula.js";
import { checkedNames, formulasOf } from "./states.js";

/** Options of `controller`. */
export interface ControllerOptions {
  /** For messages, readings and files. Default: "controller" with a number. */
  readonly name?: string | undefined;
  /** Seconds from sample to sample. Samples are taken at whole multiples of it. */
  readonly every: number;
  /** Seconds by which samples are late against these: zero if not given. */
  readonly offset?: number | undefined;
  /** Seconds from a sample until its outputs act; may be longer than `every`. Zero if not given. */
  readonly delay?: number | undefined;
  /** Names of the outputs. */
  readonly outputs: readonly string[];
  /** What they are until the first sample acts; zeros if not given. */
  readonly start?: readonly number[] | Float64Array | undefined;
  /** Numbers that it keeps from sample to sample, by name, with their values at the start. */
  readonly memory?: Readonly<Record<string, number>> | undefined;
  /** Gives the outputs, as a list, and may write to `memory`, whose numbers are in the order given. */
  readonly sample: SampleFunction | readonly string[];
  /**
   * Outputs that set parameters of the model, which are given by their handles or names: `{ stiffness: "k" }`. What follows must be constants of forces. Such
   * an output is what the parameter is until the first sample acts.
   */
  readonly sets?: Readonly<Record<string, string | Parameter>> | undefined;
  /**
   * Where `sample` is formulas, one for each output, of t, the names of the memory and what is read: formulas for what
   * the memory becomes, by name. They come first, and the outputs have what they found.
   */
  readonly remember?: Readonly<Record<string, string>> | undefined;
}

/** Outputs for what is measured at a sample. */
export type SampleFunction = (
  t: number,
  read: QuantityReader,
  memory: Float64Array,
  // biome-ignore lint/suspicious/noConfusingVoidType: what a function that only writes returns is void
) => ArrayLike<number> | void;

/** Samples that may be under way: a delay of more periods is a mistake of units. */
const MOST_UNDER_WAY = 10_000;

/** Adds a controller. NaN is told with its name and the time. */
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
  if (delay > MOST_UNDER_WAY * every) {
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: delay is ${delay / every} times every: more than ${MOST_UNDER_WAY} samples would be under way`,
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

/** Options with the names of the parameters that are set: elsewhere a parameter stands for its value. */
export function withNamedSets(store: Store, options: ControllerOptions): ControllerOptions {
  if (!isRecord(options.sets)) return options;
  const named = Object.entries(options.sets).map(([key, one]) => [
    key,
    isParameter(one) && store.owns(one) ? one.name : one,
  ]);
  return { ...options, sets: Object.fromEntries(named) };
}

/** Which outputs set which parameters. */
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

/** Outputs and memory by formulas. */
function sampleOf(
  where: string,
  [outputs, memory]: readonly [readonly string[], readonly string[]],
  texts: readonly unknown[],
  remember: Readonly<Record<string, unknown>>,
  known: Known,
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
