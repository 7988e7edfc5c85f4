// Subject for model files of mechanisms.

import type { BodyState, CompiledModel } from "nodrift/bodies";
import { type ModelFile, parseStateFormula, timeUnit, unitOf } from "nodrift/files";
import type { Solution, SolveOptions, Source } from "nodrift/solve";
import { mechanismOf } from "../../src/files/model-file.js";
import type { ParsedText } from "../../src/files/text/json-source.js";
import { END_OF_TIME } from "../../src/report/absences.js";
import { framesOf } from "../../src/report/frames.js";
import { sceneOf } from "../../src/report/scene.js";
import type { Scene } from "../../src/report/scene-data.js";
import {
  CURVES,
  count,
  type NamedPlot,
  type PlayState,
  type RunOptions,
  type Subject,
  type UnitCurve,
} from "./subject.js";

export class MechanismSubject implements Subject {
  readonly facts: Subject["facts"];
  readonly hasConstraints: boolean;

  constructor(
    readonly text: string,
    readonly file: ModelFile,
    readonly system: CompiledModel,
  ) {
    const { bodies, joints } = file.model.data();
    const { degreesOfFreedom, notes } = system.report;
    this.hasConstraints = joints.length > 0;
    const counts = [
      count(bodies.length, "body", "bodies"),
      count(joints.length, "joint"),
      `${count(degreesOfFreedom, "degree")} of freedom`,
    ];
    this.facts = { counts: counts.join(", "), notes };
  }

  /** Reads and compiles a model file. If it differs from `before` only in loads, the compiled model is reused. */
  static async of(text: string, source: ParsedText, before: Subject | undefined): Promise<Subject> {
    const file = mechanismOf("readModel", source);
    const reuse = before instanceof MechanismSubject ? { reuse: before.system } : {};
    return new MechanismSubject(text, file, await file.compile({ maximumSeconds: 20, ...reuse }));
  }

  solveOptions(others?: RunOptions): SolveOptions<Source> {
    return this.file.solveOptions(this.system, others);
  }

  formula(text: string): UnitCurve {
    const { read, dimension } = parseStateFormula(text, this.file.model.data());
    return { name: text, read, unit: dimension && unitOf(dimension, this.file.settings.units) };
  }

  /** Returns the default plot: joint angles, joint displacements, or heights. */
  usual(): NamedPlot {
    const { joints, bodies } = this.file.model.data();
    const sensed = (["angle", "displacement"] as const).flatMap((what) => {
      const names = joints
        .filter(({ sensors }) => Object.hasOwn(sensors, what))
        .map(({ name }) => name);
      return names.length === 0 ? [] : [{ what, names }];
    });
    const { what, names } = sensed[0] ?? { what: "z", names: bodies.map(({ name }) => name) };
    const columns = names.slice(0, CURVES).map((name) => {
      const quoted = name.replaceAll("'", "''");
      return { ...this.formula(`${what}('${quoted}')`), name };
    });
    return { title: what === "angle" ? "Joint angles" : what, columns };
  }

  drawn(solution: Solution<PlayState>): Scene {
    const data = this.file.model.data();
    const { units, view = {}, modes = [] } = this.file.settings;
    const { events } = solution;
    const absences = events.flatMap(({ mode, time }, i) => {
      const { without = [] } = modes.find(({ name }) => name === mode) ?? {};
      const to = events[i + 1]?.time ?? END_OF_TIME;
      return without.map((name) => ({ name, from: time, to }));
    });
    const frames = framesOf((solution as Solution<BodyState>).states(), data, {
      events,
      absences,
      lengthUnit: unitOf("length", units),
      timeUnit: timeUnit(units),
    });
    return sceneOf(data, frames, view);
  }
}
