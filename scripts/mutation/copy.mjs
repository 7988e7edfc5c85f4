// Copies of the repository: the original for comparison, and copies in which one file at a time is changed.

import { execFile } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import asc from "assemblyscript/asc";
import { closureOf } from "../imports.mjs";
import { filesBelow } from "../stamps.mjs";
import { apply } from "./operators.mjs";

const GENERATED = /^src\/base\/wasm\/generated[^/]*\.ts$/;
const LEFT_BEHIND = [".git", "node_modules", "results", "coverage"];
const run = promisify(execFile);

const newFolder = () => mkdtempSync(join(tmpdir(), "nodrift-mutants-"));

/**
 * The repository without a mutant. Release modules are built with little optimisation: that takes half the time, and
 * their results have the same bits.
 */
export class Original {
  folder = newFolder();
  modules;

  constructor() {
    for (const name of readdirSync(".")) {
      if (!LEFT_BEHIND.includes(name)) cpSync(name, join(this.folder, name), { recursive: true });
    }
    symlinkSync(join(process.cwd(), "node_modules"), join(this.folder, "node_modules"));
    const config = JSON.parse(readFileSync("asconfig.json", "utf8"));
    this.modules = Object.entries(config.targets).map(([target, options]) => {
      const entry = `assembly/${target.replace(/-?(debug|release)$/, "") || "index"}.ts`;
      if (target.endsWith("release")) Object.assign(options, { optimizeLevel: 1, converge: false });
      return { target, outFile: options.outFile, entry, files: closureOf([entry]) };
    });
    writeFileSync(join(this.folder, "asconfig.json"), JSON.stringify(config));
  }

  /** Builds all release modules. */
  async build() {
    for (const module of this.modules) {
      if (module.target.endsWith("release")) await compile(this.folder, module);
    }
    await run("node", ["assembly/inline.mjs"], { cwd: this.folder });
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let compiling = Promise.resolve();

/** Compiles in this process, one after another: the compiler is several times as fast when it is warm. */
function compile(folder, { entry, target }) {
  const main = async () => {
    const { error } = await asc.main([entry, "--target", target, "--baseDir", folder]);
    if (error) throw error;
  };
  const done = compiling.then(main);
  compiling = done.catch(() => {});
  return done;
}

export class Copy {
  folder = newFolder();
  #original;

  constructor(original) {
    this.#original = original;
    cpSync(original.folder, this.folder, { recursive: true, verbatimSymlinks: true });
  }

  path(name) {
    return join(this.folder, name);
  }

  /** Applies a mutant to its file and returns the path. */
  put(mutant) {
    const { file } = mutant;
    writeFileSync(this.path(file), apply(readFileSync(file, "utf8"), mutant));
    return [this.path(file)];
  }

  /** Rebuilds the debug modules that contain a file; returns false if it does not compile. */
  async debug({ file }) {
    return this.#compile(file, ({ target }) => target.endsWith("debug"));
  }

  /**
   * Rebuilds the release modules and copies them into the package; returns the paths, or undefined if nothing
   * has changed or it does not compile. The kernels module for users is the largest, and few tests of the package
   * use it: it is built only if the others are unchanged.
   */
  async ship({ file }) {
    const isForUsers = ({ target }) => target === "kernels-release";
    const isShipped = ({ target }) => target.endsWith("release");
    const isSame = ({ outFile }) =>
      readFileSync(this.path(outFile)).equals(readFileSync(join(this.#original.folder, outFile)));
    const shipped = this.#original.modules.filter(isShipped);
    if (!(await this.#compile(file, (module) => isShipped(module) && !isForUsers(module)))) return;
    if (shipped.every(isSame)) {
      await this.#compile(file, isForUsers);
      if (shipped.every(isSame)) return;
    }
    await run("node", ["assembly/inline.mjs"], { cwd: this.folder });
    return filesBelow("src/base/wasm", GENERATED).map((name) => this.path(name));
  }

  async #compile(file, isWanted) {
    try {
      for (const module of this.#original.modules) {
        if (isWanted(module) && module.files.includes(file)) await compile(this.folder, module);
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Reverts a mutant and returns the changed paths. */
  restore({ file, kind }) {
    const made = this.#original.modules.map(({ outFile }) => outFile);
    const files =
      kind === "kernels" ? [file, ...made, ...filesBelow("src/base/wasm", GENERATED)] : [file];
    for (const name of files) cpSync(join(this.#original.folder, name), this.path(name));
    return files.map((name) => this.path(name));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
