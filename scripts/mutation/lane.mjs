// One copy with one test process, in which mutants are tested one after another.

import { Copy } from "./copy.mjs";
import { Runner } from "./runner.mjs";
import { SETTINGS } from "./settings.mjs";

/** Records which test files pass without a mutant; shared by all lanes. */
export class Verified {
  #known = new Map();
  order;

  constructor(order) {
    this.order = order;
  }

  /** Records test files that passed with a mutant, which also pass without any. */
  see(paths) {
    for (const path of paths) this.#known.set(path, true);
  }

  /** Whether a test file passes without a mutant. One that fails proves nothing, and is left out from then on. */
  passes(path, runner) {
    if (!this.#known.has(path)) this.#known.set(path, this.#try(path, runner));
    return this.#known.get(path);
  }

  /** Verifies many test files, first in one run, which usually suffices. */
  async passAll(paths, runner) {
    const tests = paths.map((path) => this.order.find(path));
    await runner.run(tests, []);
  }

  async #try(path, runner) {
    const passes = (await runner.run([this.order.find(path)], [])) === undefined;
    if (!passes) {
      console.log(`left out, as it fails without a mutant: ${path}`);
      this.order.leaveOut(path);
    }
    return passes;
  }
}

export class Lane {
  copy;
  #runner;
  #verified;
  #seconds;

  constructor(original, verified, seconds) {
    this.copy = new Copy(original);
    this.#runner = new Runner(this.copy.folder, (paths) => verified.see(paths));
    this.#verified = verified;
    this.#seconds = seconds;
  }

  async judge(mutant) {
    const begin = performance.now();
    for (;;) {
      const found = await this.#attempt(mutant);
      if (found.verdict !== "killed" || (await this.isFounded(found))) {
        return { ...found, seconds: Math.round((performance.now() - begin) / 1000) };
      }
    }
  }

  /** Records of mutants killed by tests that also fail without a mutant. */
  async unfounded(records) {
    const killed = records.filter(({ verdict }) => verdict === "killed");
    const killers = new Set(
      killed.filter(({ by }) => by !== "hangs").map(({ by }) => by.split(": ")[0]),
    );
    if (killers.size > 0) await this.#verified.passAll([...killers], this.#runner);
    const found = [];
    for (const record of killed) if (!(await this.isFounded(record))) found.push(record);
    return found;
  }

  /** Whether the test that killed a mutant passes without it. */
  async isFounded({ by }) {
    return by === "hangs" || this.#verified.passes(by.split(": ")[0], this.#runner);
  }

  leave() {
    this.#runner.stop();
    this.copy.remove();
  }

  async #attempt(mutant) {
    const changed = this.copy.put(mutant);
    const tests = this.#verified.order.of(mutant.file);
    const found =
      mutant.kind === "kernels"
        ? await this.#searchKernels(mutant, tests)
        : await this.#search(tests, changed);
    this.#runner.forget(this.copy.restore(mutant));
    return found;
  }

  /**
   * The debug modules compile quickly, and their tests kill most mutants. Survivors are compiled as release modules,
   * which also reveals whether the binary differs at all.
   */
  async #searchKernels(mutant, tests) {
    if (!(await this.copy.debug(mutant))) return { verdict: "invalid" };
    const found = await this.#search(
      tests.filter(({ project }) => project === "debug"),
      [],
      this.#seconds / 2,
    );
    if (found.verdict === "killed") return found;
    const changed = await this.copy.ship(mutant);
    if (!changed) return { verdict: "invalid" };
    return this.#search(
      tests.filter(({ project }) => project === "package"),
      changed,
    );
  }

  /** Runs tests in their order, in growing batches, until one fails or the time is over. */
  async #search(tests, changed, most = this.#seconds) {
    const left = [...tests];
    let spent = 0;
    let room = SETTINGS.heap.least;
    let fresh = changed;
    while (left.length > 0 && spent < most) {
      const heap = [left.shift()];
      let [{ seconds }] = heap;
      while (left.length > 0 && seconds + left[0].seconds <= room) {
        seconds += left[0].seconds;
        heap.push(left.shift());
      }
      const before = this.#runner.seconds;
      const by = await this.#runner.run(heap, fresh);
      if (by !== undefined) return { verdict: "killed", by };
      spent += this.#runner.seconds - before;
      fresh = [];
      room = Math.min(2 * room, SETTINGS.heap.most);
    }
    return { verdict: "survived" };
  }
}
