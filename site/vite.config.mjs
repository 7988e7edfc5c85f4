// Builds gallery and playground, with the models and schemas that they fetch. The build passes `outDir`.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, parse, resolve } from "node:path";
import { defineConfig, runnerImport } from "vite";

const root = import.meta.dirname;
const repository = resolve(root, "..");
const { compilerOptions } = JSON.parse(readFileSync(`${repository}/tsconfig.tools.json`, "utf8"));
const alias = Object.entries(compilerOptions.paths).map(([name, [path]]) => ({
  find: new RegExp(`^${name}$`),
  replacement: resolve(repository, path),
}));

alias.push({ find: /^nodrift\/draw\.css$/, replacement: `${repository}/src/draw/draw.css` });

/** Aliases of the built package, for plugins that run during the build. */
const built = [
  { find: /^nodrift$/, replacement: `${repository}/dist/index.js` },
  { find: /^nodrift\/(\w+)$/, replacement: `${repository}/dist/$1.js` },
];

/** Emits model files and schemas under the names that the pages fetch. */
const data = {
  name: "data",
  async generateBundle() {
    const { module } = await runnerImport(`${root}/models/index.ts`, { resolve: { alias: built } });
    for (const [name, make] of Object.entries(module.models)) {
      const source = module.textOf(make());
      this.emitFile({ type: "asset", fileName: `models/${name}.json`, source });
    }
    const folder = `${repository}/examples`;
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
      const source = readFileSync(`${folder}/${file}`);
      this.emitFile({ type: "asset", fileName: `models/${file}`, source });
    }
    for (const fileName of ["model-1.schema.json", "equations-1.schema.json"]) {
      const source = readFileSync(`${repository}/dist/${fileName}`);
      this.emitFile({ type: "asset", fileName, source });
    }
  },
};

/**
 * Makes worker programs entries of the same build, so that pages and workers share files: by default Vite gives each
 * worker its own copy of the package. In the package, the worker program of live models lies in the folder of the module
 * that starts it; in the sources it does not.
 */
const workers = {
  name: "workers",
  enforce: "pre",
  transform(code, id) {
    const moved = id.endsWith("/worker/client/worker-handle.ts")
      ? code.replace('"./worker-thread.js"', '"../thread/worker-thread.ts"')
      : code;
    if (!moved.includes("new Worker(new URL(")) return undefined;
    return moved.replaceAll(/new URL\("([^"]+)", import\.meta\.url\)/g, (text, path) => {
      const file = resolve(dirname(id), path);
      // Examples in comments name files that do not exist.
      if (!existsSync(file)) return text;
      const reference = this.emitFile({ type: "chunk", id: file, name: parse(file).name });
      return `import.meta.ROLLUP_FILE_URL_${reference}`;
    });
  },
};

/**
 * Emits rarely needed modules as separate files: kernels of implicit methods, and elementary functions of formulas. They
 * are needed in the middle of a step, which cannot wait, so workers load them synchronously. Browsers warn of that in pages.
 */
const lateKernels = {
  name: "late-kernels",
  resolveId: (id) => (id === "virtual:text-at" ? id : null),
  load: (id) => (id === "virtual:text-at" ? TEXT_AT : null),
  transform(code, id) {
    if (!LATE.some((name) => id.endsWith(`/base/wasm/${name}.ts`))) return undefined;
    const [whole, text] = /text: \(\) =>\s*("(?:[^"\\]|\\.)*")/.exec(code);
    const name = `${parse(id).name}.txt`;
    const asset = this.emitFile({ type: "asset", name, source: JSON.parse(text) });
    const late = `text: () => textAt(import.meta.ROLLUP_FILE_URL_${asset})`;
    return `import { textAt } from "virtual:text-at";\n${code.replace(whole, () => late)}`;
  },
};
const LATE = ["generated-stiff", "generated-elementary"];
const TEXT_AT = `export function textAt(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.send();
  if (request.status !== 200) throw new Error(address + ": the server answered " + request.status);
  return request.responseText;
}`;

/** Removes links to the documentation from builds without it. */
const withoutDocs = {
  name: "without-docs",
  transformIndexHtml: (html) => html.replaceAll(/\s*<a class="docs-link"[^\n]*/g, ""),
};

/** `--mode site` includes the documentation, whose pages are made from a template. */
export default defineConfig(({ mode }) => ({
  root,
  base: "./",
  publicDir: false,
  logLevel: "warn",
  resolve: { alias },
  plugins: [data, workers, lateKernels, ...(mode === "site" ? [] : [withoutDocs])],
  build: {
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    // Preload only from pages: scripts may import in workers, which have no document.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, found, { hostType }) => (hostType === "html" ? found : []),
    },
    chunkSizeWarningLimit: 2000,
    emptyOutDir: true,
    // Include the licences of bundled libraries.
    license: { fileName: "THIRD-PARTY.md" },
    rolldownOptions: {
      input: {
        index: `${root}/index.html`,
        play: `${root}/play.html`,
        ...(mode === "site" && { docs: `${root}/docs/template.html` }),
      },
    },
  },
}));
