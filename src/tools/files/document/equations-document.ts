// A file of a system by equations as plain data.

import type { FormulaDescription } from "../../../formulas.js";
import type { EventEntry, FileSettings, FORMAT } from "./document.js";

/** An event of such a file. */
export interface PlainEventEntry
  extends Pick<EventEntry, "name" | "when" | "direction" | "terminal"> {
  /** Not given: it is recorded. "mark" ends a step there, "stop" ends the run. */
  readonly action?: "mark" | "stop";
}

/** All of such a file but the equations. */
export interface EquationsSettings
  extends Pick<FileSettings, "$schema" | "description" | "units" | "solve" | "output"> {
  /** Coordinates that stay as they are given where a run begins: `hold` of `solve`. */
  readonly start?: { readonly hold: readonly string[] };
  /** Events to look for. */
  readonly events?: readonly PlainEventEntry[];
}

/** A file of a system by equations. */
export interface EquationsDocument extends EquationsSettings {
  /** Version of the format. */
  readonly nodrift: typeof FORMAT;
  /** Name of the system. */
  readonly name: string;
  /** What `equations` of nodrift/formulas takes, all of it formulas and numbers. */
  readonly equations: Omit<FormulaDescription, "name">;
}
