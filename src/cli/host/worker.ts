// The worker thread: runs a command and reports to the main thread.

import { parentPort, workerData } from "node:worker_threads";
import { packageVersion } from "../../../campaign/cases/version.js";
import { hint } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import { ModelFileError } from "../../files/index.js";
import {
  columns,
  commandHelp,
  readArguments,
  type Subcommand,
  UsageError,
} from "../commands/command.js";
import { commands } from "../commands/index.js";
import {
  EXIT,
  FileError,
  Flag,
  type InputResponse,
  painted,
  SILENT,
  type Terminal,
  type Work,
  type WorkerMessage,
} from "../terminal/terminal.js";

/** Message and exit code for an error. Internal errors are reported with their stack. */
function failureOf(error: unknown): { readonly message: string; readonly code: number } {
  if (error instanceof UsageError) return { message: error.message, code: EXIT.usage };
  if (error instanceof FileError) return { message: error.message, code: EXIT.files };
  if (error instanceof ModelFileError) return { message: error.message, code: EXIT.model };
  if (error instanceof NodriftError && error.code === "STOPPED") {
    return {
      message: `stopped: ${error.message}; no results yet`,
      code: EXIT.interrupted,
    };
  }
  if (error instanceof NodriftError) {
    const isAsked = error.code === "METHOD" || error.code === "STEP";
    return { message: error.message, code: isAsked ? EXIT.usage : EXIT.model };
  }
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return { message, code: EXIT.files };
  return { message: `internal error in nodrift, please report it\n${stack}`, code: EXIT.bad };
}

// Selects the command and reports its errors.

const HELP = [
  "nodrift: simulates mechanisms of rigid bodies and joints, without constraint drift",
  "",
  "  nodrift COMMAND [arguments]     nodrift COMMAND --help describes one",
  "",
  "Commands:",
  ...columns(Object.entries(commands).map(([name, [summary]]) => [name, summary] as const)),
  "",
  "MODEL is a JSON file (docs/files.md), the name of an example, or - for standard input.",
  "",
  "Exit codes:",
  ...columns([
    ["0", "success"],
    ["1", "completed with a negative result: the run failed or a value was not reproduced"],
    ["2", "invalid command line"],
    ["3", "invalid model"],
    ["4", "a file cannot be read or written"],
    ["130", "interrupted by Ctrl-C or SIGTERM; partial results are kept"],
  ]),
].join("\n");

/** Runs the command given by the arguments and returns the exit code. */
async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v") {
    terminal.print(packageVersion());
    return EXIT.good;
  }
  try {
    if (name === undefined || name === "help" || name === "--help" || name === "-h") {
      return await help(rest, terminal, name === undefined);
    }
    const described = await find(name);
    const given = readArguments(described, rest);
    if (given) return await described.run(given, terminal);
    terminal.print(commandHelp(name, described));
    return EXIT.good;
  } catch (error) {
    const { message, code } = failureOf(error);
    terminal.log(`nodrift ${name}: ${message}`);
    const topic = name !== undefined && Object.hasOwn(commands, name) ? `${name} ` : "";
    if (code === EXIT.usage) terminal.log(`See: nodrift ${topic}--help`);
    return code;
  }
}

/** Prints the help; on standard error if it replaces a missing command. */
async function help(
  [topic]: readonly string[],
  terminal: Terminal,
  isMissing: boolean,
): Promise<number> {
  if (topic !== undefined && !topic.startsWith("-")) {
    terminal.print(commandHelp(topic, await find(topic)));
    return EXIT.good;
  }
  if (isMissing) terminal.log(HELP);
  else terminal.print(HELP);
  return isMissing ? EXIT.usage : EXIT.good;
}

async function find(name: string): Promise<Subcommand> {
  if (Object.hasOwn(commands, name)) return (await commands[name]![1]()).default as Subcommand;
  const isOption = name.startsWith("-");
  throw new UsageError(
    isOption
      ? "options follow the command, as in: nodrift run pendulum --tolerance 1e-9"
      : `unknown command${hint(name, Object.keys(commands))}`,
  );
}

function terminalOf({ flags, isInteractive, hasColours }: Work): Terminal {
  const port = parentPort!;
  const report = (message: WorkerMessage) => port.postMessage(message);
  return {
    print: (text) => report({ kind: "print", text }),
    log: (text) => report({ kind: "log", text }),
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
        port.once("message", (input: InputResponse) => {
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
    get hasReader() {
      return Atomics.load(flags, Flag.outputClosed) === 0;
    },
    setFallback: (fallback) => report({ kind: "fallback", fallback }),
    fileStarted: (file) => report({ kind: "fileStarted", file }),
    fileFinished: (path) => report({ kind: "fileFinished", path }),
  };
}

const work = workerData as Work;
const code = await runCommand(work.args, terminalOf(work));
parentPort!.postMessage({ kind: "done", code } satisfies WorkerMessage);
