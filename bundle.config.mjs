// One file for the core: importing it takes a third of the time of importing its parts, and a page without
// a bundler makes few requests instead of many. The other entries share what they have in common with it, and
// nobody loads them who does not ask for them.

export default {
  input: {
    index: "src/index.ts",
    analysis: "src/analysis/index.ts",
    kernels: "src/kernels.ts",
    mechanisms: "src/mechanisms/index.ts",
  },
  external: ["@assemblyscript/loader"],
  output: {
    dir: "dist",
    format: "esm",
    chunkFileNames: "[name].js",
    advancedChunks: { groups: [{ name: "shared", minShareCount: 2 }] },
  },
};
