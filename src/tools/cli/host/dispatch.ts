// Which command is meant, and what becomes of its errors.

import { hint } from "../../../ground/checking/index.js";
import { columns, commandHelp, readArguments, UsageError } from "../commands/command.js";
import { EXIT, type Terminal } from "../terminal/terminal.js";
import { version } from "../text/version.js";
import { commands, type Listed } from "./commands.js";
import { failureOf } from "./error-report.js";

const HELP = [
  "nodrift: simulates mechanisms of rigid bodies and joints, without constraint drift",
  "",
  "  nodrift COMMAND [arguments]     nodrift COMMAND --help tells about one",
  "",
  "Commands:",
  ...columns(Object.entries(commands).map(([name, { summary }]) => [name, summary] as const)),
  "",
  "MODEL is a JSON file (docs/files.md), the name of an example, or - for standard input.",
  "",
  "Exit codes:",
  ...columns([
    ["0", "success"],
    ["1", "completed with a negative result: the run failed or a number was not reproduced"],
    ["2", "invalid command line"],
    ["3", "invalid model"],
    ["4", "files cannot be read or written"],
    ["130", "interrupted by Ctrl-C or SIGTERM; partial results are kept"],
  ]),
].join("\n");

/** Does what the arguments say, and gives the exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    return help(rest, terminal, name === undefined);
  }
  if (name === "--version" || name === "-v") {
    terminal.print(version());
    return EXIT.good;
  }
  try {
    const described = await find(name).load();
    const given = readArguments(described, rest);
    if (given) return await described.run(given, terminal);
    terminal.print(commandHelp(name, described));
    return EXIT.good;
  } catch (error) {
    const { message, code } = failureOf(error);
    terminal.tell(`nodrift ${name}: ${message}`);
    const topic = Object.hasOwn(commands, name) ? `${name} ` : "";
    if (code === EXIT.usage) terminal.tell(`See: nodrift ${topic}--help`);
    return code;
  }
}

/** Asked for it is a result; given in place of a missing command it is not. */
async function help(
  [topic]: readonly string[],
  terminal: Terminal,
  isMissing: boolean,
): Promise<number> {
  if (topic !== undefined && Object.hasOwn(commands, topic)) {
    terminal.print(commandHelp(topic, await find(topic).load()));
    return EXIT.good;
  }
  if (isMissing) terminal.tell(HELP);
  else terminal.print(HELP);
  return isMissing ? EXIT.usage : EXIT.good;
}

function find(name: string): Listed {
  if (Object.hasOwn(commands, name)) return commands[name as keyof typeof commands];
  const isOption = name.startsWith("-");
  throw new UsageError(
    isOption
      ? "options follow the command, as in: nodrift run pendulum --tolerance 1e-9"
      : `there is no such command${hint(name, Object.keys(commands))}`,
  );
}
