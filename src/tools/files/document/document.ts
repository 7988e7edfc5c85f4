// A model file as plain data: what JSON.parse gives for a file that is right. docs/files.md describes it for
// people, the JSON Schema for editors; both versions of it have the same number.

import type { AbsoluteTolerances } from "../../../solve.js";

/** The version of the format that this package reads and writes. */
export const FORMAT = 1;

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A number, a formula as text, or a table that is interpolated. */
export type FunctionSource = number | string | { readonly table: TableSource };

/** Points of a function: strictly increasing x, as many y. */
export interface TableSource {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** "cubic" (a spline, if not given) or "linear". */
  readonly interpolation?: "cubic" | "linear";
  /** Beyond the ends: the last value ("hold", if not given), the same again, or a straight line. */
  readonly outside?: "hold" | "repeat" | "extend";
}

/** A function that formulas can call by its name. */
export type NamedFunction =
  | { readonly name: string; readonly of: readonly string[]; readonly expression: string }
  | { readonly name: string; readonly table: TableSource };

/** SI, or the names of other units that fit together. Numbers are never converted. */
export type Units =
  | "SI"
  | { readonly length: string; readonly mass: string; readonly time: string };

export interface BodyEntry extends JsonObject {
  readonly name?: string;
  readonly markers?: readonly JsonObject[];
}

export interface TypedEntry extends JsonObject {
  /** The method of `model()` that makes it: "revolute". */
  readonly type: string;
  readonly name?: string;
}

export interface SolveSettings {
  readonly span: readonly [number, number];
  /** In words: "dop853", "welch", "udwadiaKalaba + projection + rk4". Not given: chosen. */
  readonly method?: string;
  readonly tolerance?:
    | number
    | {
        readonly relative?: number;
        readonly absolute?: number | AbsoluteTolerances;
      };
  readonly step?: number;
  readonly firstStep?: number;
  readonly maximumStep?: number;
  readonly maximumSteps?: number;
  readonly maximumSeconds?: number;
}

/** A number found at every time of the output: a formula of t and of quantities like z('ball'). */
export interface OutputValue {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
}

export interface OutputSettings {
  readonly at?:
    | "steps"
    | "ends"
    | { readonly rate: number }
    | { readonly times: readonly number[] };
  /** Columns of the table. Not given: all positions and velocities. */
  readonly values?: readonly (string | OutputValue)[];
  /** Pictures of the report. Not given: chosen. */
  readonly plots?: readonly { readonly title?: string; readonly values: readonly string[] }[];
}

export interface EventEntry {
  readonly name?: string;
  /** Zero where the event is. */
  readonly when: string;
  readonly direction?: "rising" | "falling" | "both";
  readonly terminal?: boolean | number;
  readonly modes?: readonly string[];
  /** Not given: it is recorded. "mark" ends a step there, "stop" ends the run. */
  readonly action?: "mark" | "stop" | { readonly bounce: number } | { readonly switchTo: string };
}

/** The same bodies without some joints and forces. */
export interface ModeEntry {
  readonly name: string;
  readonly without: readonly string[];
}

/** How the report shows it. */
export interface ViewSettings {
  readonly from?: "front" | "side" | "top" | "isometric" | readonly [number, number, number];
  readonly up?: readonly [number, number, number];
  /** A body that stays in the middle. */
  readonly follow?: string;
  /** Points of bodies whose paths are drawn. */
  readonly traces?: readonly {
    readonly body: string;
    readonly point?: readonly [number, number, number];
  }[];
  /** Lines fixed to bodies, in their frames. */
  readonly draw?: readonly {
    readonly body: string;
    readonly lines: readonly (readonly (readonly number[])[])[];
  }[];
}

/** All of a file but the mechanism itself. */
export interface FileSettings {
  /** Where editors find the JSON Schema. */
  readonly $schema?: string;
  readonly description?: string;
  readonly units: Units;
  /** Those that formulas can call; a model has those that its own formulas call besides. */
  readonly functions?: readonly NamedFunction[];
  readonly solve?: SolveSettings;
  readonly output?: OutputSettings;
  readonly events?: readonly EventEntry[];
  readonly modes?: readonly ModeEntry[];
  readonly view?: ViewSettings;
}

/** A model file. */
export interface ModelDocument extends FileSettings {
  readonly nodrift: typeof FORMAT;
  readonly name: string;
  readonly gravity: readonly [number, number, number];
  readonly ground?: { readonly markers: readonly JsonObject[] };
  readonly bodies: readonly BodyEntry[];
  readonly joints?: readonly TypedEntry[];
  readonly forces?: readonly TypedEntry[];
}
