// Message protocol between the page and its workers. A worker runs one motion at a time; newer requests cancel it.

import type { Scene } from "../../src/report/scene-data.js";

/** Solver choice that overrides the model file. */
export interface Choice {
  /** Method name as in files; undefined: as in the file. */
  readonly method?: string | undefined;
  readonly step?: number | undefined;
  readonly tolerance?: number | undefined;
  /** End time of the run. */
  readonly until?: number | undefined;
}

export interface RunRequest {
  readonly kind: "run";
  readonly id: number;
  readonly text: string;
  readonly choice: Choice;
  /** Formulas that the user plots in addition to those of the file. */
  readonly quantities: readonly string[];
}

export interface CompareRequest {
  readonly kind: "compare";
  readonly id: number;
  readonly text: string;
  readonly methods: readonly string[];
}

/** Checks the compatibility of parts: "formulation + stabilisation" with each integrator. */
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

/** A problem in the text; line and column from 1, undefined if it has no location. */
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

/** Results of a run so far. */
export interface RunFacts {
  readonly method: string;
  readonly reason: string;
  readonly status: string;
  readonly steps: number;
  readonly drift: number;
  /** Largest energy error; largest energy change if the model adds or removes energy. */
  readonly energy: number;
  readonly isEnergyKept: boolean;
  readonly energyUnit: string;
  /** Computing time in milliseconds, and per step in microseconds. */
  readonly milliseconds: number;
  readonly perStep: number;
  readonly notes: readonly string[];
}

export interface ModelFacts {
  readonly name: string;
  /** Description of the contents, such as "1 body, 1 joint". */
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
        /** Whether the method is adaptive. */
        readonly isAdaptive: boolean;
      }[];
    }
  | { readonly kind: "problems"; readonly id: number; readonly marks: readonly Mark[] }
  | { readonly kind: "model"; readonly id: number; readonly facts: ModelFacts }
  | {
      readonly kind: "motion";
      readonly id: number;
      /** Scene to draw; undefined for equations. The buffers of its frames and of the plots are transferred. */
      readonly scene: Scene | undefined;
      readonly timeUnit: string;
      /** Time of the last state. */
      readonly end: number;
      readonly plots: readonly PlotLines[];
      readonly facts: RunFacts;
      readonly isDone: boolean;
      /** Reasons why quantities of the user cannot be plotted. */
      readonly refused: readonly { readonly formula: string; readonly message: string }[];
    }
  | { readonly kind: "refused"; readonly id: number; readonly message: string }
  | {
      readonly kind: "judged";
      readonly id: number;
      /** Reasons by name of the incompatible integrators. */
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
