// The server of `nodrift play`: pages of the package and one model file, for programs on this machine only.

import { readdirSync, readFileSync, unwatchFile, watchFile } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
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
    const { pathname } = new URL(request.url ?? "/", `http://${LOOPBACK}`);
    const path = pathname === "/" ? "index.html" : pathname.slice(1);
    const page = pages.get(path);
    if (!isFromHere(request)) answer(response, 403, "text/plain", "this machine only");
    else if (file !== undefined && path === "served-model.json") serveFile(file, response);
    else if (file !== undefined && path === "changes") follow(response, listeners);
    else if (page) answer(response, 200, TYPES[extname(path)] ?? "text/plain", readFileSync(page));
    else answer(response, 404, "text/plain", "there is no such page");
  });
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

/** A page of another name that resolves to this machine (DNS rebinding) must not read models. */
function isFromHere({ headers }: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? "");
}

function listening(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new FileError(`the pages cannot be served: ${sentenceOf(error, `port ${port}`)}`)),
    );
    server.listen(port, LOOPBACK, resolve);
  });
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
