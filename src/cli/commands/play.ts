import { readdirSync, readFileSync, statSync, unwatchFile, watchFile } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import type { Duplex } from "node:stream";
import { EXIT, FileError, fileErrorText, openInBrowser } from "../terminal/terminal.js";
import { command, UsageError } from "./command.js";
import { exampleNames, modelPath } from "./load.js";

// The server of `nodrift play`: pages of the package and one model file, for programs on this machine only.

/** Milliseconds between checks for changes of the file. */
const FILE_POLL_MS = 150;
const LOOPBACK = "127.0.0.1";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".md": "text/plain; charset=utf-8",
};

interface PagesOptions {
  readonly port: number;
  /** Model file that the page shows. */
  readonly file?: string;
}

/** Starts the server. */
async function servePages({ port, file }: PagesOptions) {
  const pages = pagesOf(new URL("./play/", import.meta.url));
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const path = pathOf(request.url ?? "/");
    const page = pages.get(path ?? "");
    if (!isFromHere(request))
      answer(response, 403, "text/plain", "accessible from this machine only");
    else if (request.method !== "GET" && request.method !== "HEAD") {
      answer(response, 405, "text/plain", "only GET and HEAD are supported");
    } else if (path === undefined) answer(response, 400, "text/plain", "invalid address");
    else if (file !== undefined && path === "served-model.json") serveFile(file, response);
    else if (file !== undefined && path === "changes") follow(response, listeners);
    else if (page) servePage(page, path, response);
    else answer(response, 404, "text/plain", "page not found");
  });
  // Unhandled, such requests would wait forever, or end the process with an error event without a listener.
  server.on("connect", refuse);
  server.on("upgrade", refuse);
  server.on("clientError", (_error, socket) => refuse(undefined, socket));
  await listening(server, port);
  const { port: real } = server.address() as AddressInfo;
  if (file !== undefined) {
    watchFile(file, { interval: FILE_POLL_MS }, () => {
      for (const response of listeners) response.write("data: changed\n\n");
    });
  }
  return {
    origin: `http://${LOOPBACK}:${real}`,
    close: async () => {
      if (file !== undefined) unwatchFile(file);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Files below a folder by their paths. Only these are served. */
function pagesOf(folder: URL): ReadonlyMap<string, URL> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.map((path) => path.replaceAll("\\", "/")).filter((path) => extname(path));
  return new Map(files.map((path) => [path, new URL(path, folder)]));
}

/** The path of a request without its slash; undefined if it is not an address ("//", "*", "/%", other schemes). */
function pathOf(target: string): string | undefined {
  if (!/^\/(?![/\\])/.test(target)) return undefined;
  try {
    const { pathname } = new URL(target, `http://${LOOPBACK}`);
    return pathname === "/" ? "index.html" : decodeURIComponent(pathname.slice(1));
  } catch {
    return undefined;
  }
}

/** Rejects a request that is not for a page and closes the connection. */
function refuse(_request: unknown, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  if (!socket.writable) socket.destroy();
  else socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
}

/** Whether a request is local. A page of another host name that resolves to this machine (DNS rebinding) must not read models. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const { host = "", origin } = headers;
  const isOwn = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
  return isOwn && (origin === undefined || origin === `http://${host}`);
}

function listening(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new FileError(`cannot serve the pages: ${fileErrorText(error, `port ${port}`)}`)),
    );
    server.listen(port, LOOPBACK, resolve);
  });
}

/** Sends a page. It may be missing if the package is replaced meanwhile. */
function servePage(page: URL, path: string, response: ServerResponse): void {
  try {
    answer(response, 200, TYPES[extname(path)] ?? "text/plain", readFileSync(page));
  } catch {
    answer(response, 500, "text/plain", "the page cannot be read: the package has changed");
  }
}

function serveFile(file: string, response: ServerResponse): void {
  try {
    answer(response, 200, TYPES[".json"]!, readFileSync(file));
  } catch (error) {
    answer(response, 404, "text/plain", fileErrorText(error as NodeJS.ErrnoException, file));
  }
}

function follow(response: ServerResponse, listeners: Set<ServerResponse>): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  // A response to HEAD has no body, so no events can follow.
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  response.write(": listening\n\n");
  listeners.add(response);
  response.on("close", () => listeners.delete(response));
}

function answer(
  response: ServerResponse,
  status: number,
  type: string,
  body: Uint8Array | string,
): void {
  response
    .writeHead(status, {
      "content-type": type,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    })
    .end(body);
}

/** Milliseconds between checks of the stop signal. */
const ABORT_POLL_MS = 100;
const MAX_PORT = 65535;

/** `nodrift play`. */
export default command({
  operands: "[MODEL]",
  count: [0, 1],
  description: [
    "Serves the playground and the gallery, accessible from this machine only. With a model file, the page shows it and",
    "reloads it whenever it changes, so you can watch your edits. Stop with Ctrl-C.",
  ].join("\n"),
  options: {
    port: { value: "NUMBER", short: "p", help: "port of the server (default: a free one)" },
    open: { help: "open the page in a browser" },
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
      terminal.log("Stop with Ctrl-C");
      if (options.open) openInBrowser(address);
      while (!terminal.signal.aborted)
        await new Promise((resolve) => setTimeout(resolve, ABORT_POLL_MS));
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
  if (Number.isInteger(port) && port >= 0 && port <= MAX_PORT) return port;
  throw new UsageError(`--port must be an integer up to ${MAX_PORT}, not "${text}"`);
}
