// Serves a folder to browsers on this machine, for figures.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
};

/** A requested file, and the time in milliseconds. */
export interface Served {
  readonly path: string;
  readonly time: number;
}

export async function serveFolder(folder: string) {
  const served: Served[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    try {
      const path = normalize(pathname === "/" ? "/index.html" : decodeURI(pathname));
      const type = TYPES[extname(path)] ?? "text/plain";
      const body = readFileSync(join(folder, path));
      served.push({ path, time: Date.now() });
      response.writeHead(200, { "content-type": type }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    served,
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
