// Download sizes of the playground, gzipped, as seen by the server, so that nothing is missed.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { serveFolder } from "../support/site-server.js";
import { atMost, type Figure, reported } from "./figure.js";
import { launch, SITE } from "./site-pages.js";

const LIMIT = 350;
const LIMIT_WITH_THREE = 550;

export async function* siteSizeFigures(): AsyncGenerator<Figure> {
  const browser = await launch();
  try {
    const { first, all, live } = await loaded(browser);
    yield atMost("playground till a model moves, gzipped, kB", kilobytes(first), LIMIT);
    yield atMost(
      "playground till a model moves in three dimensions, with three, gzipped, kB",
      kilobytes([...first, ...live]),
      LIMIT_WITH_THREE,
    );
    yield atMost(
      "playground with plots, editor and its help, gzipped, kB",
      kilobytes([...first, ...all]),
      LIMIT,
    );
    yield reported(
      "parts of the playground that are loaded twice",
      twice([...first, ...all, ...live]),
    );
  } finally {
    await browser.close();
  }
}

/** Paths loaded until the first motion, paths loaded automatically afterwards, and those of the live view. */
async function loaded(browser: Browser) {
  const server = await serveFolder(SITE);
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(`${server.origin}/play.html`);
    await page.waitForFunction(() => performance.getEntriesByName("nodrift motion").length > 0);
    const moved = await page.evaluate(
      () => performance.timeOrigin + performance.getEntriesByName("nodrift motion")[0]!.startTime,
    );
    await page.waitForSelector(".cm-content");
    await page.waitForTimeout(1000);
    const own = server.served.splice(0);
    await page.locator("#mode-live").click();
    await page.waitForSelector("#live canvas");
    await page.waitForTimeout(2000);
    const paths = (list: typeof own) => list.map(({ path }) => path);
    return {
      first: paths(own.filter(({ time }) => time <= moved)),
      all: paths(own.filter(({ time }) => time > moved)),
      live: paths(server.served),
    };
  } finally {
    server.close();
  }
}

/** Repeated requests of a worker are served from the browser's cache. */
function kilobytes(paths: readonly string[]): number {
  return [...new Set(paths)].reduce((sum, path) => sum + weightOf(path), 0);
}

function weightOf(path: string): number {
  return gzipSync(readFileSync(`${SITE}${path}`), { level: 9 }).length / 1000;
}

/** Scripts that hold the kernels of bodies: a second one would be a second copy of the package. */
function twice(paths: readonly string[]): number {
  const scripts = [...new Set(paths)].filter((path) => path.endsWith(".js"));
  const holding = scripts.filter((path) =>
    readFileSync(`${SITE}${path}`, "utf8").includes("SimulationError`"),
  );
  return holding.length - 1;
}
