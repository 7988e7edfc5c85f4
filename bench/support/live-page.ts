// A page in Chromium that calls what live-page-calls.ts exports; the package is loaded from dist.

import { accessSync, constants, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];
const ENTRIES = ["bodies", "worker"];
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"];

/** Path of the browser; undefined if there is none. */
function browserPath(): string | undefined {
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter).filter(Boolean)];
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.CHROMIUM_PATH ?? "", ...paths].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return path !== "";
    } catch {
      return false;
    }
  });
}

/** Result of a call in the page; undefined without a browser. */
export async function pageCall<T>(name: string): Promise<T | undefined> {
  const executablePath = browserPath();
  if (executablePath === undefined) return undefined;
  const imports = Object.fromEntries(
    ENTRIES.map((entry) => [`nodrift/${entry}`, `/dist/${entry}.js`]),
  );
  const page = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">globalThis.calls = await import("/build/bench/support/live-page-calls.js");</script>`;
  const server = createServer(({ url = "/" }, response) => {
    try {
      const isCode =
        /^\/(dist|build\/(bench|test))\/[\w./-]+\.js$/.test(url) && !url.includes("..");
      const type = isCode ? "text/javascript" : "text/html";
      response.writeHead(200, { "content-type": type });
      response.end(isCode ? readFileSync(`.${url}`) : page);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(300_000);
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.waitForFunction(() => "calls" in globalThis);
    return (await tab.evaluate(`globalThis.calls.${name}()`)) as T;
  } finally {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
