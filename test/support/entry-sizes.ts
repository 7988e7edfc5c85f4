// Bundled size of each entry point: everything its imports reach, minified with white space, with embedded WebAssembly,
// gzipped. One table: entry points, imported names, budgets.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** One line of the table. */
export interface EntrySize {
  /** Names imported from entry points of the package; "*" for all. */
  readonly imports: Readonly<Record<string, readonly string[] | "*">>;
  /** Budget for the current functionality, kB gzipped. */
  readonly budget: number;
  /** Original target in kB, set when the package had one kind of coordinates. Missed, and kept as a reminder. */
  readonly aim?: number;
}

/**
 * By entry point of package.json. Budgets are current sizes plus 5 %. The first three had other budgets, their `aim`,
 * set before relative coordinates, direct methods, compiled formulas, motors, states, stops and friction.
 * docs/decisions/0021-sizes.md lists the attempts to meet these.
 */
export const entrySizes: Readonly<Record<string, EntrySize>> = {
  ".": { imports: { nodrift: "*" }, budget: 74, aim: 52 },
  "./bodies": { imports: { nodrift: "*", "nodrift/bodies": "*" }, budget: 262, aim: 95 },
  "./solve": {
    imports: { nodrift: "*", "nodrift/bodies": "*", "nodrift/solve": "*" },
    budget: 370,
    aim: 125,
  },
  "./analysis": { imports: { "nodrift/analysis": "*" }, budget: 86 },
  // New: includes `solve`, and the script and style of a report; its size at that time (239), and 5 % more.
  "./compare": { imports: { "nodrift/compare": "*" }, budget: 251 },
  // Uses nodrift/files, with its libraries bundled; the rest is tinypool and the campaigns themselves. Node only.
  "./campaign": { imports: { "nodrift/campaign": "*" }, budget: 433 },
  // Includes batches of steps of compiled equations since then.
  "./formulas": { imports: { "nodrift/formulas": "*" }, budget: 146 },
  // New: pictures, controls, and plots with uPlot; its size at that time, and 5 % more.
  "./draw": { imports: { "nodrift/draw": "*" }, budget: 98 },
  "./files": { imports: { "nodrift/files": "*" }, budget: 400 },
  "./kernels": { imports: { "nodrift/kernels": "*" }, budget: 52 },
  "./mechanisms": { imports: { "nodrift/mechanisms": "*" }, budget: 130 },
  // New: code for pages and for their workers, including model files; their size at that time, and 5 % more.
  "./worker": { imports: { "nodrift/worker": "*" }, budget: 8 },
  "./worker-serve": { imports: { "nodrift/worker-serve": "*" }, budget: 419 },
  // Includes the script and style of its pages.
  "./report": { imports: { "nodrift/report": "*" }, budget: 110 },
  "./reproduce": { imports: { "nodrift/reproduce": "*" }, budget: 411 },
  // Without three, which users install: descriptions of joints and forces, drawings, buttons.
  "./view": { imports: { "nodrift/view": "*" }, budget: 90 },
};

/** A program that users write, and its size in kB gzipped. */
export interface ProgramSize {
  readonly code: string;
  /** Current size plus 5 %. */
  readonly budget: number;
  readonly aim: number;
}

const PENDULUM = `
  import { compile, model, rod } from "nodrift/bodies";
  const m = model();
  const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }) });
  m.revolute({ between: [m.ground, arm], at: [0, 0, 0.5], axis: [0, 1, 0] });
  const system = await compile(m);`;

/** Whole programs: what they load before they move. Code that `compile` loads for other models is not counted. */
export const minimalPrograms: Readonly<Record<string, ProgramSize>> = {
  "compile and simulate a pendulum": {
    code: `${PENDULUM}\nconsole.log(system.simulate({ step: 1e-3 }).advance(9).body("arm").position);`,
    budget: 238,
    aim: 150,
  },
  "compile and solve a pendulum": {
    code: `${PENDULUM}\nimport { solve } from "nodrift/solve";\nconsole.log(solve(system, { span: [0, 1] }).end.q);`,
    budget: 339,
    aim: 215,
  },
  "formulas and solve": {
    code: `import { equations } from "nodrift/formulas";
      import { solve } from "nodrift/solve";
      const spring = equations({ coordinates: ["x"], kinetic: "x'^2 / 2", potential: "x^2 / 2" });
      console.log(solve(spring, { span: [0, 1], q: [1] }).end.q);`,
    budget: 215,
    aim: 150,
  },
};

/**
 * Programs without an entry point: that of `npx nodrift` (the worker that runs its commands), and the script and
 * style of a report.
 */
export const programSizes = {
  "command line": { file: "dist/cli-worker.js", budget: 585 },
  "report page": { file: "src/report/generated-page.ts", budget: 44 },
} as const;

/** Script of a page that imports the names. */
export async function bundleOf(imports: EntrySize["imports"]): Promise<string> {
  const lines = Object.entries(imports).map(([entry, names], i) => {
    const file = `${process.cwd()}/dist/${entry === "nodrift" ? "index" : entry.slice("nodrift/".length)}.js`;
    const what = names === "*" ? `* as e${i}` : `{ ${names.join(", ")} }`;
    const kept = names === "*" ? [`e${i}`] : names;
    return `import ${what} from "${file}"; globalThis.kept${i} = [${kept.join(", ")}];`;
  });
  return bundled("page", lines.join("\n"));
}

/** Script of a program, without code that it loads later. */
export function minimalBundleOf(code: string): Promise<string> {
  const files = code.replaceAll(/"nodrift\/(\w+)"/g, (_, entry) =>
    JSON.stringify(`${process.cwd()}/dist/${entry}.js`),
  );
  return bundled("program", files, false);
}

/** kB of a text, gzipped. */
export function kilobytes(text: string): number {
  return gzipSync(text).length / 1000;
}

/** The program or text of a file, with its imports. */
export async function programOf(file: string): Promise<string> {
  return file.endsWith(".js") ? bundled(file) : readFileSync(file, "utf8");
}

/** `withLater`: with code that dynamic imports load. */
async function bundled(input: string, code?: string, withLater = true): Promise<string> {
  const given = {
    name: "given",
    resolveId: (id: string) => (id === input && code !== undefined ? id : null),
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
  const needed = new Set<string>();
  const add = (name: string) => {
    if (needed.has(name)) return;
    needed.add(name);
    chunks.find(({ fileName }) => fileName === name)?.imports.forEach(add);
  };
  for (const { fileName, isEntry } of chunks) if (isEntry || withLater) add(fileName);
  return chunks.flatMap(({ fileName, code }) => (needed.has(fileName) ? [code] : [])).join("");
}
