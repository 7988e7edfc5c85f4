// The cases that a page shows: all of a small campaign, an even part of a large one.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CaseResult, FailedCase } from "../cases/result.js";
import type { Ledger } from "../journal/ledger.js";
import { mainEffect } from "../statistics/effects.js";

type Done = Extract<CaseResult, { status: "done" }>;

/** Cases behind the pictures, failed ones that are listed. */
const MOST = 20_000;
const FAILED = 100;

/** A case of the page: its number among these, and all its numbers. */
export interface PageRow {
  readonly row: number;
  readonly result: Done;
  readonly values: readonly (number | null)[];
}

export class PageCases {
  /** Of parameters, then of outputs. */
  readonly names: readonly string[];
  /** The same with units. */
  readonly titles: readonly string[];
  readonly parameters: number;
  readonly outputs: number;
  readonly rows: readonly PageRow[];
  readonly failed: readonly FailedCase[];
  readonly #folder: string;

  constructor(ledger: Ledger, folder: string) {
    const { plan } = ledger;
    this.names = [...plan.parameters, ...plan.columns];
    const units = new Map(
      [...plan.definition.parameters, ...plan.definition.outputs].map(({ name, unit }) => [
        name,
        unit,
      ]),
    );
    this.titles = this.names.map((name) => {
      const unit = units.get(name.replace(/\[\d+\]$/, ""));
      return unit === undefined ? name : `${name} (${unit})`;
    });
    this.parameters = plan.parameters.length;
    this.outputs = plan.columns.length;
    this.#folder = folder;
    const stride = Math.max(1, Math.ceil(ledger.count / MOST));
    const rows: PageRow[] = [];
    const failed: FailedCase[] = [];
    for (let i = 0; i < ledger.count; i++) {
      if (ledger.isFailed(i) ? failed.length >= FAILED : i % stride > 0) continue;
      const result = ledger.result(i);
      if (result?.status === "failed") failed.push(result);
      else if (result) {
        rows.push({ row: rows.length, result, values: [...result.parameters, ...result.outputs] });
      }
    }
    this.rows = rows;
    this.failed = failed;
  }

  get done(): readonly Done[] {
    return this.rows.map(({ result }) => result);
  }

  /** So many cases, evenly. */
  sample(most: number): readonly PageRow[] {
    const stride = Math.max(1, Math.ceil(this.rows.length / most));
    return this.rows.filter(({ row }) => row % stride === 0);
  }

  /** Variables that say most: the first outputs, and the parameters that they depend on. */
  strongest(most: number): readonly number[] {
    const half = Math.max(1, Math.min(this.outputs, Math.floor(most / 2)));
    const outputs = Array.from({ length: half }, (_, k) => this.parameters + k);
    const { done } = this;
    const ranked = Array.from({ length: this.parameters }, (_, j) => ({
      j,
      share: Math.max(...outputs.map((k) => mainEffect(done, j, k - this.parameters).share)),
    }));
    ranked.sort((a, b) => b.share - a.share || a.j - b.j);
    const parameters = ranked.slice(0, most - half).map(({ j }) => j);
    return [...parameters.sort((a, b) => a - b), ...outputs];
  }

  hasReport(id: string): boolean {
    return existsSync(join(this.#folder, "cases", id, "report.html"));
  }
}
