import { statSync } from "node:fs";
import { command, UsageError } from "../commands/command.js";
import { exampleNames, modelPath } from "../commands/load.js";
import { EXIT } from "../terminal/terminal.js";
import { openInBrowser } from "./open.js";
import { servePages } from "./pages.js";

/** Milliseconds between looks whether to stop. */
const PAUSE = 100;
const HIGHEST_PORT = 65535;

/** `nodrift play`. */
export default command({
  operands: "[MODEL]",
  count: [0, 1],
  description: [
    "Serves the playground and the gallery on this machine, to nobody else. With a model file, the page shows it and",
    "reads it again whenever it changes: edit the file in your editor, and watch. Ctrl-C ends it.",
  ].join("\n"),
  options: {
    port: { value: "NUMBER", short: "p", help: "of the server (default: a free one)" },
    open: { help: "opens the page in a browser" },
  },
  examples: ["nodrift play", "nodrift play crane.json --open", "nodrift play trebuchet"],

  async run({ operands: [given], options }, terminal) {
    const port = portOf(options.port);
    const file = given === undefined ? undefined : modelPath(given);
    const isFile = typeof file === "string" && statSync(file).isFile();
    const server = await servePages({ port, ...(isFile && { file }) });
    try {
      const page = isFile ? "play.html?file" : isExample(given) ? `play.html?model=${given}` : "";
      const address = `${server.origin}/${page}`;
      terminal.print(address);
      terminal.tell("Ctrl-C ends it");
      if (options.open) openInBrowser(address);
      while (!terminal.signal.aborted) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    } finally {
      await server.close();
    }
    return EXIT.interrupted;
  },
});

const isExample = (given: string | undefined) =>
  given !== undefined && exampleNames().includes(given);

function portOf(text: string | undefined): number {
  const port = text === undefined ? 0 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= HIGHEST_PORT) return port;
  throw new UsageError(`--port must be a whole number up to ${HIGHEST_PORT}, not "${text}"`);
}
