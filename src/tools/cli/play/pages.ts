// The server of `nodrift play`: pages of the package and one model file, for programs on this machine only.

import { readdirSync, readFileSync, unwatchFile, watchFile } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import type { Duplex } from "node:stream";
import { FileError, sentenceOf } from "../terminal/file-error.js";

/** Milliseconds between looks at the file. */
const LOOK = 150;
const LOOPBACK = "127.0.0.1";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".md": "text/plain; charset=utf-8",
};

export interface PagesOptions {
  readonly port: number;
  /** A model file that pages show. */
  readonly file?: string;
}

/** Serves until it is closed. */
export async function servePages({ port, file }: PagesOptions) {
  const pages = pagesOf(new URL("./play/", import.meta.url));
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const path = pathOf(request.url ?? "/");
    const page = pages.get(path ?? "");
    if (!isFromHere(request)) answer(response, 403, "text/plain", "this machine only");
    else if (request.method !== "GET" && request.method !== "HEAD") {
      answer(response, 405, "text/plain", "pages can only be read");
    } else if (path === undefined) answer(response, 400, "text/plain", "this is not an address");
    else if (file !== undefined && path === "served-model.json") serveFile(file, response);
    else if (file !== undefined && path === "changes") follow(response, listeners);
    else if (page) servePage(page, path, response);
    else answer(response, 404, "text/plain", "there is no such page");
  });
  // Both would wait for an answer for ever, or end the process by an error that nobody listens to.
  server.on("connect", refuse);
  server.on("upgrade", refuse);
  server.on("clientError", (_error, socket) => refuse(undefined, socket));
  await listening(server, port);
  const { port: real } = server.address() as AddressInfo;
  if (file !== undefined) {
    watchFile(file, { interval: LOOK }, () => {
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

/** Files below a folder by their paths: only these are served, whatever an address says. */
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

/** Answers a request that is not one for a page, and hangs up. */
function refuse(_request: unknown, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  if (!socket.writable) socket.destroy();
  else socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
}

/** A page of another name that resolves to this machine (DNS rebinding) must not read models. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const { host = "", origin } = headers;
  const isOwn = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
  return isOwn && (origin === undefined || origin === `http://${host}`);
}

function listening(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new FileError(`the pages cannot be served: ${sentenceOf(error, `port ${port}`)}`)),
    );
    server.listen(port, LOOPBACK, resolve);
  });
}

/** The package may be replaced while its pages are served. */
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
    answer(response, 404, "text/plain", sentenceOf(error as NodeJS.ErrnoException, file));
  }
}

function follow(response: ServerResponse, listeners: Set<ServerResponse>): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
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
