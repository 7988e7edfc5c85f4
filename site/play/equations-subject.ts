// Subject for equations files, loaded when the first one is opened.

import type { EquationsFile } from "nodrift/files";
import type { SolveOptions, Source } from "nodrift/solve";
import { buildEquations } from "../../src/files/equations/equations-file.js";
import { isEquations, readAll, validate } from "../../src/files/models/validate.js";
import type { ParsedText } from "../../src/files/text/json-source.js";
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

  constructor(
    readonly text: string,
    source: ParsedText,
  ) {
    this.file = readAll(source, (value, problems) => {
      const document = validate(value, problems);
      return document && isEquations(document) ? buildEquations(document, problems) : undefined;
    });
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

  drawn(): undefined {
    return undefined;
  }
}
