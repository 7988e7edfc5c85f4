// Subject for equations files, loaded when the first one is opened.

import { type EquationsFile, readSystem } from "nodrift/files";
import type { SolveOptions, Source } from "nodrift/solve";
import type { Setting } from "./protocol.js";
import {
  CURVES,
  count,
  type NamedPlot,
  type RunOptions,
  type Subject,
  type UnitCurve,
} from "./subject.js";

export class EquationsSubject implements Subject {
  readonly facts: Subject["facts"];
  readonly hasConstraints: boolean;
  readonly file: EquationsFile;
  /** Values of the parameters in the text. */
  readonly #given: object;

  constructor(text: string) {
    this.file = readSystem(text) as EquationsFile;
    this.#given = { ...this.system.parameters };
    const { coordinateNames, holonomicNames, nonholonomicNames } = this.file.system;
    const rows = holonomicNames.length + nonholonomicNames.length;
    this.hasConstraints = rows > 0;
    const counts = `${count(coordinateNames.length, "coordinate")}, ${count(rows, "constraint")}`;
    this.facts = { counts, notes: [] };
  }

  get system(): EquationsFile["system"] {
    return this.file.system;
  }

  solveOptions(others?: RunOptions): SolveOptions<Source> {
    return this.file.solveOptions(others) as SolveOptions<Source>;
  }

  formula(text: string): UnitCurve {
    return { name: text, read: this.file.system.formula(text), unit: undefined };
  }

  usual(): NamedPlot {
    const names = this.file.system.coordinateNames.slice(0, CURVES);
    return { title: "Coordinates", columns: names.map((name) => this.formula(name)) };
  }

  /** Parameters may change at any time, so this subject itself gets the values. */
  with(settings: readonly Setting[]): Subject | undefined {
    try {
      Object.assign(this.system.parameters, this.#given, ...settings.map(({ given }) => given[0]));
      return this;
    } catch {
      return undefined;
    }
  }

  drawn(): undefined {
    return undefined;
  }
}
