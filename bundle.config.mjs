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

export default {
  input: {
    index: "src/index.ts",
    analysis: "src/analysis/index.ts",
    bodies: "src/bodies/index.ts",
    kernels: "src/kernels.ts",
    mechanisms: "src/mechanisms/index.ts",
    solve: "src/solve/index.ts",
  },
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
