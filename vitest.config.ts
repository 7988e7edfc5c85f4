import { defineConfig } from "vitest/config";

// Tests import the package by its name and get the sources; the kernels come from the debug or the
// release module, by project.
const alias = { nodrift: new URL("./src/index.ts", import.meta.url).pathname };
const kernels = (wasm: string) => ({
  resolve: { alias },
  test: {
    name: wasm,
    include: ["test/kernels/**/*.test.ts"],
    setupFiles: ["test/support/module.ts"],
    env: { NODRIFT_WASM: wasm },
    testTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    projects: [
      kernels("debug"),
      kernels("release"),
      {
        resolve: { alias },
        test: {
          name: "package",
          include: ["test/**/*.test.ts"],
          exclude: ["test/kernels/**"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
