// What each entry weighs for those who bundle it: everything that its imports reach, minified with white space, WebAssembly
// inside as it is embedded, gzipped. One table: entries, what is imported, budgets.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** One line of the table. */
export interface EntrySize {
  /** Names imported from entries of the package; "*" for all of them. */
  readonly imports: Readonly<Record<string, readonly string[] | "*">>;
  /** kB, gzipped: what it may weigh with what it does today. */
  readonly budget: number;
  /** kB that were aimed at when the package had one kind of coordinates. Missed, and kept so that nobody forgets. */
  readonly aim?: number;
}

/**
 * By the entry of package.json. Budgets are what an entry weighs with what it does today, and 5 % more. The first three had others, their `aim`:
 * relative coordinates, direct methods, formulas that compile, motors, states, stops and friction came after these. docs/decisions/0021-sizes.md
 * says what was tried to get back to them.
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
  // New: `solve`, and the script and style of a report, inside; what it weighed then (239), and 5 % more.
  "./compare": { imports: { "nodrift/compare": "*" }, budget: 251 },
  // Stands on nodrift/files, with its libraries inside; the rest is tinypool and the campaigns themselves. For Node only.
  "./campaign": { imports: { "nodrift/campaign": "*" }, budget: 433 },
  // With steps of compiled equations in one call since.
  "./formulas": { imports: { "nodrift/formulas": "*" }, budget: 146 },
  "./files": { imports: { "nodrift/files": "*" }, budget: 400 },
  "./kernels": { imports: { "nodrift/kernels": "*" }, budget: 52 },
  "./mechanisms": { imports: { "nodrift/mechanisms": "*" }, budget: 130 },
  // New: what pages load, and what runs in their workers, with model files inside; what they weighed then, and 5 % more.
  "./worker": { imports: { "nodrift/worker": "*" }, budget: 8 },
  "./worker-serve": { imports: { "nodrift/worker-serve": "*" }, budget: 419 },
  // With the script and the style of its pages inside.
  "./report": { imports: { "nodrift/report": "*" }, budget: 110 },
  "./reproduce": { imports: { "nodrift/reproduce": "*" }, budget: 411 },
  // Without three, which is the user's: the descriptions of joints and forces, drawings, buttons.
  "./view": { imports: { "nodrift/view": "*" }, budget: 90 },
};

/** What has no entry: the program behind `npx nodrift` (the worker that runs its commands), and the script and style of a report. */
export const programSizes = {
  "command line": { file: "dist/cli-worker.js", budget: 585 },
  "report page": { file: "src/tools/report/generated-page.ts", budget: 44 },
} as const;

/** The script of a page that imports them. */
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

/** The program or text of a file, with all it loads. */
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
    // Optional libraries are of the user's choice and weight.
    external: [/^node:/, /^three(\/|$)/],
    plugins: [given],
    logLevel: "silent",
  });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  return output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
}
