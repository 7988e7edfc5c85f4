// The cases of a campaign. The id of a case is a hash of all inputs of its result, so it identifies the case on every machine. A
// stored result is reused as long as its id is unchanged, even if other parts of the campaign change.

import { createHash } from "node:crypto";
import { NodriftError } from "../../src/base/errors.js";
import { elementary } from "../../src/base/wasm/elementary.js";
import { type Formula, parseFormula } from "../../src/files/index.js";
import { MAX_CASES } from "../definition/checks.js";
import type {
  CampaignDescription,
  CorrelationOptions,
  Definition,
  OutputOptions,
  ParameterOptions,
} from "../definition/options.js";
import {
  normalQuantile,
  normalQuantileAbove,
  normalShare,
  normalShareAbove,
} from "../design/normal.js";
import { permutationAt, uniformAt } from "../design/random.js";
import { SobolSequence } from "../design/sobol.js";
import { SOBOL_DIMENSIONS } from "../design/sobol-directions.js";
import { packageVersion } from "./version.js";

// Distributions, given by their quantile functions from a probability in (0, 1), here called a share. A design spreads shares
// evenly; the quantile function maps them to the distribution.

/** A distribution. */
interface Distribution {
  /** The value below which the given share of the distribution lies. */
  quantile(share: number): number;
}

/** Distribution of a parameter; undefined if its values are listed or computed. */
function distributionOf(parameter: ParameterOptions): Distribution | undefined {
  const { uniform, normal, logNormal, within } = parameter;
  if (uniform) {
    const [low, high] = uniform;
    return { quantile: (share) => low + (high - low) * share };
  }
  if (normal) return normalOf(normal.mean, normal.deviation, within);
  if (logNormal) {
    const { exp, log } = elementary();
    const bounds =
      within &&
      ([within[0] > 0 ? log(within[0]) : Number.NEGATIVE_INFINITY, log(within[1])] as const);
    const inner = normalOf(logNormal.meanOfLog, logNormal.deviationOfLog, bounds);
    return { quantile: (share) => clamped(exp(inner.quantile(share)), within) };
  }
  return undefined;
}

/**
 * Normal distribution, truncated to the bounds if there are any. Shares are measured from the nearer tail, since the other side
 * loses the digits of a tail.
 */
function normalOf(
  mean: number,
  deviation: number,
  within: readonly [number, number] | undefined,
): Distribution {
  if (!within) return { quantile: (share) => mean + deviation * normalQuantile(share) };
  const [low, high] = within.map((bound) => (bound - mean) / deviation) as [number, number];
  if (low > 0) {
    const [largest, smallest] = [normalShareAbove(low), normalShareAbove(high)];
    return {
      quantile: (share) =>
        clamped(
          mean + deviation * normalQuantileAbove(largest - share * (largest - smallest)),
          within,
        ),
    };
  }
  const [smallest, largest] = [normalShare(low), normalShare(high)];
  return {
    quantile: (share) =>
      clamped(mean + deviation * normalQuantile(smallest + share * (largest - smallest)), within),
  };
}

/** Clamps a value to the bounds against rounding errors. */
function clamped(value: number, within: readonly [number, number] | undefined): number {
  return within ? Math.min(Math.max(value, within[0]), within[1]) : value;
}

// Cases: the values of all parameters by the index of a case, computed on demand.

// Correlated parameters, by a Gaussian copula: shares are mapped to normal variables, mixed by the Cholesky factor of the
// correlation matrix, and mapped back to shares. For two normal parameters the given value is their correlation; for others it
// is that of the underlying normal variables.

/** Mixes shares in place. */
type Mixer = (shares: Float64Array) => void;

/** Creates a mixer for parameters in the order of their shares; undefined without correlations. */
function mixerOf(
  names: readonly string[],
  correlations: readonly CorrelationOptions[],
): Mixer | undefined {
  if (correlations.length === 0) return undefined;
  const n = names.length;
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) factor[i * n + i] = 1;
  for (const { between, value } of correlations) {
    const [a, b] = between.map((name) => names.indexOf(name)) as [number, number];
    factor[a * n + b] = value;
    factor[b * n + a] = value;
  }
  factorise(factor, n, names);
  const normal = new Float64Array(n);
  const touched = names.map((name) => correlations.some(({ between }) => between.includes(name)));
  return (shares) => {
    for (let i = 0; i < n; i++) normal[i] = touched[i] ? normalQuantile(shares[i]!) : 0;
    for (let i = 0; i < n; i++) {
      if (!touched[i]) continue;
      let sum = 0;
      for (let j = 0; j <= i; j++) sum += factor[i * n + j]! * normal[j]!;
      shares[i] = Math.min(Math.max(normalShare(sum), 2 ** -53), 1 - 2 ** -53);
    }
  };
}

/** Cholesky factor, row-major, in the lower triangle. */
function factorise(matrix: Float64Array, n: number, names: readonly string[]): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i * n + k]! * matrix[j * n + k]!;
      if (i !== j) matrix[i * n + j] = sum / matrix[j * n + j]!;
      else if (sum > 1e-12) matrix[i * n + i] = Math.sqrt(sum);
      else {
        throw new NodriftError(
          "DESCRIPTION",
          `campaign: correlations of "${names[i]}" are not positive definite together with the others: reduce their magnitude`,
        );
      }
    }
  }
}

/** Values of all cases. */
interface Design {
  /** Names of parameters, in the order of their values. */
  readonly names: readonly string[];
  /** Number of cases. */
  readonly count: number;
  /** The values of a case. */
  values(index: number): Float64Array;
}

/** Writes a share in (0, 1) for each free parameter of a case. */
type Shares = (index: number, shares: Float64Array) => void;

/** Creates the cases of a description. Throws if parameters and design are inconsistent. */
function designOf(description: CampaignDescription): Design {
  const { parameters } = description;
  const names = parameters.map(({ name }) => name);
  const free = parameters.filter(({ formula }) => formula === undefined);
  if (free.length === 0) throw campaignError("no parameter varies: all are formulas");
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
        throw campaignError(`parameter "${names[i]}" of case ${index} is ${values[i]}`);
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
    throw campaignError(`parameter "${one.name}" needs a range, values or a distribution`);
  }
  return design.type === "grid" ? grid(free) : drawn(description, free);
}

/** Full factorial design; the last parameter varies fastest. */
function grid(free: readonly ParameterOptions[]): Maker {
  const levels = free.map((one) => {
    const own = levelsOf(one);
    if (own) return own;
    throw campaignError(
      `parameter "${one.name}" has a distribution, but a grid needs values or a range`,
    );
  });
  const count = levels.reduce((product, { length }) => product * length, 1);
  if (count > MAX_CASES)
    throw campaignError(`the grid has ${count} cases; the limit is ${MAX_CASES}`);
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
    if (!own) throw campaignError(`the list has no column "${name}"`);
    return own;
  });
  const extra = Object.keys(columns).find((name) => !free.some((one) => one.name === name));
  if (extra !== undefined)
    throw campaignError(`the list has a column "${extra}", which is not a parameter`);
  const count = lists[0]!.length;
  if (lists.some(({ length }) => length !== count))
    throw campaignError("the columns of the list have different lengths");
  return { count, values: (index) => lists.map((own) => own[index]!) };
}

/** Random or quasi-random design: shares mapped to values of distributions. */
function drawn(description: CampaignDescription, free: readonly ParameterOptions[]): Maker {
  const { correlations = [] } = description;
  const { count, shares } = sharesOf(description, free.length);
  if (count > MAX_CASES) throw campaignError(`there are ${count} cases; the limit is ${MAX_CASES}`);
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

/** Quantile function of a parameter; listed values have equal probability. */
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
 * equal share, at a random position in the slice; slices are combined at random.
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
  throw campaignError(
    `a Sobol sequence of ${dimensions} dimensions is not supported; the limit is ${SOBOL_DIMENSIONS}. Use latinHypercube`,
  );
}

function sobolShares(width: number, seed: number): Shares {
  const sequence = sequenceOf(width, seed);
  return (index, own) => {
    for (let j = 0; j < width; j++) own[j] = sequence.at(index, j);
  };
}

/**
 * Blocks of width + 2 cases (A. Saltelli et al., Comput. Phys. Commun. 181 (2010) 259-270): a, b, and for each parameter a copy of a
 * with that parameter taken from b. a and b are the two halves of a point of a Sobol sequence.
 */
function sensitivityShares(width: number, seed: number): Shares {
  const sequence = sequenceOf(2 * width, seed);
  return (index, own) => {
    const block = Math.floor(index / (width + 2));
    const position = index % (width + 2);
    for (let j = 0; j < width; j++) {
      const isFromB = position === 1 || position === j + 2;
      own[j] = sequence.at(block, isFromB ? width + j : j);
    }
  };
}

/** Parses formulas, each of which can use the preceding parameters. */
function formulasOf(parameters: readonly ParameterOptions[]): readonly (Formula | undefined)[] {
  return parameters.map(({ name, formula }, i) => {
    if (formula === undefined) return undefined;
    const variables = parameters.slice(0, i).map((one) => one.name);
    try {
      return parseFormula(formula, { variables });
    } catch (error) {
      if (error instanceof NodriftError)
        throw campaignError(`parameter "${name}": ${error.message}`);
      throw error;
    }
  });
}

function evaluated(formula: Formula, values: Float64Array, count: number): number {
  for (let i = 0; i < count; i++) formula.slots[i] = values[i]!;
  return formula.value();
}

function campaignError(message: string): NodriftError {
  return new NodriftError("DESCRIPTION", `campaign: ${message}`);
}

/** Size of a case id in bytes. */
const ID_BYTES = 16;

/** The cases of a campaign. */
export class Plan {
  readonly definition: Definition;
  /** Names of parameters. */
  readonly parameters: readonly string[];
  /** Names of output columns. */
  readonly columns: readonly string[];
  /** Number of cases. */
  readonly count: number;
  /** Digest of the model and the outputs, without the cases. */
  readonly digest: string;
  readonly #design: Design;
  readonly #ids: Buffer;
  #sorted: Uint32Array | undefined;

  constructor(definition: Definition) {
    this.definition = definition;
    this.#design = designOf(definition);
    this.parameters = this.#design.names;
    this.columns = definition.outputs.flatMap(columnsOf);
    this.count = this.#design.count;
    this.digest = digestOf(definition);
    this.#ids = Buffer.alloc(this.count * ID_BYTES);
    this.#identify();
  }

  /** Values of a case, in the order of parameters. */
  values(index: number): Float64Array {
    return this.#design.values(index);
  }

  /** Id of a case in hexadecimal digits. */
  id(index: number): string {
    return this.#ids.toString("hex", index * ID_BYTES, (index + 1) * ID_BYTES);
  }

  /** Index of the case with an id; -1 if it does not exist. */
  find(id: string): number {
    const wanted = Buffer.from(id, "hex");
    if (wanted.length !== ID_BYTES) return -1;
    const order = this.#order();
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(order[middle]!, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    const found = order[low];
    return found !== undefined && this.#compare(found, wanted) === 0 ? found : -1;
  }

  #compare(index: number, wanted: Buffer): number {
    return this.#ids.compare(wanted, 0, ID_BYTES, index * ID_BYTES, (index + 1) * ID_BYTES);
  }

  /** Order of the ids of two cases, without copies: there may be millions. */
  #difference(a: number, b: number): number {
    const [one, other] = [a * ID_BYTES, b * ID_BYTES];
    return this.#ids.compare(this.#ids, other, other + ID_BYTES, one, one + ID_BYTES);
  }

  #order(): Uint32Array {
    this.#sorted ??= Uint32Array.from({ length: this.count }, (_, i) => i).sort((a, b) =>
      this.#difference(a, b),
    );
    return this.#sorted;
  }

  /** Computes the ids. Cases with equal values are distinguished by the number of their predecessors. */
  #identify(): void {
    for (let i = 0; i < this.count; i++) this.#write(i, 0);
    const order = this.#order();
    const repeats: [index: number, count: number][] = [];
    let repeated = 0;
    for (let k = 1; k < order.length; k++) {
      const [a, b] = [order[k - 1]!, order[k]!];
      const isSame = this.#difference(a, b) === 0;
      repeated = isSame ? repeated + 1 : 0;
      // Written afterwards, since the order is that of the first ids.
      if (isSame) repeats.push([b, repeated]);
    }
    if (repeats.length === 0) return;
    for (const [index, count] of repeats) this.#write(index, count);
    this.#sorted = undefined;
  }

  #write(index: number, repeated: number): void {
    const hash = createHash("sha256").update(this.digest).update(this.values(index));
    if (repeated > 0) hash.update(`again ${repeated}`);
    hash.digest().copy(this.#ids, index * ID_BYTES, 0, ID_BYTES);
  }
}

function columnsOf({ name, times }: OutputOptions): string[] {
  return times ? times.map((_, k) => `${name}[${k}]`) : [name];
}

/** Digest of the inputs of all results; names, designs and time limits do not matter. */
function digestOf({ model, parameters, outputs, limits }: Definition): string {
  const parts = {
    version: packageVersion(),
    model,
    parameters: parameters.map(({ name, at }) => ({ name, at })),
    outputs: outputs.map(({ unit: _, ...rest }) => rest),
    maximumSteps: limits?.maximumSteps,
  };
  return createHash("sha256").update(canonical(parts)).digest("hex");
}

/** JSON with sorted keys, so that equal data have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).filter(
    (key) => (value as Record<string, unknown>)[key] !== undefined,
  );
  const entries = keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`);
  return `{${entries.join(",")}}`;
}
