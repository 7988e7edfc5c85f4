import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { atLeast, atMost, type Figure } from "./figure.js";

/** A file that everything depends on, so that all checks see an edit of it. */
const EDITED = "src/index.ts";
/** Written by `npm run mutate -- --store`. */
const MUTANTS = "bench/results/mutants.json";

/** What `npm run mutate` stored. */
interface Mutants {
  readonly seed: number;
  /** Tested mutants that change behaviour. */
  readonly count: number;
  readonly killed: number;
}

/** Time of the quick check, and mutation score of all tests. */
export async function* structureLaneFigures(): AsyncGenerator<Figure> {
  yield atMost("npm run check after one edit, s", secondsOfCheck(), 45);
  if (!existsSync(MUTANTS)) return;
  const { seed, count, killed } = JSON.parse(readFileSync(MUTANTS, "utf8")) as Mutants;
  yield atLeast(`mutants sampled, with seed ${seed}`, count, 200);
  yield atLeast("share of sampled mutants killed, %", (100 * killed) / count, 85);
}

/** Infinite if it fails, because a check that stops early is fast. */
function secondsOfCheck(): number {
  const text = readFileSync(EDITED, "utf8");
  writeFileSync(EDITED, `${text}// One edit.\n`);
  const begin = performance.now();
  try {
    const { status } = spawnSync("npm", ["run", "check"], { stdio: "ignore" });
    return status === 0 ? (performance.now() - begin) / 1000 : Number.POSITIVE_INFINITY;
  } finally {
    writeFileSync(EDITED, text);
  }
}
