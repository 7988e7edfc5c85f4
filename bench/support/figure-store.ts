// Figures stored by version, one file each: bench/results/figures/0.1.0.json. A group is stored completely, with a
// description of its machine, and leaves the other groups of its file unchanged.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "../figures/figure.js";

/** A figure in JSON: NaN and infinity become null. */
export interface StoredFigure {
  readonly figure: string;
  readonly value: number | null;
  readonly target: string;
  readonly pass: boolean;
}

export interface StoredGroup {
  readonly machine: Readonly<Record<string, unknown>>;
  readonly figures: readonly StoredFigure[];
}

export interface StoredFigures {
  readonly version: string;
  readonly groups: Readonly<Record<string, StoredGroup>>;
}

/** A figure with its value in a stored version. */
export interface ComparedFigure extends Figure {
  /** The stored value, if the figure existed. */
  readonly before?: number | null;
  /** The stored target, if it differs, so that a loosened target is visible. */
  readonly targetBefore?: string;
  /**
   * `regressed`: met its target then, misses it now. `recovered`: the reverse. `new`: was not stored.
   */
  readonly verdict: "regressed" | "recovered" | "missed before" | "met" | "new";
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

export const isVersion = (text: string): boolean => VERSION.test(text);

const fileOf = (folder: string, version: string) => join(folder, `${version}.json`);

/** The versions that are stored, oldest first. */
export function storedVersions(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).map((name) => name.replace(/\.json$/, ""));
  return versions.filter(isVersion).sort(byVersion);
}

/** The newest stored version that is older than another one. */
export function newestBefore(folder: string, version: string): string | undefined {
  return storedVersions(folder)
    .filter((stored) => byVersion(stored, version) < 0)
    .at(-1);
}

function byVersion(a: string, b: string): number {
  const parts = (version: string) => VERSION.exec(version)?.slice(1).map(Number) ?? [];
  const [left, right] = [parts(a), parts(b)];
  const i = left.findIndex((part, index) => part !== right[index]);
  return i < 0 ? 0 : left[i] - right[i];
}

/** Stored groups of a version. */
export function readFigures(folder: string, version: string): StoredFigures {
  return JSON.parse(readFileSync(fileOf(folder, version), "utf8")) as StoredFigures;
}

/** Stores one group of a version, replacing its stored values. Returns the path. */
export function storeGroup(
  folder: string,
  version: string,
  name: string,
  group: { readonly machine: StoredGroup["machine"]; readonly figures: readonly Figure[] },
): string {
  const path = fileOf(folder, version);
  const groups = existsSync(path) ? readFigures(folder, version).groups : {};
  mkdirSync(folder, { recursive: true });
  const stored = { version, groups: { ...groups, [name]: group } };
  writeFileSync(path, `${JSON.stringify(stored, null, 2)}\n`);
  return path;
}

/** Pairs the figures of a group with the stored ones as they are measured; equal names are paired in order. */
export class Comparison {
  private readonly stored: StoredFigure[];

  constructor(group: StoredGroup | undefined) {
    this.stored = [...(group?.figures ?? [])];
  }

  add(figure: Figure): ComparedFigure {
    const i = this.stored.findIndex((stored) => stored.figure === figure.figure);
    if (i < 0) return { ...figure, verdict: "new" };
    const [{ value, target, pass }] = this.stored.splice(i, 1);
    const now = figure.pass ? "met" : "missed before";
    const verdict = pass === figure.pass ? now : pass ? "regressed" : "recovered";
    const other = target === figure.target ? {} : { targetBefore: target };
    return { ...figure, before: value, ...other, verdict };
  }

  /** Stored figures that were not measured: renamed or removed. */
  gone(): readonly string[] {
    return this.stored.map(({ figure }) => figure);
  }
}
