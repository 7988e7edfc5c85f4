// What `nodrift reproduce` has to do: tables and drawings, each a piece of work for a thread.

import {
  type Drawing,
  type DrawnFigure,
  drawings,
  type Entry,
  type Reproduction,
  reproductions,
} from "../../reproduce/index.js";

/** A table, with the entries found; or a drawing, with its figures. */
export type Job =
  | { readonly kind: "table"; readonly of: Reproduction }
  | { readonly kind: "drawing"; readonly of: Drawing };

export interface Finding {
  readonly job: Job;
  readonly entries: readonly Entry[];
  readonly figures: readonly DrawnFigure[];
  readonly seconds: number;
}

/** From a thread that works on jobs. */
export type CrewMessage =
  | { readonly kind: "entry"; readonly entry: Entry }
  | { readonly kind: "figure"; readonly figure: DrawnFigure }
  | { readonly kind: "done"; readonly seconds: number }
  | { readonly kind: "failed"; readonly reason: string };

const PAPERS = [...new Set(reproductions.map(({ paper }) => paper))];

/** All, paper by paper, tables before drawings. */
export const jobs: readonly Job[] = PAPERS.flatMap((paper) => [
  ...reproductions.filter((one) => one.paper === paper).map((of): Job => ({ kind: "table", of })),
  ...drawings.filter((one) => one.paper === paper).map((of): Job => ({ kind: "drawing", of })),
]);

/** Seconds that a job takes, roughly. */
export function secondsOf({ of }: Job): number {
  return of.seconds ?? 1;
}

export function isTimed(job: Job): boolean {
  return job.kind === "table" && job.of.isTimed === true;
}
