// Standard streams, which may be closed, full, or pipes that nobody reads.

import { sentenceOf } from "./file-error.js";
import { LARGEST_MODEL } from "./limits.js";
import type { Input } from "./messages.js";

export class Streams {
  /** Whether standard error is an interactive terminal. */
  readonly isInteractive: boolean;
  /** Whether results can have colours. */
  readonly hasColours: boolean;
  /** What is wrong with standard output: results are lost. */
  outputProblem: string | undefined;
  #isHeard = true;

  /** Calls back when standard output is closed. */
  constructor(deaf: () => void) {
    const { stdout, stderr, env } = process;
    this.isInteractive = stderr.isTTY === true && env.TERM !== "dumb";
    this.hasColours = Boolean(
      env.FORCE_COLOR || (stdout.isTTY && !env.NO_COLOR && env.TERM !== "dumb"),
    );
    stdout.on("error", (error: NodeJS.ErrnoException) => {
      this.#isHeard = false;
      deaf();
      // The reader may stop reading, as `| head` does: not an error.
      if (error.code !== "EPIPE") this.outputProblem ??= sentenceOf(error, "standard output");
    });
    // Standard error is closed: nothing can be reported.
    stderr.on("error", () => {});
  }

  print(text: string): void {
    if (this.#isHeard) process.stdout.write(`${text}\n`);
  }

  tell(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** What was printed has gone where it goes. */
  async flushed(): Promise<void> {
    const gone = [process.stdout, process.stderr].map(
      (stream) => new Promise((resolve) => stream.write("", resolve)),
    );
    const late = new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.race([Promise.all(gone), late]);
  }
}

/** All of standard input, but not more than a model may have. */
export async function readInput(): Promise<Input> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of process.stdin as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > LARGEST_MODEL) return { problem: "standard input is too large for a model" };
    }
    return { text: Buffer.concat(parts).toString("utf8") };
  } catch (error) {
    return { problem: sentenceOf(error as NodeJS.ErrnoException, "standard input") };
  }
}
