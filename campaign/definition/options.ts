// Options of a campaign, in a file or in a call.

import type { JsonObject, ModelDocument } from "../../src/files/index.js";

/** The version of the format of campaign files. */
export const CAMPAIGN_FORMAT = 1;

/** A varied parameter of the model. Use one of `uniform`, `normal`, `logNormal`, `values`, `range` and `formula`. */
export interface ParameterOptions {
  /** Name and column heading. */
  readonly name: string;
  /**
   * JSON pointer to the value of the model document that it replaces, or several pointers. Entries of lists may be given by name
   * ("/bodies/crank/mass", "/solve/tolerance"). Default: the entry with its name under "parameters" of the document.
   */
  readonly at?: string | readonly string[];
  /** Bounds of a uniform distribution. */
  readonly uniform?: readonly [number, number];
  /** A normal distribution. */
  readonly normal?: { readonly mean: number; readonly deviation: number };
  /** A log-normal distribution. */
  readonly logNormal?: { readonly meanOfLog: number; readonly deviationOfLog: number };
  /** Bounds that truncate a normal or log-normal distribution. */
  readonly within?: readonly [number, number];
  /** List of values. */
  readonly values?: readonly number[];
  /** Evenly spaced values, including both ends. */
  readonly range?: {
    readonly from: number;
    readonly to: number;
    readonly count: number;
    /** Even steps of the value ("linear", the default) or of its logarithm ("log"). */
    readonly spacing?: "linear" | "log";
  };
  /** Formula of the preceding parameters. */
  readonly formula?: string;
  /** Unit for headings. */
  readonly unit?: string;
}

/** Correlation of two parameters. */
export interface CorrelationOptions {
  /** Names of the parameters. */
  readonly between: readonly [string, string];
  /** Correlation of the underlying normal variables, from -1 to 1. */
  readonly value: number;
}

/** Design of the cases. */
export type DesignOptions =
  /** All combinations of the values of parameters with `values` or `range`. */
  | { readonly type: "grid" }
  /** Independent random numbers. */
  | { readonly type: "random"; readonly cases: number }
  /** One case in each of `cases` slices of every parameter. */
  | { readonly type: "latinHypercube"; readonly cases: number }
  /** A scrambled Sobol sequence, the most even design; best with a power of two. */
  | { readonly type: "sobol"; readonly cases: number }
  /** A design for Sobol's indices, of base (parameters + 2) cases. */
  | { readonly type: "sensitivity"; readonly base: number }
  /** Given values: a column for each parameter, or a CSV file with their names as headings. */
  | {
      readonly type: "list";
      readonly columns?: Readonly<Record<string, readonly number[]>>;
      readonly file?: string;
    };

/** An output of each case. Use one of `end`, `maximum`, ..., which are formulas of quantities like z('ball'). */
export interface OutputOptions {
  /** Column heading. */
  readonly name: string;
  /** Value of a formula at the end of the run. */
  readonly end?: string;
  /** Largest value of a formula during the run. */
  readonly maximum?: string;
  /** Smallest value of a formula during the run. */
  readonly minimum?: string;
  /** Time of the largest value of a formula. */
  readonly timeOfMaximum?: string;
  /** Time of the smallest value of a formula. */
  readonly timeOfMinimum?: string;
  /** Integral of a formula over time. */
  readonly integral?: string;
  /** Mean of a formula over time. */
  readonly mean?: string;
  /** Root mean square of a formula over time. */
  readonly rms?: string;
  /** Time of an event of the model, by name; null if it does not occur. */
  readonly timeOf?: string;
  /** Number of occurrences of an event. */
  readonly countOf?: string;
  /** Value of a formula at several times, with a column for each time. */
  readonly samples?: string;
  /** Times for `samples`. */
  readonly times?: readonly number[];
  /** Occurrence for `timeOf`: the first (1, the default), the second, ... */
  readonly occurrence?: number;
  /** Unit for headings. */
  readonly unit?: string;
}

/** Rule that ends a campaign before all cases are done. */
export interface StopRule {
  /** Name of an output. */
  readonly output: string;
  /** Ends the campaign if the standard error of the mean is below this bound. */
  readonly standardErrorBelow?: number;
  /** Ends the campaign if the standard error is below this fraction of the mean. */
  readonly relativeErrorBelow?: number;
  /** Ends the campaign if more than this fraction of the cases has failed. */
  readonly failuresAbove?: number;
  /** Number of cases before the rule applies. Default: 100. */
  readonly minimumCases?: number;
}

/** Limits of each case. */
export interface CaseLimits {
  /** Largest run time in seconds. Default: 600. */
  readonly maximumSeconds?: number;
  /** Largest number of steps. */
  readonly maximumSteps?: number;
  /** Number of workers that a case may kill before it is set aside. Default: 3. */
  readonly attempts?: number;
}

/** Description of a campaign, as in a file. */
export interface CampaignDescription {
  /** Name of the campaign. Default: the name of the model. */
  readonly name?: string;
  /** Parameters that vary. */
  readonly parameters: readonly ParameterOptions[];
  /** Correlations of parameters. */
  readonly correlations?: readonly CorrelationOptions[];
  /** Design of the cases. */
  readonly design: DesignOptions;
  /** Seed of random numbers. Default: 0. */
  readonly seed?: number;
  /** Outputs of each case. A string is a formula at the end. */
  readonly outputs?: readonly (string | OutputOptions)[];
  /** Limits of each case. */
  readonly limits?: CaseLimits;
  /** Rules that end the campaign early. */
  readonly stop?: readonly StopRule[];
}

/** Module or function that returns a model document or the outputs of a case. */
export type CaseMaker = (
  parameters: Readonly<Record<string, number>>,
) =>
  | ModelDocument
  | { readonly outputs: Readonly<Record<string, number>> }
  | Promise<ModelDocument | { readonly outputs: Readonly<Record<string, number>> }>;

/** The model of a campaign. */
export type CampaignModel =
  /** A model document. */
  | ModelDocument
  /** Path of a model file (.json) or of a module (.js, .mjs) whose default export is a {@link CaseMaker}. */
  | string
  | URL
  /** A function, whose cases run in this process. */
  | CaseMaker;

/** A self-contained campaign, as sent to workers on other machines. */
export interface Definition extends CampaignDescription {
  readonly campaign: typeof CAMPAIGN_FORMAT;
  readonly name: string;
  /** A document, or a module and the hash of its text. */
  readonly model: DefinedModel;
  readonly outputs: readonly OutputOptions[];
}

export type DefinedModel =
  | { readonly kind: "document"; readonly document: JsonObject }
  | { readonly kind: "module"; readonly path: string; readonly hash: string }
  | { readonly kind: "function" };
