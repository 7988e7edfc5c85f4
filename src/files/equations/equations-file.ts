// Reads systems of equations from files.

import { hint, refuseMore } from "../../base/checking/index.js";
import { equations, type FormulaEquations } from "../../formulas.js";
import type { SolveOptions } from "../../solve.js";
import type { EquationsDocument, EquationsSettings } from "../document/document.js";
import {
  checkTimes,
  checkTolerance,
  type Prepared,
  SettingsReader,
  SolvableFile,
} from "../models/settings.js";
import type { Path, Problems } from "../text/problems.js";

/**
 * A system of equations with the settings of its file. Created by `readSystem`.
 *
 * @example
 * const file = readSystem(text);
 * if ("system" in file) solve(file.system, file.solveOptions());
 */
export class EquationsFile extends SolvableFile<FormulaEquations, EquationsSettings> {
  /** The equations, derived and ready to run. */
  readonly system: FormulaEquations;

  constructor(
    system: FormulaEquations,
    settings: EquationsSettings,
    prepared: Prepared<FormulaEquations>,
  ) {
    super(settings, prepared);
    this.system = system;
  }

  /** Name of the system. */
  get name(): string {
    return this.system.name;
  }

  /**
   * Options for `solve` from the file, overridden by `others`.
   *
   * @example
   * const solution = solve(file.system, file.solveOptions({ tolerance: 1e-9 }));
   */
  solveOptions(
    others: Partial<SolveOptions<FormulaEquations>> = {},
    ...more: undefined[]
  ): SolveOptions<FormulaEquations> {
    refuseMore("solveOptions", "STEP", more, "it takes options of solve");
    const { start } = this.settings;
    const { q, v, coordinateNames } = this.system;
    const zeros = coordinateNames.map(() => 0);
    const own = { q: q ?? zeros, v: v ?? zeros, ...(start && { hold: start.hold }) };
    return this.optionsWith(own, others);
  }
}

/** Builds the system of a structurally valid document. Adds problems; returns undefined if there are any. */
export function buildEquations(
  document: EquationsDocument,
  problems: Problems,
): EquationsFile | undefined {
  const { nodrift: _, name, equations: description, ...settings } = document;
  checkTimes(settings, problems);
  checkTolerance(settings, problems);
  if (problems.isBroken(["equations"]) || problems.isBroken(["name"])) return undefined;
  const path = ["equations"];
  const system = problems.attempt(path, () => equations({ name, ...description }), description);
  if (!system) return undefined;
  for (const [i, held] of (problems.isBroken(["start"])
    ? []
    : (settings.start?.hold ?? [])
  ).entries()) {
    if (system.coordinateNames.includes(held)) continue;
    const known = hint(held, system.coordinateNames);
    problems.add(["start", "hold", i], `there is no coordinate "${held}"${known}`);
  }
  const prepared = new EquationsSettingsReader(system, settings, problems).prepared(system.name);
  return problems.count > 0 ? undefined : new EquationsFile(system, settings, prepared);
}

class EquationsSettingsReader extends SettingsReader<FormulaEquations> {
  constructor(
    readonly system: FormulaEquations,
    settings: EquationsSettings,
    problems: Problems,
  ) {
    super(settings, problems);
  }

  protected override readable(text: string, path: Path) {
    const read = this.problems.attempt(path, () => this.system.formula(text));
    return read && { read };
  }
}
