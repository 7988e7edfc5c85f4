// A copy of the repository in which one file at a time is changed.

import { execFileSync } from "node:child_process";
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
import { closureOf } from "../imports.mjs";
import { filesBelow } from "../stamps.mjs";
import { apply } from "./operators.mjs";

const GENERATED = /^src\/ground\/wasm\/generated[^/]*\.ts$/;

export class Copy {
  folder = mkdtempSync(join(tmpdir(), "nodrift-mutants-"));
  #modules;

  constructor() {
    for (const name of readdirSync(".")) {
      if ([".git", "node_modules", "results", "coverage"].includes(name)) continue;
      cpSync(name, join(this.folder, name), { recursive: true });
    }
    symlinkSync(join(process.cwd(), "node_modules"), join(this.folder, "node_modules"));
    const { targets } = JSON.parse(readFileSync("asconfig.json", "utf8"));
    this.#modules = Object.entries(targets).map(([target, { outFile }]) => {
      const entry = `assembly/${target.replace(/-?(debug|release)$/, "") || "index"}.ts`;
      return { target, outFile, entry, files: closureOf([entry]) };
    });
  }

  path(name) {
    return join(this.folder, name);
  }

  /** Changes a file; gives its path. */
  put(mutant) {
    const { file } = mutant;
    writeFileSync(this.path(file), apply(readFileSync(file, "utf8"), mutant));
    return [this.path(file)];
  }

  /** Makes the modules of a file again, those for debugging or those to be shipped; false where it does not compile. */
  compile({ file }, kind) {
    try {
      for (const { target, entry, files } of this.#modules) {
        if (target.endsWith(kind) && files.includes(file))
          this.#run("node_modules/.bin/asc", entry, "--target", target);
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Puts the modules to be shipped into the package; gives the paths, or undefined where all are what they were. */
  inline() {
    const shipped = this.#modules.filter(({ target }) => target.endsWith("release"));
    const isSame = ({ outFile }) => readFileSync(this.path(outFile)).equals(readFileSync(outFile));
    if (shipped.every(isSame)) return undefined;
    this.#run("node", "assembly/inline.mjs");
    return filesBelow("src/ground/wasm", GENERATED).map((name) => this.path(name));
  }

  #run(command, ...args) {
    execFileSync(command, args, { cwd: this.folder, stdio: "ignore" });
  }

  /** Puts back what the mutant changed; gives the paths. */
  restore({ file, kind }) {
    const made = this.#modules.map(({ outFile }) => outFile);
    const files =
      kind === "kernels" ? [file, ...made, ...filesBelow("src/ground/wasm", GENERATED)] : [file];
    for (const name of files) cpSync(name, this.path(name));
    return files.map((name) => this.path(name));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
