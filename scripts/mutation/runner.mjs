// Client of the process that runs tests; starts another one if that hangs.

import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SETTINGS } from "./settings.mjs";

/** CPU seconds within which the process is ready. */
const START = 60;
/** Clock ticks per second in Linux process statistics. */
const TICKS = 100;

/** CPU time of a process and its threads: fields 14 and 15 of proc(5), after the name in brackets. */
function processorSeconds(id) {
  try {
    const [user, system] = readFileSync(`/proc/${id}/stat`, "utf8")
      .split(") ")
      .at(-1)
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) / TICKS;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const WORKER = fileURLToPath(new URL("worker.mjs", import.meta.url));

export class Runner {
  #folder;
  #worker;
  /** Files reverted since the last run. */
  #stale = [];
  #seePassed;

  /** `seePassed` is called with the test files that passed. */
  constructor(folder, seePassed) {
    this.#folder = folder;
    this.#seePassed = seePassed;
  }

  /**
   * Returns the first failure, undefined if there is none, or "hangs". Seconds are CPU time: on a busy machine
   * tests that are only slow must not look like tests that never end.
   */
  async run(tests, changed) {
    const { least, times } = SETTINGS.hang;
    const seconds = tests.reduce((sum, test) => sum + times * test.seconds, least);
    this.#worker ??= await this.#begin();
    this.#worker.send({ tests, changed: [...this.#stale, ...changed] });
    this.#stale = [];
    const answer = await this.#answer(seconds);
    if (answer) {
      this.#seePassed(answer.passed);
      return answer.failed;
    }
    this.stop();
    return "hangs";
  }

  /** CPU seconds that the process has used. */
  get seconds() {
    return this.#worker === undefined ? 0 : processorSeconds(this.#worker.pid);
  }

  /** Files to be read again before the next run. */
  forget(paths) {
    this.#stale.push(...paths);
  }

  async #begin() {
    // A separate process group: its threads and programs end with it.
    this.#worker = fork(WORKER, {
      cwd: this.#folder,
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    if (!(await this.#answer(START))?.ready)
      throw new Error("the process of the tests did not start");
    return this.#worker;
  }

  /** Waits for the next message; undefined if the process ends, or uses this much CPU time without one. */
  #answer(seconds) {
    const most = this.seconds + seconds;
    return new Promise((resolve) => {
      const done = (message) => {
        clearInterval(timer);
        this.#worker.off("message", done).off("exit", done);
        resolve(typeof message === "object" && message ? message : undefined);
      };
      const timer = setInterval(() => {
        if (this.seconds > most) done();
      }, 1000);
      this.#worker.on("message", done).on("exit", done);
    });
  }

  stop() {
    if (this.#worker === undefined) return;
    try {
      process.kill(-this.#worker.pid, "SIGKILL");
    } catch {
      // It has ended on its own.
    }
    this.#worker = undefined;
  }
}
