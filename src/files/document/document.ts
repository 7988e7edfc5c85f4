// Types of a valid model file as plain data, as returned by JSON.parse. docs/files.md describes it for
// people, the JSON Schema for editors; both have the same version number.

import type { JointValues } from "../../bodies.js";
import type { FormulaDescription } from "../../formulas.js";
import type { AbsoluteTolerances } from "../../solve.js";

/** The version of the format that this package reads and writes. */
export const FORMAT = 1;

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A number, a formula as text, or an interpolated table. */
export type FunctionSource = number | string | { readonly table: TableSource };

/** Points of a function: strictly increasing x, and a y for each. */
export interface TableSource {
  /** Arguments, strictly increasing. */
  readonly x: readonly number[];
  /** Values. */
  readonly y: readonly number[];
  /** "cubic" (a spline, the default) or "linear". */
  readonly interpolation?: "cubic" | "linear";
  /** Beyond the ends: the last value ("hold", the default), periodic ("repeat"), or linear ("extend"). */
  readonly outside?: "hold" | "repeat" | "extend";
}

/** A function that formulas can call by name. */
export type NamedFunction =
  | { readonly name: string; readonly of: readonly string[]; readonly expression: string }
  | { readonly name: string; readonly table: TableSource };

/** SI, or the names of other consistent units. Values are never converted. */
export type Units =
  | "SI"
  | { readonly length: string; readonly mass: string; readonly time: string };

/** A body of a model file: the options of `model().body`, with its markers. */
export interface BodyEntry extends JsonObject {
  /** Name of the entry. */
  readonly name?: string;
  /** Options of its markers. */
  readonly markers?: readonly JsonObject[];
}

/** A joint or force of a model file: its type and the options of that method of `model()`. */
export interface TypedEntry extends JsonObject {
  /** Method of `model()` that creates it, such as "revolute". */
  readonly type: string;
  /** Name of the entry. */
  readonly name?: string;
}

/** Initial state of a model file, in addition to the poses and velocities of bodies. */
export interface StartSettings {
  /** Joint coordinates by joint name: `joints` of `compile`. */
  readonly joints?: JointValues;
  /** Alternative: names of bodies that keep their given poses, `hold` of `compile`. */
  readonly hold?: readonly string[];
}

/** Options of `solve` in a model file. */
export interface SolveSettings {
  /** Start and end time. */
  readonly span: readonly [number, number];
  /** Name of the method: "dop853", "welch", "udwadiaKalaba + projection + rk4". Default: automatic. */
  readonly method?: string;
  /**
   * For mechanisms: "relative" (joint coordinates along a tree) or "maximal" (coordinates of all bodies). Default: automatic, but
   * "maximal" for a method with a named formulation, which needs constraint equations.
   */
  readonly coordinates?: "auto" | "relative" | "maximal";
  /** Local error tolerance per step. A number is both relative and absolute. */
  readonly tolerance?:
    | number
    | {
        readonly relative?: number;
        readonly absolute?: number | AbsoluteTolerances;
      };
  /** Fixed step size, without error control. */
  readonly step?: number;
  /** Initial step size. */
  readonly firstStep?: number;
  /** Largest step size. */
  readonly maximumStep?: number;
  /** Maximum number of steps. */
  readonly maximumSteps?: number;
  /** Maximum run time in seconds of real time. */
  readonly maximumSeconds?: number;
}

/** An output column: a formula of t and of quantities like z('ball'). */
export interface OutputValue {
  /** Column heading. */
  readonly name: string;
  /** The formula. */
  readonly value: string;
  /** Unit for headings. */
  readonly unit?: string;
}

/** Output of a model file. */
export interface OutputSettings {
  /** Output times. Default: every step. */
  readonly at?:
    | "steps"
    | "ends"
    | { readonly rate: number }
    | { readonly times: readonly number[] };
  /** Columns of the table. Default: all positions and velocities. */
  readonly values?: readonly (string | OutputValue)[];
  /** Plots of the report. Default: a standard set. */
  readonly plots?: readonly { readonly title?: string; readonly values: readonly string[] }[];
}

/** An event of a model file. */
export interface EventEntry {
  /** Name of the entry. */
  readonly name?: string;
  /** Formula that is zero at the event. */
  readonly when: string;
  /** Direction of the sign change. Default: "both". */
  readonly direction?: "rising" | "falling" | "both";
  /** Ends the run at the first occurrence, or at the n-th if a number. */
  readonly terminal?: boolean | number;
  /** Modes in which the event is active. Default: all. */
  readonly modes?: readonly string[];
  /** Default: the event is only recorded. "mark" ends a step at the event, "stop" ends the run. */
  readonly action?: "mark" | "stop" | { readonly bounce: number } | { readonly switchTo: string };
}

/** A mode: the model without some joints and forces. */
export interface ModeEntry {
  /** Name, for `switchTo` and `modes`. */
  readonly name: string;
  /** Names of the joints and forces that are absent. */
  readonly without: readonly string[];
}

/** View of the report. */
export interface ViewSettings {
  /** View direction: a name, or a direction in the world. */
  readonly from?: "front" | "side" | "top" | "isometric" | readonly [number, number, number];
  /** Direction of the world that points up. */
  readonly up?: readonly [number, number, number];
  /** Body that the camera follows. */
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

/** All settings of a file, without the mechanism. */
export interface FileSettings {
  /** URL or path of the JSON Schema, for editors. */
  readonly $schema?: string;
  /** Description for readers. */
  readonly description?: string;
  /** Units of all values of the file. */
  readonly units: Units;
  /** Functions that formulas can call, in addition to those of the model itself. */
  readonly functions?: readonly NamedFunction[];
  /** Initial joint coordinates, or bodies that are held. */
  readonly start?: StartSettings;
  /** Options of `solve`. */
  readonly solve?: SolveSettings;
  /** Output in tables and reports. */
  readonly output?: OutputSettings;
  /** Events to detect. */
  readonly events?: readonly EventEntry[];
  /** Modes that events can switch to. */
  readonly modes?: readonly ModeEntry[];
  /** View of the report. */
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
  /** Named numbers; `{ "parameter": "k" }` can replace any number of the mechanism. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** Markers of the ground. */
  readonly ground?: { readonly markers: readonly JsonObject[] };
  /** The bodies. */
  readonly bodies: readonly BodyEntry[];
  /** Joints, drives and couplings. */
  readonly joints?: readonly TypedEntry[];
  /** Forces. */
  readonly forces?: readonly TypedEntry[];
  /** Additional states, with formulas for their rates. */
  readonly states?: readonly JsonObject[];
  /** Sampled controllers, with formulas for their outputs. */
  readonly controllers?: readonly JsonObject[];
}

// Types of a file with a system of equations as plain data.

/** An event of an equations file. */
export interface PlainEventEntry
  extends Pick<EventEntry, "name" | "when" | "direction" | "terminal"> {
  /** Default: the event is only recorded. "mark" ends a step at the event, "stop" ends the run. */
  readonly action?: "mark" | "stop";
}

/** All settings of an equations file, without the equations. */
export interface EquationsSettings
  extends Pick<FileSettings, "$schema" | "description" | "units" | "solve" | "output"> {
  /** Coordinates that keep their given initial values: `hold` of `solve`. */
  readonly start?: { readonly hold: readonly string[] };
  /** Events to detect. */
  readonly events?: readonly PlainEventEntry[];
}

/** An equations file. */
export interface EquationsDocument extends EquationsSettings {
  /** Version of the format. */
  readonly nodrift: typeof FORMAT;
  /** Name of the system. */
  readonly name: string;
  /** Options of `equations` of nodrift/formulas, with formulas and numbers only. */
  readonly equations: Omit<FormulaDescription, "name">;
}
