import { availableParallelism } from "node:os";
import { command } from "../../src/cli/commands/command.js";
import { integerOption, positiveOf } from "../../src/cli/commands/solve-options.js";
import { EXIT } from "../../src/cli/terminal/terminal.js";
import { counted } from "../../src/report/numbers.js";
import { serveQueue } from "../queue/queue-worker.js";
import { serverOf, WORKERS_OPTION } from "./load-campaign.js";
import { translated } from "./run-sweep.js";

/** Default time in seconds after which an unresponsive worker counts as lost. */
const DEFAULT_LEASE_S = 10;

/** `nodrift worker`. */
export default command({
  operands: "",
  count: [0, 0],
  description: [
    "Runs cases of campaigns that `nodrift sweep --on URL` has published on a server, on any number of",
    "machines. A worker first checks that its results are bitwise identical. Ctrl-C stops it; its cases",
    "go to other workers.",
  ].join("\n"),
  options: {
    on: { value: "URL", help: "the server (default: the variable NODRIFT_QUEUE)" },
    workers: WORKERS_OPTION,
    lease: {
      value: "SECONDS",
      help: `time after which an unresponsive worker counts as lost (default: ${DEFAULT_LEASE_S})`,
    },
    idle: { value: "SECONDS", help: "stop after this time without a job (default: never)" },
    quiet: { short: "q", help: "print errors only" },
  },
  examples: [
    "nodrift worker --on redis://server:6379",
    "NODRIFT_QUEUE_PASSWORD=... nodrift worker --on postgres://me@server/jobs --idle 60",
  ],

  async run({ options }, terminal) {
    const server = serverOf(options.on);
    const width = integerOption("workers", options.workers) ?? availableParallelism();
    const lease = positiveOf("lease", options.lease) ?? DEFAULT_LEASE_S;
    const idle = positiveOf("idle", options.idle);
    const log = (message: string) => {
      if (!options.quiet) terminal.log(message);
    };
    log(`${counted(width, "process", "processes")} for ${server.shown}`);
    try {
      const { signal } = terminal;
      const cases = await serveQueue(server, {
        width,
        lease,
        idle,
        signal,
        log,
        progress: () => {},
      });
      log(`${counted(cases, "case")} done`);
    } catch (error) {
      throw translated(error);
    }
    return terminal.signal.aborted ? EXIT.interrupted : EXIT.good;
  },
});
