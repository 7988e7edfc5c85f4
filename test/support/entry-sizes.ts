// Sizes of programs that use the package, bundled, minified and gzipped with the embedded WebAssembly. One table: whole
// programs, entry points with all their names, and programs of the package.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** One line of the table. */
interface ProgramSize {
  /** Text of the program. It is run: what counts is what it has loaded when it ends. */
  readonly program?: string;
  /** A script of the package, with all it can load, or a text. Without either: the entry point with all its names. */
  readonly file?: string;
  /** Current size plus 5 %, kB gzipped. */
  readonly budget: number;
  /** Missed targets, kept as a reminder. docs/decisions/0021-sizes.md lists the attempts to meet these. */
  readonly aim?: number;
}

const PENDULUM = `
  const m = model();
  const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }) });
  m.revolute({ between: [m.ground, arm], at: [0, 0, 0.5], axis: [0, 1, 0] });
  const system = await compile(m);`;

/** By what they do or, for entry points with all their names, by entry point. */
export const sizes: Readonly<Record<string, ProgramSize>> = {
  "compile and simulate a pendulum": {
    program: `import { compile, model, rod } from "nodrift"; ${PENDULUM}
      console.log(system.simulate({ step: 1e-3 }).advance(9).body("arm").position);`,
    budget: 201,
    aim: 150,
  },
  "compile and solve a pendulum": {
    program: `import { compile, model, rod, solve } from "nodrift"; ${PENDULUM}
      console.log(solve(system, { span: [0, 1] }).end.q);`,
    budget: 307,
    aim: 215,
  },
  "formulas and solve": {
    program: `import { solve } from "nodrift";
      import { equations } from "nodrift/formulas";
      const spring = equations({ coordinates: ["x"], kinetic: "x'^2 / 2", potential: "x^2 / 2" });
      console.log(solve(spring, { span: [0, 1], q: [1] }).end.q);`,
    budget: 219,
    aim: 150,
  },
  nodrift: { budget: 420 },
  "nodrift/analysis": { budget: 82 },
  // With the kernel of pairs of instances.
  "nodrift/batch": { budget: 160 },
  "nodrift/bodies": { budget: 228 },
  // Node only, with the libraries of nodrift/files and tinypool.
  "nodrift/campaign": { budget: 456 },
  "nodrift/compare": { budget: 247 },
  // Pictures, controls, and plots with uPlot.
  "nodrift/draw": { budget: 54 },
  "nodrift/files": { budget: 438 },
  "nodrift/formulas": { budget: 146 },
  "nodrift/kernels": { budget: 57 },
  "nodrift/mechanisms": { budget: 128 },
  // With the script and style of its pages.
  "nodrift/report": { budget: 66 },
  "nodrift/reproduce": { budget: 431 },
  "nodrift/solve": { budget: 206 },
  // Without three, which users install.
  "nodrift/view": { budget: 46 },
  "nodrift/worker": { budget: 9 },
  "nodrift/worker-serve": { budget: 443 },
  // The worker that runs the commands of `npx nodrift`.
  "command line": { file: "dist/cli-worker.js", budget: 661 },
  "report page": { file: "src/report/generated-page.ts", budget: 44 },
};

/** Size of a line of the table, kB gzipped. */
export async function sizeOf(name: string): Promise<number> {
  const { program, file } = sizes[name]!;
  if (program !== undefined) return kilobytes(await loadedBy(program));
  if (file === undefined) return kilobytes(await bundleOf(name));
  return kilobytes(file.endsWith(".js") ? textOf(await bundled(file)) : readFileSync(file, "utf8"));
}

/** Script of a page that imports all names of an entry point. */
export async function bundleOf(entry: string): Promise<string> {
  return textOf(
    await bundled("page", `import * as all from "${entry}"; globalThis.all = { ...all };`),
  );
}

/** Bundles a program, runs it and returns the scripts that it has loaded: V8 lists them with its coverage. */
async function loadedBy(program: string): Promise<string> {
  const chunks = await bundled("program", program);
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync("build/program-");
  try {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    for (const [name, code] of chunks) writeFileSync(join(folder, name), code);
    const env = { ...process.env, NODE_V8_COVERAGE: join(folder, "coverage") };
    await promisify(execFile)(process.execPath, [join(folder, "program.js")], { env });
    const [report] = readdirSync(env.NODE_V8_COVERAGE);
    const { result } = JSON.parse(readFileSync(join(env.NODE_V8_COVERAGE, report!), "utf8")) as {
      result: readonly { readonly url: string }[];
    };
    const loaded = new Set(result.map(({ url }) => basename(url)));
    return textOf(new Map([...chunks].filter(([name]) => loaded.has(name))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const kilobytes = (text: string) => gzipSync(text).length / 1000;

const textOf = (chunks: ReadonlyMap<string, string>) => [...chunks.values()].join("");

/** Returns the scripts of a bundle by name: of a file, or of a program that imports entry points of the package. */
async function bundled(input: string, code?: string): Promise<ReadonlyMap<string, string>> {
  const given = {
    name: "given",
    resolveId(id: string) {
      if (id === input && code !== undefined) return id;
      const [, entry] = /^nodrift(?:\/(.*))?$/.exec(id) ?? [undefined, undefined];
      return id.startsWith("nodrift") ? `${process.cwd()}/dist/${entry ?? "index"}.js` : null;
    },
    load: (id: string) => (id === input && code !== undefined ? code : null),
  };
  const build = await rolldown({
    input,
    // Optional libraries are chosen by users and not counted.
    external: [/^node:/, /^three(\/|$)/],
    plugins: [given],
    logLevel: "silent",
  });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const chunks = output.filter((chunk) => chunk.type === "chunk");
  return new Map(chunks.map(({ fileName, code: text }) => [fileName, text]));
}
