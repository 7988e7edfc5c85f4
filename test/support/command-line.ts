// The command line as installed by users: from a packed tarball, in an empty folder.

import { spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Project } from "./project.js";

/** Result of a run of the command. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** Text of standard input. */
  readonly input?: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Run in a pseudo-terminal; all output is then in `out`. */
  readonly terminal?: boolean;
  /** Called with the output so far, to answer by keys or signals. */
  readonly watch?: (printed: string, process: Answering) => void;
  /** Signals sent in quick succession. */
  readonly stop?: {
    readonly by: readonly NodeJS.Signals[];
    /** Polled with the CPU seconds used so far, which do not depend on the load of the machine; true to send the signals. */
    readonly when: (seconds: number) => boolean;
  };
}

/** Polling interval of a command that will be stopped, in milliseconds; the CPU clock has a resolution of ten. */
const POLL_INTERVAL_MS = 40;
const SOON = 10;
const TICKS = 100;

interface Answering {
  /** Types something. */
  type(keys: string): void;
  signal(name: NodeJS.Signals): void;
}

/** CPU seconds of a running process. */
function secondsOf(pid: number): number {
  // The name of the program, in brackets, may have blanks. proc_pid_stat(5): user and system time are fields 14 and 15.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** A project with the package in it, for all test files of this worker: packing takes seconds. */
let template: Promise<Project> | undefined;

async function installedTemplate(): Promise<Project> {
  const project = new Project();
  process.on("exit", () => project.remove());
  const { tarball } = await project.pack();
  await project.unpack(tarball);
  return project;
}

export class CommandLine extends Project {
  /** Copies the files that npm would install. */
  async installed(): Promise<this> {
    template ??= installedTemplate();
    const { folder } = await template;
    for (const name of ["package.json", "node_modules"]) {
      cpSync(join(folder, name), join(this.folder, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
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
    const { input, env = {}, watch, stop } = options;
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
      const poll = setInterval(() => {
        if (child.exitCode !== null || !stop?.when(secondsOf(child.pid as number))) return;
        clearInterval(poll);
        stop.by.forEach((name, i) => void setTimeout(() => child.kill(name), i * SOON));
      }, POLL_INTERVAL_MS);
      child.on("error", reject);
      child.on("close", (code) => {
        clearInterval(poll);
        resolve({ code, out, err });
      });
      if (!watch) child.stdin.end(input ?? "");
    });
  }
}
