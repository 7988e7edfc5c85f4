import { spawnSync } from "node:child_process";
import { median } from "../support/race.js";
import { atMost, type Figure } from "./figure.js";

const FIRST_RESULT = `
  import { ArenaPlan, choleskySlots } from "nodrift/kernels";
  const plan = new ArenaPlan();
  const a = plan.reserve("a", 1), factor = plan.reserve("factor", choleskySlots(1));
  const arena = plan.seal();
  arena.floats(a)[0] = 4;
  arena.kernels.choleskyFactor(1, a.address, 1, factor.address);
  if (arena.floats(factor)[0] !== 2) process.exit(1);
`;

/** Milliseconds from the start of a process to its end. */
function timeOf(script: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
  if (status !== 0) throw new Error(`the script failed: ${stderr}`);
  return performance.now() - start;
}

/** From import to the first kernel result, minus the time of an empty script; processes take turns. */
export function* startFigures(): Generator<Figure> {
  const differences: number[] = [];
  for (let round = 0; round < 21; round++) differences.push(timeOf(FIRST_RESULT) - timeOf(""));
  yield atMost("import to first kernel result, ms above an empty script", median(differences), 20);
}
