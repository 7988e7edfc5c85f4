// The command line as users have it: from a packed tarball, in a folder that was empty.

import { spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
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
  /** Signals that it gets, one soon after the other. */
  readonly stop?: {
    readonly by: readonly NodeJS.Signals[];
    /** Asked again and again whether it is time, with the seconds of CPU time that were used: a busy machine is slow. */
    readonly when: (seconds: number) => boolean;
  };
}

/** Milliseconds between looks at a command that will be stopped; those of the system's clock of CPU time are ten. */
const LOOK = 40;
const SOON = 10;
const TICKS = 100;

interface Answering {
  /** Types something. */
  type(keys: string): void;
  signal(name: NodeJS.Signals): void;
}

/** Seconds of CPU time of a process that runs. */
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
  /** What npm would install, copied as it is. */
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
      const looking = setInterval(() => {
        if (child.exitCode !== null || !stop?.when(secondsOf(child.pid as number))) return;
        clearInterval(looking);
        stop.by.forEach((name, i) => void setTimeout(() => child.kill(name), i * SOON));
      }, LOOK);
      child.on("error", reject);
      child.on("close", (code) => {
        clearInterval(looking);
        resolve({ code, out, err });
      });
      if (!watch) child.stdin.end(input ?? "");
    });
  }
}
