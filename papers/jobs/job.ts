// Jobs of `nodrift reproduce`: tables and drawings, each run by one thread.

import {
  type Drawing,
  type DrawnFigure,
  drawings,
  type Entry,
  type Reproduction,
  reproductions,
} from "../reproduce/index.js";

/** A table or a drawing to compute. */
export type Job =
  | { readonly kind: "table"; readonly of: Reproduction }
  | { readonly kind: "drawing"; readonly of: Drawing };

export interface JobResult {
  readonly job: Job;
  readonly entries: readonly Entry[];
  readonly figures: readonly DrawnFigure[];
  readonly seconds: number;
}

/** Message from a worker. */
export type JobMessage =
  | { readonly kind: "entry"; readonly entry: Entry }
  | { readonly kind: "figure"; readonly figure: DrawnFigure }
  | { readonly kind: "done"; readonly seconds: number }
  | { readonly kind: "failed"; readonly reason: string };

const PAPERS = [...new Set(reproductions.map(({ paper }) => paper))];

/** All jobs, paper by paper, tables before drawings. */
export const jobs: readonly Job[] = PAPERS.flatMap((paper) => [
  ...reproductions.filter((one) => one.paper === paper).map((of): Job => ({ kind: "table", of })),
  ...drawings.filter((one) => one.paper === paper).map((of): Job => ({ kind: "drawing", of })),
]);

/** Returns the approximate duration of a job in seconds. */
export function secondsOf({ of }: Job): number {
  return of.seconds ?? 1;
}

export function isTimed(job: Job): boolean {
  return job.kind === "table" && job.of.isTimed === true;
}
