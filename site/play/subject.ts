// Subject of a worker: common interface of mechanisms and systems given by equations; and mechanisms.

import type { BodyState, CompiledModel } from "nodrift/bodies";
import { type RecordedScene, recordedScene } from "nodrift/draw";
import {
  type EquationsFile,
  type ModelFile,
  parseMethod,
  parseStateFormula,
  readModel,
  unitOf,
} from "nodrift/files";
import {
  type EquationState,
  type Solution,
  type SolveOptions,
  type Source,
  start,
} from "nodrift/solve";
import type { Choice, ModelFacts, Setting } from "./protocol.js";

export type PlayState = BodyState | EquationState;

/** A value of a state. It reads only states of its own file. */
export interface Curve {
  readonly name: string;
  read(state: PlayState): number;
}

export interface UnitCurve extends Curve {
  readonly unit: string | undefined;
}

export interface NamedPlot {
  readonly title: string;
  readonly columns: readonly UnitCurve[];
}

export interface Subject {
  readonly file: ModelFile | EquationsFile;
  readonly facts: Pick<ModelFacts, "counts" | "notes">;
  readonly hasConstraints: boolean;
  readonly system: Source;
  /** Returns the options of the file, overridden by `others`. */
  solveOptions(others?: RunOptions): SolveOptions<Source>;
  /** Reads a user-defined formula. Throws if it is invalid. */
  formula(text: string): UnitCurve;
  /** Returns the default plot of files without plots. */
  usual(): NamedPlot;
  /** Returns the scene; undefined for equations. */
  drawn(solution: Solution<PlayState>): RecordedScene | undefined;
  /** Returns the subject with other values; undefined if one cannot be set without reading the text again. */
  with(settings: readonly Setting[]): Subject | undefined;
}

/** The members of a run that are used. */
export interface PlayRun {
  readonly time: number;
  step(): boolean;
  solution(): Solution<PlayState>;
}

/** Run options common to all systems. */
export interface RunOptions
  extends Partial<Pick<SolveOptions, "method" | "integrator" | "step" | "tolerance" | "output">> {
  readonly span: readonly [number, number];
  readonly maximumSeconds: number;
}

/** Maximum number of curves per plot. */
export const CURVES = 8;

/**
 * Starts a run with the options of the file, overridden by `others`. The step of the file belongs to its method: it is
 * removed if another one is chosen. `Run` is invariant in its state type; the cast is safe since states are only read.
 */
export function begin(subject: Subject, others: RunOptions): PlayRun {
  const { step, ...rest } = subject.solveOptions(others);
  const isOwn = others.method === undefined && others.integrator === undefined;
  const own = isOwn ? step : others.step;
  const options = { ...rest, ...(own !== undefined && { step: own }) };
  return start(subject.system, options as SolveOptions<Source>) as unknown as PlayRun;
}

/** Returns the chosen options that override those of the file. */
export function chosenOptions(
  { file: { settings } }: Subject,
  { method, step, tolerance, until }: Choice,
  maxSeconds: number,
): RunOptions {
  const { solve } = settings;
  const span = [solve?.span[0] ?? 0, until ?? solve?.span[1] ?? 10] as const;
  const length = step ?? (method === undefined ? solve?.step : undefined);
  return {
    span,
    ...(method !== undefined && parseMethod(method)),
    ...(step !== undefined && { step }),
    ...(tolerance !== undefined && { tolerance }),
    maximumSeconds: Math.min(maxSeconds, solve?.maximumSeconds ?? maxSeconds),
    output: { times: timesOf(span, length) },
  };
}

/** Number of states of an animation. */
const FRAMES = 601;

/** Returns the times of frames; with a fixed step they are ends of steps, so that no step is shortened for a frame. */
function timesOf([from, to]: readonly [number, number], step: number | undefined): number[] {
  const even = (to - from) / (FRAMES - 1);
  const gap = step === undefined ? even : Math.max(1, Math.round(Math.abs(even) / step)) * step;
  const length = Math.floor(Math.abs((to - from) / gap) + 1e-9) + 1;
  const times = Array.from({ length }, (_, i) => from + Math.sign(to - from) * i * Math.abs(gap));
  if (Math.abs(times.at(-1)! - to) > 1e-9 * Math.abs(gap)) times.push(to);
  else times[times.length - 1] = to;
  return times;
}

export function count(n: number, word: string, many = `${word}s`): string {
  return `${n} ${n === 1 ? word : many}`;
}

export class MechanismSubject implements Subject {
  readonly facts: Subject["facts"];
  readonly hasConstraints: boolean;

  constructor(
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
  static async of(text: string, before: Subject | undefined): Promise<Subject> {
    const file = readModel(text);
    const reuse = before instanceof MechanismSubject ? { reuse: before.system } : {};
    return new MechanismSubject(file, await file.compile({ maximumSeconds: 20, ...reuse }));
  }

  with(settings: readonly Setting[]): Subject | undefined {
    try {
      const set = (system: CompiledModel, { given }: Setting) =>
        system.with(...(given as Parameters<CompiledModel["with"]>));
      return new MechanismSubject(this.file, settings.reduce(set, this.system));
    } catch {
      return undefined;
    }
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

  drawn(solution: Solution<PlayState>): RecordedScene {
    const { units, view } = this.file.settings;
    return recordedScene(solution as Solution<BodyState>, { ...view, units });
  }
}
