// A mechanism as the thread runs it.

import type { BodyState, CompiledModel } from "nodrift/bodies";
import { type ModelFile, parseStateFormula, readModel, unitOf } from "nodrift/files";
import type { Solution } from "nodrift/solve";
import type { SceneData } from "../../src/tools/report/page-data.js";
import { drawn } from "./scene.js";
import {
  begin,
  CURVES,
  count,
  type NamedPlot,
  ownStep,
  type PlayRun,
  type PlayState,
  type RunOptions,
  type Subject,
  type UnitCurve,
} from "./subject.js";

/** Reads and compiles a text. */
export async function mechanismOf(text: string): Promise<Subject> {
  const file = readModel(text);
  return new Mechanism(text, file, await file.compile({ maximumSeconds: 20 }));
}

class Mechanism implements Subject {
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

  start(others: RunOptions): PlayRun {
    return begin(this.system, ownStep(this.file.solveOptions(this.system, others), others));
  }

  formula(text: string): UnitCurve {
    const { read, dimension } = parseStateFormula(text, this.file.model.data());
    return { name: text, read, unit: dimension && unitOf(dimension, this.file.settings.units) };
  }

  /** Angles or displacements of joints, or heights. */
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
    return { title: what === "angle" ? "Angles of joints" : what, columns };
  }

  drawn(solution: Solution<PlayState>): SceneData {
    return drawn(this.file, solution as Solution<BodyState>);
  }
}
