import { spawnSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { median } from "../support/race.js";
import { atMost, type Figure, reported } from "./figure.js";

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

/** From import to the first kernel result, above an empty script; processes take turns. */
export function* startFigures(): Generator<Figure> {
  const differences: number[] = [];
  for (let round = 0; round < 21; round++) differences.push(timeOf(FIRST_RESULT) - timeOf(""));
  yield atMost("import to first kernel result, ms above an empty script", median(differences), 20);
}

/** An entry as a browser loads it: bundled, minified, wasm inside. */
export async function bundled(entry: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, lib: { entry, formats: ["es"] }, minify: true },
  });
  const [{ output: files }] = [output].flat() as { output: { type: string; code?: string }[] }[];
  return files.map((file) => file.code ?? "").join("");
}

/** The same gzipped, in kB. */
export async function sizeOf(entry: string): Promise<number> {
  return gzipSync(await bundled(entry)).length / 1000;
}

/**
 * What the core entry may weigh, in kB. It was 60 until every option was read by a shape, differences fitted their steps
 * and methods could be given by name: these are in the core because everything of it is called by users.
 */
export const CORE_BUDGET = 75;

export async function* sizeFigures(): AsyncGenerator<Figure> {
  yield atMost("core entry, bundled and gzipped, kB", await sizeOf("dist/index.js"), CORE_BUDGET);
  yield reported("solve entry, bundled and gzipped, kB", await sizeOf("dist/solve.js"));
}
