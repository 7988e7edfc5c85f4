// The worker thread: runs a command and reports to the main thread.

import { parentPort, workerData } from "node:worker_threads";
import { SILENT } from "../terminal/bar.js";
import { FileError } from "../terminal/file-error.js";
import { Flag, type Input, type Work, type WorkerMessage } from "../terminal/messages.js";
import { painted, type Terminal } from "../terminal/terminal.js";
import { runCommand } from "./dispatch.js";

function terminalOf({ flags, isInteractive, hasColours }: Work): Terminal {
  const port = parentPort!;
  const report = (message: WorkerMessage) => port.postMessage(message);
  return {
    print: (text) => report({ kind: "print", text }),
    tell: (text) => report({ kind: "tell", text }),
    bar() {
      if (!isInteractive) return SILENT;
      return {
        update: (fraction, text) => report({ kind: "bar", fraction, text }),
        stop: () => report({ kind: "bar" }),
      };
    },
    paint: (tone, text) => (hasColours ? painted(tone, text) : text),
    input: () =>
      new Promise((resolve, reject) => {
        port.once("message", (input: Input) => {
          if ("text" in input) resolve(input.text);
          else reject(new FileError(input.problem));
        });
        report({ kind: "input" });
      }),
    signal: {
      get aborted() {
        return Atomics.load(flags, Flag.stop) === 1;
      },
      reason: "interrupted",
    },
    get isHeard() {
      return Atomics.load(flags, Flag.deaf) === 0;
    },
    keep: (fallback) => report({ kind: "fallback", fallback }),
    begun: (file) => report({ kind: "begun", file }),
    over: (aside) => report({ kind: "over", aside }),
  };
}

const work = workerData as Work;
const code = await runCommand(work.args, terminalOf(work));
parentPort!.postMessage({ kind: "done", code } satisfies WorkerMessage);
