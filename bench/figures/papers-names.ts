// Methods by name: on six trees, in code, in files, at the command line, and in the playground.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "nodrift/bodies";
import { type ComparedRun, compare } from "nodrift/compare";
import { readModel, writeModel } from "nodrift/files";
import { parseMethod, solve } from "nodrift/solve";
import { randomTree } from "../../test/support/random-mechanisms.js";
import { atMost, type Figure, reported } from "./figure.js";

const STEP = 0.002;
const END = 1;
/** The drift that the theory of each method allows, compared with the drift without stabilisation. */
const METHODS = [
  { name: "lagrange + none + rk4", keeps: (drift: number, free: number) => drift === free },
  { name: "baumgarte(10, 10) + rk4", keeps: (drift: number) => drift > 0 },
  { name: "driftElimination + rk4", keeps: (drift: number, free: number) => drift < free },
  { name: "projection + rk4", keeps: (drift: number) => drift < 1e-10 },
] as const;
const SEEDS = [1, 2, 3, 4, 5, 6];

export async function* paperNameFigures(): AsyncGenerator<Figure> {
  let [wrong, free] = [0, 0];
  const span = [0, END] as const;
  const judge = (name: string, rows: number, drift: number) => {
    const { keeps } = METHODS.find((one) => one.name === name)!;
    if (!(rows > 0 && keeps(drift, free))) wrong++;
  };
  for (const seed of SEEDS) {
    const { model } = randomTree(seed);
    const system = await compile(model);
    const text = JSON.parse(writeModel(model)) as object;
    for (const { name } of METHODS) {
      const { statistics } = solve(system, { span, step: STEP, ...parseMethod(name) });
      if (name.includes("none")) free = statistics.maximumDrift.position;
      judge(name, statistics.rows, statistics.maximumDrift.position);
      const file = readModel(
        JSON.stringify({ ...text, solve: { span, step: STEP, method: name } }),
      );
      const compiled = await file.compile();
      const inFile = solve(compiled, file.solveOptions(compiled));
      judge(name, inFile.statistics.rows, inFile.statistics.maximumDrift.position);
    }
    const methods = METHODS.map(({ name }) => name);
    const { runs } = await compare(system, { span, methods, steps: [STEP] });
    for (const { asked, rows, drift } of runs) judge(asked, rows, drift);
    for (const { asked, rows, drift } of atCommandLine(text, methods)) judge(asked, rows, drift);
  }
  yield atMost(
    "named methods on six trees, in code, file, and at the command line: not as their theory says",
    wrong,
    0,
  );
  yield reported("the same: methods and trees looked at", SEEDS.length * METHODS.length * 4);
}

type Run = Pick<ComparedRun, "asked" | "rows" | "drift">;

/** Output of `nodrift compare`, which the playground shows too. */
function atCommandLine(model: object, methods: readonly string[]): readonly Run[] {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-"));
  try {
    const path = join(folder, "tree.json");
    writeFileSync(path, JSON.stringify({ ...model, solve: { span: [0, END] } }));
    const options = ["--methods", methods.join(), `--steps=${STEP}`, "--json", "--quiet"];
    const args = ["dist/cli.js", "compare", path, ...options, "--out", join(folder, "page.html")];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (stdout === "") throw new Error(stderr);
    return (JSON.parse(stdout) as { readonly runs: readonly Run[] }).runs;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
