// The command line as users have it: from a packed tarball, in a folder that was empty.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { Project } from "./project.js";

/** What a run of the command left. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** What it reads from standard input. */
  readonly input?: string;
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** In a pseudo-terminal: all is then in `out`. */
  readonly terminal?: boolean;
  /** Called with all that was printed so far, to answer by keys or signals. */
  readonly watch?: (printed: string, process: Answering) => void;
  /** Signals that it gets, after so many milliseconds. */
  readonly signals?: readonly (readonly [after: number, name: NodeJS.Signals])[];
}

interface Answering {
  /** Types something. */
  type(keys: string): void;
  signal(name: NodeJS.Signals): void;
}

export class CommandLine extends Project {
  async installed(): Promise<this> {
    const { tarball } = await this.pack();
    await this.install(tarball);
    return this;
  }

  /** Runs `nodrift` with arguments. */
  nodrift(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const program = join(this.folder, "node_modules/.bin/nodrift");
    if (!options.terminal) return this.#spawn(program, args, options);
    // `script` of util-linux gives a pseudo-terminal, and the exit code of what runs in it.
    const line = [program, ...args].map((word) => `'${word}'`).join(" ");
    return this.#spawn("script", ["-qefc", line, "/dev/null"], options);
  }

  #spawn(program: string, args: readonly string[], options: RunOptions): Promise<Ran> {
    const { input, env = {}, watch, signals = [] } = options;
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: this.folder,
        env: { ...process.env, TERM: "xterm", CI: "", NO_COLOR: "", ...env },
      });
      let [out, err] = ["", ""];
      const answering: Answering = {
        type: (keys) => void child.stdin.write(keys),
        signal: (name) => void child.kill(name),
      };
      const seen = () => watch?.(out + err, answering);
      child.stdout.setEncoding("utf8").on("data", (part: string) => {
        out += part;
        seen();
      });
      child.stderr.setEncoding("utf8").on("data", (part: string) => {
        err += part;
        seen();
      });
      const timers = signals.map(([after, name]) => setTimeout(() => child.kill(name), after));
      child.on("error", reject);
      child.on("close", (code) => {
        timers.forEach(clearTimeout);
        resolve({ code, out, err });
      });
      if (!watch) child.stdin.end(input ?? "");
    });
  }
}
