// Types of a file with a system of equations as plain data.

import type { FormulaDescription } from "../../formulas.js";
import type { EventEntry, FileSettings, FORMAT } from "./document.js";

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
