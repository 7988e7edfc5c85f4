// What a campaign is described by: in a file, or in a call.

import type { JsonObject, ModelDocument } from "../../files/index.js";

/** The version of the format of campaign files. */
export const CAMPAIGN_FORMAT = 1;

/** A number of the model that varies. Give one of `uniform`, `normal`, `logNormal`, `values`, `range` and `formula`. */
export interface ParameterOptions {
  /** Its name: the heading of its column. */
  readonly name: string;
  /**
   * Which number of the model document it replaces: a JSON pointer, in which entries of lists may go by their names
   * ("/bodies/crank/mass", "/solve/tolerance"), or several. Default: the entry of that name under "parameters" of the document.
   */
  readonly at?: string | readonly string[];
  /** Any number between two, all alike. */
  readonly uniform?: readonly [number, number];
  /** A normal distribution. */
  readonly normal?: { readonly mean: number; readonly deviation: number };
  /** A number whose logarithm is normal. */
  readonly logNormal?: { readonly meanOfLog: number; readonly deviationOfLog: number };
  /** Only that part of a normal or log-normal distribution which lies between these. */
  readonly within?: readonly [number, number];
  /** One of these. */
  readonly values?: readonly number[];
  /** One of so many numbers, evenly from one to the other. */
  readonly range?: {
    readonly from: number;
    readonly to: number;
    readonly count: number;
    /** Even steps of the number ("linear", the default) or of its logarithm. */
    readonly spacing?: "linear" | "log";
  };
  /** Computed from the parameters before it. */
  readonly formula?: string;
  /** Its unit, for headings. */
  readonly unit?: string;
}

/** Two parameters that vary together. */
export interface CorrelationOptions {
  /** Their names. */
  readonly between: readonly [string, string];
  /** From -1 to 1: of the normal numbers behind them. */
  readonly value: number;
}

/** Which cases there are. */
export type DesignOptions =
  /** Every value of every parameter with every other: of `values` and `range`. */
  | { readonly type: "grid" }
  /** Independent random numbers. */
  | { readonly type: "random"; readonly cases: number }
  /** One case in each of so many slices of every parameter. */
  | { readonly type: "latinHypercube"; readonly cases: number }
  /** A scrambled Sobol sequence: fills the space most evenly; best with a power of two. */
  | { readonly type: "sobol"; readonly cases: number }
  /** Cases from which Sobol's indices follow: base (parameters + 2) of them. */
  | { readonly type: "sensitivity"; readonly base: number }
  /** As given: a column of numbers for each parameter, or a CSV file whose headings are their names. */
  | {
      readonly type: "list";
      readonly columns?: Readonly<Record<string, readonly number[]>>;
      readonly file?: string;
    };

/** A number that a case is asked for. Give one of `end`, `maximum`, ..., which are formulas of quantities like z('ball'). */
export interface OutputOptions {
  /** The heading of its column. */
  readonly name: string;
  /** A formula at the end of the run. */
  readonly end?: string;
  /** The largest value of a formula along the run. */
  readonly maximum?: string;
  /** The smallest. */
  readonly minimum?: string;
  /** When a formula is largest. */
  readonly timeOfMaximum?: string;
  /** When it is smallest. */
  readonly timeOfMinimum?: string;
  /** The integral of a formula over time. */
  readonly integral?: string;
  /** The mean of a formula over time. */
  readonly mean?: string;
  /** The root of the mean square. */
  readonly rms?: string;
  /** When an event of the model occurs, by its name; empty where it does not. */
  readonly timeOf?: string;
  /** How often it occurs. */
  readonly countOf?: string;
  /** A formula at several times, each a column of its own. */
  readonly samples?: string;
  /** Of `samples`: the times. */
  readonly times?: readonly number[];
  /** Of `timeOf`: the first occurrence (1, the default), the second, ... */
  readonly occurrence?: number;
  /** Its unit, for headings. */
  readonly unit?: string;
}

/** Ends a campaign before all cases are done. */
export interface StopRule {
  /** The name of an output. */
  readonly output: string;
  /** Ends where the standard error of its mean is below this. */
  readonly standardErrorBelow?: number;
  /** Ends where the standard error is below this part of the mean. */
  readonly relativeErrorBelow?: number;
  /** Ends where more than this part of all cases has failed. */
  readonly failuresAbove?: number;
  /** Not before so many cases. Default: 100. */
  readonly least?: number;
}

/** Bounds of each case. */
export interface CaseLimits {
  /** Seconds of real time. Default: 600. */
  readonly maximumSeconds?: number;
  /** Steps. */
  readonly maximumSteps?: number;
  /** How often a case may end its worker before it is set aside. Default: 3. */
  readonly tries?: number;
}

/** A campaign, as in a file. */
export interface CampaignDescription {
  /** Name of the campaign. Default: that of the model. */
  readonly name?: string;
  /** What varies. */
  readonly parameters: readonly ParameterOptions[];
  /** Which of them vary together. */
  readonly correlations?: readonly CorrelationOptions[];
  /** Which cases there are. */
  readonly design: DesignOptions;
  /** Of random numbers, 0 if not given. */
  readonly seed?: number;
  /** What is asked of each case. A text is a formula at the end. */
  readonly outputs?: readonly (string | OutputOptions)[];
  /** Bounds of each case. */
  readonly limits?: CaseLimits;
  /** Ends the campaign early. */
  readonly stop?: readonly StopRule[];
}

/** What a module, or a function, gives for a case: a model document, or the outputs themselves. */
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
  /** The path of a model file (.json) or of a module (.js, .mjs) whose default export is a {@link CaseMaker}. */
  | string
  | URL
  /** A function: its cases run in this process. */
  | CaseMaker;

/** A campaign with nothing left to look up: what workers on other machines get. */
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
