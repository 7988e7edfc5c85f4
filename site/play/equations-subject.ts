// A system by equations as the thread runs it. Loaded when the first one is opened.

import { type EquationsFile, readSystem } from "nodrift/files";
import {
  begin,
  CURVES,
  count,
  type NamedPlot,
  ownStep,
  type PlayRun,
  type RunOptions,
  type Subject,
  type UnitCurve,
} from "./subject.js";

/** Reads a text that holds equations. */
export function equationsOf(text: string): Subject {
  const file = readSystem(text);
  if (!("system" in file)) throw new Error(`${file.name} is a mechanism`);
  return new OfEquations(text, file);
}

class OfEquations implements Subject {
  readonly facts: Subject["facts"];
  readonly hasConstraints: boolean;

  constructor(
    readonly text: string,
    readonly file: EquationsFile,
  ) {
    const { coordinateNames, holonomicNames, nonholonomicNames } = file.system;
    const rows = holonomicNames.length + nonholonomicNames.length;
    this.hasConstraints = rows > 0;
    const counts = `${count(coordinateNames.length, "coordinate")}, ${count(rows, "constraint")}`;
    this.facts = { counts, notes: [] };
  }

  start(others: RunOptions): PlayRun {
    return begin(this.file.system, ownStep(this.file.solveOptions(others), others));
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
