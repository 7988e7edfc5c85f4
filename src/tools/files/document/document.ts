// A model file as plain data: what JSON.parse gives for a file that is right. docs/files.md describes it for
// people, the JSON Schema for editors; both versions of it have the same number.

import type { JointValues } from "../../../bodies.js";
import type { AbsoluteTolerances } from "../../../solve.js";

/** The version of the format that this package reads and writes. */
export const FORMAT = 1;

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A number, a formula as text, or a table that is interpolated. */
export type FunctionSource = number | string | { readonly table: TableSource };

/** Points of a function: strictly increasing x, as many y. */
export interface TableSource {
  /** Arguments, strictly increasing. */
  readonly x: readonly number[];
  /** Values. */
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

/** A body of a model file: the options of `model().body`, with its markers. */
export interface BodyEntry extends JsonObject {
  /** Its name. */
  readonly name?: string;
  /** Options of its markers. */
  readonly markers?: readonly JsonObject[];
}

/** A joint or force of a model file: its type and the options of that method of `model()`. */
export interface TypedEntry extends JsonObject {
  /** The method of `model()` that makes it: "revolute". */
  readonly type: string;
  /** Its name. */
  readonly name?: string;
}

/** The start as a model file has it, besides poses and velocities of bodies. */
export interface StartSettings {
  /** Coordinates of joints, by name: `joints` of `compile`. */
  readonly joints?: JointValues;
  /** In their place: names of bodies that stay as they are given, `hold` of `compile`. */
  readonly hold?: readonly string[];
}

/** Options of `solve` as a model file has them. */
export interface SolveSettings {
  /** Start and end time. */
  readonly span: readonly [number, number];
  /** In words: "dop853", "welch", "udwadiaKalaba + projection + rk4". Not given: chosen. */
  readonly method?: string;
  /**
   * Of mechanisms: joint coordinates along a tree, or those of all bodies. Not given: chosen; a method that is named by more than its
   * integrator gets those of all bodies, in which it has its constraints.
   */
  readonly coordinates?: "auto" | "relative" | "maximal";
  /** Local error tolerance per step. One number is relative and absolute. */
  readonly tolerance?:
    | number
    | {
        readonly relative?: number;
        readonly absolute?: number | AbsoluteTolerances;
      };
  /** Fixed step size, without error control. */
  readonly step?: number;
  /** Length of the first step to try. */
  readonly firstStep?: number;
  /** Longest step. */
  readonly maximumStep?: number;
  /** Maximum number of steps. */
  readonly maximumSteps?: number;
  /** Ends the run after so many seconds of real time. */
  readonly maximumSeconds?: number;
}

/** A number found at every time of the output: a formula of t and of quantities like z('ball'). */
export interface OutputValue {
  /** Name of the column. */
  readonly name: string;
  /** The formula. */
  readonly value: string;
  /** Its unit, for headings. */
  readonly unit?: string;
}

/** What the output of a model file holds. */
export interface OutputSettings {
  /** At which times. Not given: at each step. */
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

/** An event of a model file. */
export interface EventEntry {
  /** Its name. */
  readonly name?: string;
  /** Zero where the event is. */
  readonly when: string;
  /** Which sign change counts. Not given: both. */
  readonly direction?: "rising" | "falling" | "both";
  /** Ends the run at the first occurrence, or at the n-th if a number. */
  readonly terminal?: boolean | number;
  /** Modes in which the event is active. Not given: all. */
  readonly modes?: readonly string[];
  /** Not given: it is recorded. "mark" ends a step there, "stop" ends the run. */
  readonly action?: "mark" | "stop" | { readonly bounce: number } | { readonly switchTo: string };
}

/** The same bodies without some joints and forces. */
export interface ModeEntry {
  /** Its name, for `switchTo` and `modes`. */
  readonly name: string;
  /** Names of the joints and forces it leaves out. */
  readonly without: readonly string[];
}

/** How the report shows it. */
export interface ViewSettings {
  /** Where it is seen from: a name, or a direction in the world. */
  readonly from?: "front" | "side" | "top" | "isometric" | readonly [number, number, number];
  /** Which direction of the world is up. */
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
  /** What the model is, for people. */
  readonly description?: string;
  /** Units of all numbers of the file. */
  readonly units: Units;
  /** Those that formulas can call; a model has those that its own formulas call besides. */
  readonly functions?: readonly NamedFunction[];
  /** Where joints begin. */
  readonly start?: StartSettings;
  /** Options of `solve`. */
  readonly solve?: SolveSettings;
  /** What tables and reports show. */
  readonly output?: OutputSettings;
  /** Events to look for. */
  readonly events?: readonly EventEntry[];
  /** Modes that events can switch to. */
  readonly modes?: readonly ModeEntry[];
  /** How the report shows the motion. */
  readonly view?: ViewSettings;
}

/** A model file. */
export interface ModelDocument extends FileSettings {
  /** Version of the format. */
  readonly nodrift: typeof FORMAT;
  /** Name of the model. */
  readonly name: string;
  /** Acceleration of gravity in the world. */
  readonly gravity: readonly [number, number, number];
  /** Named numbers: `{ "parameter": "k" }` stands for one wherever the mechanism has a number. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** Markers of the ground. */
  readonly ground?: { readonly markers: readonly JsonObject[] };
  /** The bodies. */
  readonly bodies: readonly BodyEntry[];
  /** Joints, drives and couplings. */
  readonly joints?: readonly TypedEntry[];
  /** Forces. */
  readonly forces?: readonly TypedEntry[];
  /** Unknowns besides the motion, by formulas of their rates. */
  readonly states?: readonly JsonObject[];
  /** Controllers that take samples, by formulas. */
  readonly controllers?: readonly JsonObject[];
}
