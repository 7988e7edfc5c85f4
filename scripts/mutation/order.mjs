// Order of tests for a mutant: first those that mention exports of its file, or of files that import it.

import { existsSync, readFileSync } from "node:fs";
import { importsOf } from "../imports.mjs";
import { filesBelow } from "../stamps.mjs";
import { BLIND } from "./settings.mjs";

const KERNEL_TESTS = /^test\/(kernels|bodies|forces)\//;
/** Written by `npm test`. */
const SECONDS = "build/test-seconds.json";
const USUAL_SECONDS = 3;
/** Maximum distance from a file to its importers, in imports. */
const REACH = 4;

export class TestOrder {
  #names;
  #first;
  #tests;
  #seconds;
  #importers = new Map();
  /** Number of mutants of a file or a folder that a test has killed. */
  #kills = new Map();

  /** `first` are test files that come before all others. */
  constructor(first) {
    this.#first = new Set(first);
    const { paths } = JSON.parse(readFileSync("tsconfig.tools.json", "utf8")).compilerOptions;
    this.#names = new Map(Object.entries(paths).map(([name, [path]]) => [name, path.slice(2)]));
    this.#seconds = existsSync(SECONDS) ? JSON.parse(readFileSync(SECONDS, "utf8")) : {};
    this.#tests = filesBelow("test", /\.test\.ts$/)
      .filter((path) => !BLIND.test(path))
      .map((path) => ({ path, words: wordsOf(path) }));
    for (const file of ["src", "assembly"].flatMap((folder) => filesBelow(folder, /\.ts$/))) {
      for (const target of importsOf(file, this.#names)) {
        this.#importers.set(target, [...(this.#importers.get(target) ?? []), file]);
      }
    }
  }

  /** A test file, with its project and the time it takes. */
  find(path) {
    const seconds = this.#seconds[path] ?? USUAL_SECONDS;
    if (path.endsWith(".long.test.ts")) return { path, seconds, project: "long" };
    return { path, seconds, project: KERNEL_TESTS.test(path) ? "debug" : "package" };
  }

  leaveOut(path) {
    this.#tests = this.#tests.filter((test) => test.path !== path);
  }

  /** Records a kill: the test likely kills other mutants of the same file and folder. */
  learn({ file, verdict, by }) {
    if (verdict !== "killed" || by === "hangs") return;
    const [path] = by.split(": ");
    for (const place of [file, folderOf(file)]) {
      const key = `${place} ${path}`;
      this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1);
    }
  }

  /** Test files, likeliest and cheapest first, each with its project. */
  of(file) {
    const weights = this.#weights(file);
    return this.#tests
      .map(({ path, words }) => {
        const test = this.find(path);
        let mentions = 0;
        for (const [word, weight] of weights) mentions += words.has(word) ? weight : 0;
        const general = /conformance|pairs|joints|formulations|embedded|rows/.test(path) ? 0.05 : 0;
        const kills = (place) => this.#kills.get(`${place} ${path}`) ?? 0;
        const learnt = kills(file) + kills(folderOf(file)) / 4;
        const score = (mentions + learnt + general) / (1 + test.seconds);
        return { ...test, score: score + (this.#first.has(path) ? 1000 : 0) };
      })
      .sort((a, b) => b.score - a.score || a.seconds - b.seconds);
  }

  /** Words that tests of a file use: its exports, and with less weight those of its importers. */
  #weights(file) {
    const weights = new Map();
    let level = [file];
    const seen = new Set(level);
    for (let steps = 0; steps < REACH && level.length > 0; steps++) {
      for (const each of level) {
        const base = each.split("/").at(-1).replace(".ts", "");
        for (const word of [base, ...exportsOf(each)]) {
          if (!weights.has(word)) weights.set(word, 8 ** -steps);
        }
      }
      level = level
        .flatMap((each) => this.#importers.get(each) ?? [])
        .filter((each) => !seen.has(each) && seen.add(each));
    }
    return weights;
  }
}

const folderOf = (file) => file.slice(0, file.lastIndexOf("/"));

const exportsOf = (file) =>
  [
    ...readFileSync(file, "utf8").matchAll(
      /^export (?:abstract )?(?:function|class|const) (\w+)/gm,
    ),
  ].map(([, name]) => name);

function wordsOf(path) {
  const base = path.split("/").at(-1).replace(".test.ts", "");
  return new Set([
    base,
    ...readFileSync(path, "utf8").split(/[^\w-]+/),
    ...readFileSync(path, "utf8").split(/\W+/),
  ]);
}
