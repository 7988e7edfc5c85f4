import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Tests import the package by its name and get the sources, by the paths that their types are checked with; the
// kernels come from the debug or the release module, by project.
const { compilerOptions } = JSON.parse(readFileSync("tsconfig.tools.json", "utf8"));
const alias = Object.entries<string[]>(compilerOptions.paths).map(([name, [path]]) => ({
  find: new RegExp(`^${name}$`),
  replacement: resolve(path ?? ""),
}));
// Test files share a worker and what it has imported: with one of its own for each, importing the package was half of
// the work. A file that changes something for all (a spy, a module that was loaded) puts it back. It is said for each
// project: projects do not take it from the settings above them.
const shared = { isolate: false };
const unhurried = { ...shared, testTimeout: 600_000, hookTimeout: 600_000 };
/** Tests of half a minute and more, of what seldom breaks: `npm run test:long`. CI runs them too. */
const LONG = "test/**/*.long.test.ts";
const kernels = (wasm: string) => ({
  resolve: { alias },
  test: {
    ...shared,
    name: wasm,
    include: ["test/kernels/**/*.test.ts", "test/forces/**/*.test.ts", "test/bodies/**/*.test.ts"],
    setupFiles: ["test/support/module.ts"],
    env: { NODRIFT_WASM: wasm },
    // Limits find what hangs, also on a machine with ten times as much to do as it can.
    testTimeout: 600_000,
  },
});

/**
 * Files of more than about half a minute, longest first: one that begins last would run alone while the other cores
 * wait. A fresh clone knows no times, and vitest would go by the length of files. A name that is left out costs time only.
 */
const LONGEST = [
  "solve/solve-conformance",
  "site/pages",
  "mechanisms/conformance",
  "methods/conformance",
  "campaign/commands",
  "mechanisms/random-loops",
  "mechanisms/loop-reference",
  "cli/behaviour",
  "files/untrusted",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return found < 0 ? LONGEST.length : found;
    };
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Of two cores vitest would leave one idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      kernels("debug"),
      kernels("release"),
      {
        resolve: { alias },
        test: {
          ...unhurried,
          name: "package",
          include: ["test/**/*.test.ts"],
          exclude: ["test/kernels/**", "test/forces/**", "test/bodies/**", LONG],
        },
      },
      { resolve: { alias }, test: { ...unhurried, name: "long", include: [LONG] } },
    ],
  },
});
