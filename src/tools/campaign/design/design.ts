// The cases of a campaign: numbers of each parameter by the number of a case. Cases are made when they are asked for.

import { NodriftError } from "../../../ground/errors.js";
import { elementary } from "../../../ground/wasm/elementary.js";
import { type Formula, parseFormula } from "../../files/index.js";
import { MOST_CASES } from "../definition/checks.js";
import type { CampaignDescription, ParameterOptions } from "../definition/options.js";
import { type Mixer, mixerOf } from "./correlation.js";
import { distributionOf } from "./distributions.js";
import { permutationAt, uniformAt } from "./random.js";
import { SobolSequence } from "./sobol.js";
import { SOBOL_DIMENSIONS } from "./sobol-directions.js";

/** All cases. */
export interface Design {
  /** Of parameters, in the order of their values. */
  readonly names: readonly string[];
  /** How many cases there are. */
  readonly count: number;
  /** The values of a case. */
  values(index: number): Float64Array;
}

/** A share in (0, 1) for each free parameter of a case. */
type Shares = (index: number, shares: Float64Array) => void;

/** Makes the cases of a description. Throws where parameters and design do not go together. */
export function designOf(description: CampaignDescription): Design {
  const { parameters } = description;
  const names = parameters.map(({ name }) => name);
  const free = parameters.filter(({ formula }) => formula === undefined);
  if (free.length === 0) throw wrong("no parameter varies: all are formulas");
  const maker = makerOf(description, free);
  const computed = formulasOf(parameters);
  return {
    names,
    count: maker.count,
    values(index) {
      const own = maker.values(index);
      const values = new Float64Array(parameters.length);
      let next = 0;
      for (let i = 0; i < parameters.length; i++) {
        const formula = computed[i];
        values[i] = formula ? evaluated(formula, values, i) : own[next++]!;
        if (Number.isFinite(values[i])) continue;
        throw wrong(`parameter "${names[i]}" of case ${index} is ${values[i]}`);
      }
      return values;
    },
  };
}

interface Maker {
  readonly count: number;
  values(index: number): ArrayLike<number>;
}

function makerOf(description: CampaignDescription, free: readonly ParameterOptions[]): Maker {
  const { design } = description;
  if (design.type === "list") return listed(design.columns ?? {}, free);
  for (const one of free) {
    if (one.uniform ?? one.normal ?? one.logNormal ?? one.values ?? one.range) continue;
    throw wrong(`parameter "${one.name}" needs a range, values or a distribution`);
  }
  return design.type === "grid" ? grid(free) : drawn(description, free);
}

/** Every level with every other; the last parameter changes first. */
function grid(free: readonly ParameterOptions[]): Maker {
  const levels = free.map((one) => {
    const own = levelsOf(one);
    if (own) return own;
    throw wrong(`parameter "${one.name}" has a distribution, but a grid needs values or a range`);
  });
  const count = levels.reduce((product, { length }) => product * length, 1);
  if (count > MOST_CASES) throw wrong(`the grid has ${count} cases; the limit is ${MOST_CASES}`);
  return {
    count,
    values(index) {
      const values = new Float64Array(levels.length);
      let rest = index;
      for (let i = levels.length - 1; i >= 0; i--) {
        const own = levels[i]!;
        values[i] = own[rest % own.length]!;
        rest = Math.floor(rest / own.length);
      }
      return values;
    },
  };
}

function levelsOf({ values, range }: ParameterOptions): readonly number[] | undefined {
  if (!range) return values;
  const { from, to, count, spacing } = range;
  if (count === 1) return [from];
  const { log, exp } = elementary();
  return Array.from({ length: count }, (_, k) => {
    if (k === 0 || k === count - 1) return k === 0 ? from : to;
    const part = k / (count - 1);
    return spacing === "log"
      ? exp(log(from) + part * (log(to) - log(from)))
      : from + part * (to - from);
  });
}

function listed(
  columns: Readonly<Record<string, readonly number[]>>,
  free: readonly ParameterOptions[],
): Maker {
  const lists = free.map(({ name }) => {
    const own = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (!own) throw wrong(`the list has no column "${name}"`);
    return own;
  });
  const extra = Object.keys(columns).find((name) => !free.some((one) => one.name === name));
  if (extra !== undefined)
    throw wrong(`the list has a column "${extra}", which is not a parameter`);
  const count = lists[0]!.length;
  if (lists.some(({ length }) => length !== count))
    throw wrong("the columns of the list have different lengths");
  return { count, values: (index) => lists.map((own) => own[index]!) };
}

/** Shares of a design, as values of distributions. */
function drawn(description: CampaignDescription, free: readonly ParameterOptions[]): Maker {
  const { correlations = [] } = description;
  const { count, shares } = sharesOf(description, free.length);
  if (count > MOST_CASES) throw wrong(`there are ${count} cases; the limit is ${MOST_CASES}`);
  const mixer: Mixer | undefined = mixerOf(
    free.map(({ name }) => name),
    correlations,
  );
  const quantiles = free.map(quantileOf);
  return {
    count,
    values(index) {
      const own = new Float64Array(free.length);
      shares(index, own);
      mixer?.(own);
      for (let i = 0; i < own.length; i++) own[i] = quantiles[i]!(own[i]!);
      return own;
    },
  };
}

/** Of listed values each has the same share. */
function quantileOf(parameter: ParameterOptions): (share: number) => number {
  const distribution = distributionOf(parameter);
  if (distribution) return (share) => distribution.quantile(share);
  const levels = levelsOf(parameter)!;
  return (share) => levels[Math.min(Math.floor(share * levels.length), levels.length - 1)]!;
}

function sharesOf(
  { design, seed = 0 }: CampaignDescription,
  width: number,
): { readonly count: number; readonly shares: Shares } {
  switch (design.type) {
    case "latinHypercube":
      return { count: design.cases, shares: latinShares(design.cases, width, seed) };
    case "sobol":
      return { count: design.cases, shares: sobolShares(width, seed) };
    case "sensitivity":
      return { count: design.base * (width + 2), shares: sensitivityShares(width, seed) };
    default:
      return {
        count: design.type === "random" ? design.cases : 0,
        shares(index, own) {
          for (let j = 0; j < width; j++) own[j] = uniformAt(seed, index, j);
        },
      };
  }
}

/**
 * M. D. McKay, R. J. Beckman and W. J. Conover, Technometrics 21 (1979) 239-245: each parameter has one case in each of n slices of
 * equal share, at a random place of it; which slices meet in a case is random.
 */
function latinShares(count: number, width: number, seed: number): Shares {
  const orders = Array.from({ length: width }, (_, j) => permutationAt(count, seed, j));
  return (index, own) => {
    for (let j = 0; j < width; j++) {
      own[j] = (orders[j]![index]! + uniformAt(seed, 5, index, j)) / count;
    }
  };
}

function sequenceOf(dimensions: number, seed: number): SobolSequence {
  if (dimensions <= SOBOL_DIMENSIONS) return new SobolSequence(dimensions, seed);
  throw wrong(
    `a Sobol sequence of ${dimensions} dimensions is asked for; there are ${SOBOL_DIMENSIONS}. Use latinHypercube`,
  );
}

function sobolShares(width: number, seed: number): Shares {
  const sequence = sequenceOf(width, seed);
  return (index, own) => {
    for (let j = 0; j < width; j++) own[j] = sequence.at(index, j);
  };
}

/**
 * Blocks of width + 2 cases (A. Saltelli et al., Comput. Phys. Commun. 181 (2010) 259-270): a, b, and for each parameter a with that
 * one taken from b. a and b are the two halves of a point of a Sobol sequence.
 */
function sensitivityShares(width: number, seed: number): Shares {
  const sequence = sequenceOf(2 * width, seed);
  return (index, own) => {
    const block = Math.floor(index / (width + 2));
    const place = index % (width + 2);
    for (let j = 0; j < width; j++) {
      const isOfB = place === 1 || place === j + 2;
      own[j] = sequence.at(block, isOfB ? width + j : j);
    }
  };
}

/** Formulas see the parameters before them. */
function formulasOf(parameters: readonly ParameterOptions[]): readonly (Formula | undefined)[] {
  return parameters.map(({ name, formula }, i) => {
    if (formula === undefined) return undefined;
    const variables = parameters.slice(0, i).map((one) => one.name);
    try {
      return parseFormula(formula, { variables });
    } catch (error) {
      if (error instanceof NodriftError) throw wrong(`parameter "${name}": ${error.message}`);
      throw error;
    }
  });
}

function evaluated(formula: Formula, values: Float64Array, count: number): number {
  for (let i = 0; i < count; i++) formula.slots[i] = values[i]!;
  return formula.value();
}

function wrong(message: string): NodriftError {
  return new NodriftError("DESCRIPTION", `campaign: ${message}`);
}
