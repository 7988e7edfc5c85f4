// Memory of campaigns: growth with the number of cases.

import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandRun, writeStudy } from "../../test/support/campaign-kills.js";
import { atMost, type Figure } from "./figure.js";

/** MB of a process, by /proc. */
function residentOf(pid: number): number {
  try {
    const [, kB = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kB) / 1024;
  } catch {
    return 0;
  }
}

/**
 * 100 000 cases: coordinator and workers, from the first tenth on. Medians over a tenth, because garbage collection
 * makes single values scatter.
 */
export async function* campaignMemoryFigures(): AsyncGenerator<Figure> {
  const cases = 100_000;
  const folder = mkdtempSync(join(tmpdir(), "nodrift-memory-"));
  try {
    const study = writeStudy(folder, cases);
    const run = new CommandRun(
      "sweep",
      study,
      "--out",
      join(folder, "out"),
      "--formats",
      "none",
      "--workers",
      "2",
    );
    const samples: { done: number; coordinator: number; workers: number }[] = [];
    const size = () => {
      try {
        // Lines are of about the same length.
        return statSync(join(folder, "out", "journal.ndjson")).size / 215;
      } catch {
        return 0;
      }
    };
    while (run.isRunning) {
      const workers = Math.max(0, ...run.children.map(residentOf));
      samples.push({ done: size(), coordinator: residentOf(run.child.pid ?? 0), workers });
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    if ((await run.ended) !== 0) throw new Error(run.output);
    for (const who of ["coordinator", "workers"] as const) {
      const part = (from: number, to: number) => {
        const own = samples
          .filter(({ done }) => done >= from * cases && done < to * cases)
          .map((one) => one[who]);
        return own.sort((a, b) => a - b)[own.length >> 1] ?? 0;
      };
      yield atMost(
        `campaigns: growth of the ${who} from 10 000 to 100 000 cases, MB`,
        part(0.9, 1.1) - part(0.1, 0.2),
        20,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
