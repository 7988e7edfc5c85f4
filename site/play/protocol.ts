// Message protocol between the page and its workers. A worker runs one motion at a time; newer requests cancel it.

import type { ComparedRun } from "nodrift/compare";
import type { Plot, RecordedScene } from "nodrift/draw";

/** Solver choice that overrides the model file. */
export interface Choice {
  /** Method name as in files; undefined: as in the file. */
  readonly method?: string | undefined;
  readonly step?: number | undefined;
  readonly tolerance?: number | undefined;
  /** End time of the run. */
  readonly until?: number | undefined;
}

/** A value of the document that a slider has changed: where it stands, and the arguments of `set` for it. */
export interface Setting {
  readonly pointer: string;
  readonly given: readonly unknown[];
}

export interface RunRequest {
  readonly kind: "run";
  readonly id: number;
  /** Text before sliders changed values in it, and these values. */
  readonly base: string;
  readonly settings: readonly Setting[];
  /** Present text, read if a value cannot be set in the model of `base`. */
  readonly text: string;
  readonly choice: Choice;
  /** Formulas that the user plots in addition to those of the file. */
  readonly quantities: readonly string[];
}

export type Request =
  | RunRequest
  /** Asks for the names of all methods. */
  | { readonly kind: "methods"; readonly id: number }
  /** Compares methods on the model of the last run. */
  | { readonly kind: "compare"; readonly id: number; readonly methods: readonly string[] }
  /** Checks the compatibility of parts: "formulation + stabilisation" with each integrator. */
  | { readonly kind: "judge"; readonly id: number; readonly parts: readonly string[] }
  | { readonly kind: "file"; readonly id: number; readonly format: "csv" | "html" };

/** A problem in the text; line and column from 1, undefined if it has no location. */
export interface Mark {
  readonly pointer: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
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

export type MethodKind = "formulation" | "stabilisation" | "integrator" | "coupled";

/** Names of methods, and whether they are adaptive. */
export type Methods = readonly {
  readonly name: string;
  readonly kind: MethodKind;
  readonly isAdaptive: boolean;
}[];

/** Answers repeat the id of their request. */
export type Answer = { readonly id: number } & (
  | { readonly kind: "methods"; readonly methods: Methods }
  | { readonly kind: "problems"; readonly marks: readonly Mark[] }
  | { readonly kind: "model"; readonly facts: ModelFacts }
  | {
      readonly kind: "motion";
      /** Scene to draw; undefined for equations. The buffers of its frames and of the plots are transferred. */
      readonly scene: RecordedScene | undefined;
      readonly timeUnit: string;
      /** Time of the last state. */
      readonly end: number;
      readonly plots: readonly Plot[];
      readonly facts: RunFacts;
      readonly isDone: boolean;
      /** Reasons why quantities of the user cannot be plotted. */
      readonly refused: readonly { readonly formula: string; readonly message: string }[];
    }
  | { readonly kind: "refused"; readonly message: string }
  /** Reasons by name of the incompatible integrators. */
  | { readonly kind: "judged"; readonly reasons: Readonly<Record<string, string>> }
  | {
      readonly kind: "attempt";
      readonly attempt: ComparedRun;
      readonly done: number;
      readonly total: number;
      readonly reference: string;
    }
  | { readonly kind: "compared"; readonly reference: string }
  | { readonly kind: "file"; readonly name: string; readonly text: string }
);

/** An answer of one kind. */
export type AnswerOf<Kind extends Answer["kind"]> = Extract<Answer, { readonly kind: Kind }>;
