import { fileURLToPath } from "node:url";

// Few files: each one that is imported costs Node a millisecond or two, and a page a request. The kernels,
// their memory and their loading are one file, which all else imports; what the other entries share is
// another. Nobody loads an entry who does not ask for it.

const KERNELS = /(assembly\/layout(?!-stiff)|src\/(errors|kernels|tolerance|memory\/(?!record)|sparse\/|wasm\/(?!generated-bodies|bodies|generated-stiff|stiff)))/;

// Descriptions of mechanisms: what ready models and the compiler share, and nobody else wants.
const MODEL = /src\/(model|joints|forces)\/|src\/bodies\/model\./;

// Plain differential equations: what ready ones and `solve` share, and nobody else wants. They come last, so that what
// they are made of stays where all find it.
const ODE = /src\/ode\/(?!first-order)/;
const NOT_ODE = /^(?!.*src\/ode\/(?!first-order))/;

const entries = {
  index: "src/index.ts",
  analysis: "src/analysis/index.ts",
  bodies: "src/bodies/index.ts",
  kernels: "src/kernels.ts",
  mechanisms: "src/mechanisms/index.ts",
  solve: "src/solve/index.ts",
};

const library = {
  input: entries,
  external: ["@assemblyscript/loader"],
  preserveEntrySignatures: "allow-extension",
  output: {
    dir: "dist",
    format: "esm",
    chunkFileNames: "[name].js",
    codeSplitting: {
      groups: [
        { name: "kernels", test: KERNELS, priority: 2 },
        { name: "model", test: MODEL, priority: 2 },
        { name: "shared", test: NOT_ODE, minShareCount: 2, priority: 1 },
        { name: "ode", test: ODE, priority: 0 },
      ],
    },
  },
};

// What stands on the entries and is no part of any: a build of its own, so that it does not change what the entries share.
const above = {
  input: {
    reproduce: "src/reproduce/index.ts",
  },
  plugins: [besideEntries()],
  output: {
    dir: "dist",
    format: "esm",
    chunkFileNames: "above-[name].js",
  },
};

/** Imports of an entry stay imports of the file that the other build makes of it, which lies beside. */
function besideEntries() {
  const files = new Map(
    Object.entries(entries).map(([name, path]) => [fileURLToPath(new URL(path, import.meta.url)), name]),
  );
  return {
    name: "beside-entries",
    async resolveId(source, importer, options) {
      if (importer === undefined) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      const name = files.get(resolved?.id);
      return name === undefined ? resolved : { id: `./${name}.js`, external: true };
    },
  };
}

export default [library, above];
