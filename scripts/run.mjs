// Starting programs of the repository, from its top.

import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Changes to the top of the repository, and adds the programs that npm installed there to the PATH. */
export function enterRepository() {
  process.chdir(fileURLToPath(new URL("..", import.meta.url)));
  process.env.PATH = [join(process.cwd(), "node_modules/.bin"), process.env.PATH].join(delimiter);
}

/** A program that ended with another status than 0. */
export class ProgramFailure extends Error {
  constructor(line, status, output) {
    super(`${line} ended with status ${status}`);
    this.output = output;
  }
}

/** Runs a program to its end and returns its output. */
export function run(command, ...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { shell: process.platform === "win32" });
    let printed = "";
    let complaints = "";
    child.stdout.on("data", (part) => {
      printed += part;
    });
    child.stderr.on("data", (part) => {
      complaints += part;
    });
    child.on("error", reject);
    child.on("close", (status) => {
      if (status === 0) resolve(printed);
      else reject(new ProgramFailure([command, ...args].join(" "), status, printed + complaints));
    });
  });
}
