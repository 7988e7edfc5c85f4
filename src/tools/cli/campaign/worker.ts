import { availableParallelism } from "node:os";
import { serveQueue } from "../../campaign/queue/queue-worker.js";
import { command } from "../commands/command.js";
import { positiveOf } from "../commands/solve-options.js";
import { counted } from "../terminal/numbers.js";
import { EXIT } from "../terminal/terminal.js";
import { serverOf } from "./load-campaign.js";
import { translated } from "./run-sweep.js";
import { wholeOf } from "./whole.js";

/** Seconds after which a worker without a sign of life counts as lost. */
const LEASE = 10;

/** `nodrift worker`. */
export default command({
  operands: "",
  count: [0, 0],
  description: [
    "Runs cases of campaigns that `nodrift sweep --on URL` has put on a server: on as many machines as",
    "you like. Before it takes the first, a worker checks that it computes the same bits. Ctrl-C ends it;",
    "its cases go to others.",
  ].join("\n"),
  options: {
    on: { value: "URL", help: "the server (default: the variable NODRIFT_QUEUE)" },
    workers: { value: "NUMBER", short: "w", help: "processes (default: one for each core)" },
    lease: {
      value: "SECONDS",
      help: `after which a silent worker counts as lost (default: ${LEASE})`,
    },
    idle: { value: "SECONDS", help: "ends when nothing has come for so long (default: never)" },
    quiet: { short: "q", help: "says nothing but errors" },
  },
  examples: [
    "nodrift worker --on redis://server:6379",
    "NODRIFT_QUEUE_PASSWORD=... nodrift worker --on postgres://me@server/jobs --idle 60",
  ],

  async run({ options }, terminal) {
    const server = serverOf(options.on);
    const width = wholeOf("workers", options.workers) ?? availableParallelism();
    const lease = positiveOf("lease", options.lease) ?? LEASE;
    const idle = positiveOf("idle", options.idle);
    const tell = (message: string) => {
      if (!options.quiet) terminal.tell(message);
    };
    tell(`${counted(width, "process", "processes")} for ${server.shown}`);
    try {
      const { signal } = terminal;
      const cases = await serveQueue(server, {
        width,
        lease,
        idle,
        signal,
        tell,
        progress: () => {},
      });
      tell(`${counted(cases, "case")} done`);
    } catch (error) {
      throw translated(error);
    }
    return terminal.signal.aborted ? EXIT.interrupted : EXIT.good;
  },
});
