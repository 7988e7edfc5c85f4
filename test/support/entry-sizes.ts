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

/** kB of a text, gzipped. */
export function kilobytes(text: string): number {
  return gzipSync(text).length / 1000;
}

/** The program or text of a file, with its imports. */
export async function programOf(file: string): Promise<string> {
  return file.endsWith(".js") ? bundled(file) : readFileSync(file, "utf8");
}

async function bundled(input: string, code?: string): Promise<string> {
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
  return output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
}
