import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Tests import the package by its name and get the sources; the kernels come from the debug or the
// release module, by project.
const source = (path: string) => new URL(path, import.meta.url).pathname;
const alias = {
  "nodrift/analysis": source("./src/tools/analysis/index.ts"),
  "nodrift/bodies": source("./src/bodies.ts"),
  "nodrift/files": source("./src/tools/files/index.ts"),
  "nodrift/kernels": source("./src/kernels.ts"),
  "nodrift/mechanisms": source("./src/tools/mechanisms/index.ts"),
  "nodrift/reproduce": source("./src/tools/reproduce/index.ts"),
  "nodrift/solve": source("./src/solve.ts"),
  nodrift: source("./src/index.ts"),
};
const kernels = (wasm: string) => ({
  resolve: { alias },
  test: {
    name: wasm,
    include: [
      "test/kernels/**/*.test.ts",
      "test/bodies-forces/**/*.test.ts",
      "test/bodies-kernels/**/*.test.ts",
    ],
    setupFiles: ["test/support/module.ts"],
    env: { NODRIFT_WASM: wasm },
    testTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // Of two cores vitest would leave one idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      kernels("debug"),
      kernels("release"),
      {
        resolve: { alias },
        test: {
          name: "package",
          include: ["test/**/*.test.ts"],
          exclude: ["test/kernels/**", "test/bodies-forces/**", "test/bodies-kernels/**"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
