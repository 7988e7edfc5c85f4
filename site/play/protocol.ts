// What the page and its threads tell each other. One thread runs one motion at a time; a newer request ends an older.

import type { SceneData } from "../../src/tools/report/page-data.js";

/** How a model is solved, in place of what its file says. */
export interface Choice {
  /** In words, as in files; undefined: as the file says. */
  readonly method?: string | undefined;
  readonly step?: number | undefined;
  readonly tolerance?: number | undefined;
  /** Where the run ends. */
  readonly until?: number | undefined;
}

export interface RunRequest {
  readonly kind: "run";
  readonly id: number;
  readonly text: string;
  readonly choice: Choice;
  /** Formulas that the visitor wants plotted besides those of the file. */
  readonly quantities: readonly string[];
}

export interface CompareRequest {
  readonly kind: "compare";
  readonly id: number;
  readonly text: string;
  readonly methods: readonly string[];
}

/** Judges which parts fit together: "formulation + stabilisation" with each integrator. */
export interface JudgeRequest {
  readonly kind: "judge";
  readonly id: number;
  readonly parts: readonly string[];
}

export interface FileRequest {
  readonly kind: "file";
  readonly id: number;
  readonly format: "csv" | "html";
}

export type Request = RunRequest | CompareRequest | JudgeRequest | FileRequest;

/** Something wrong with the text: both places from 1; undefined where it has none. */
export interface Mark {
  readonly pointer: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
}

export interface PlotLines {
  readonly title: string;
  readonly unit: string | undefined;
  readonly isLog: boolean;
  readonly x: Float64Array;
  readonly curves: readonly { readonly name: string; readonly y: Float64Array }[];
}

/** What is known of a run so far. */
export interface RunFacts {
  readonly method: string;
  readonly reason: string;
  readonly status: string;
  readonly steps: number;
  readonly drift: number;
  /** Largest error of the energy; where the model adds or removes some, how much it changes. */
  readonly energy: number;
  readonly isEnergyKept: boolean;
  readonly energyUnit: string;
  /** Of computing, in milliseconds; and microseconds for a step. */
  readonly milliseconds: number;
  readonly perStep: number;
  readonly notes: readonly string[];
}

export interface ModelFacts {
  readonly name: string;
  /** What it consists of, in words. */
  readonly counts: string;
  readonly notes: readonly string[];
  readonly span: readonly [number, number];
}

/** A run of one method at one tolerance or step. */
export interface Attempt {
  readonly method: string;
  readonly coordinates: "relative" | "maximal" | undefined;
  readonly effort: { readonly kind: "tolerance" | "step"; readonly value: number };
  readonly status: string;
  readonly reason: string;
  readonly steps: number;
  readonly error: number;
  readonly drift: number;
  readonly energy: number;
  readonly seconds: number;
}

export type MethodKind = "formulation" | "stabilisation" | "integrator" | "coupled";

export type Answer =
  | {
      readonly kind: "ready";
      readonly methods: readonly {
        readonly name: string;
        readonly kind: MethodKind;
        /** Whether steps can follow a tolerance. */
        readonly isAdaptive: boolean;
      }[];
    }
  | { readonly kind: "problems"; readonly id: number; readonly marks: readonly Mark[] }
  | { readonly kind: "model"; readonly id: number; readonly facts: ModelFacts }
  | {
      readonly kind: "motion";
      readonly id: number;
      /** Undefined for equations: there is nothing to draw. */
      readonly scene: SceneData | undefined;
      readonly timeUnit: string;
      /** Time of the last state. */
      readonly end: number;
      readonly plots: readonly PlotLines[];
      readonly facts: RunFacts;
      readonly isDone: boolean;
      /** Why a quantity of the visitor cannot be plotted. */
      readonly refused: readonly { readonly formula: string; readonly message: string }[];
    }
  | { readonly kind: "refused"; readonly id: number; readonly message: string }
  | {
      readonly kind: "judged";
      readonly id: number;
      /** Why an integrator does not fit; those that are missing do. */
      readonly reasons: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "attempt";
      readonly id: number;
      readonly attempt: Attempt;
      readonly done: number;
      readonly total: number;
      readonly reference: string;
    }
  | { readonly kind: "compared"; readonly id: number; readonly reference: string }
  | {
      readonly kind: "file";
      readonly id: number;
      readonly name: string;
      readonly text: string;
    };
