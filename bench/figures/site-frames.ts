// Frames of the live view: frames that a 60 Hz screen misses in twenty seconds, and the computing time of the page
// per frame.

import type { Browser, Page } from "playwright-core";
import { serveFolder } from "../support/site-server.js";
import { atMost, type Figure } from "./figure.js";
import { launch, SITE } from "./site-pages.js";

/** Duration of the count in seconds. */
const WATCHED = 20;
const FRAME = 1000 / 60;

interface Frames {
  /** Start time of each frame, in milliseconds. */
  readonly times: number[];
  /** Time of its scripts. */
  readonly scripts: number[];
}

export async function* siteFrameFigures(): AsyncGenerator<Figure> {
  const server = await serveFolder(SITE);
  const browser = await launch();
  try {
    for (const [model, isDragged] of [
      ["slider-crank", false],
      ["hmmwv", false],
      ["chain", true],
    ] as const) {
      const what = isDragged ? `${model}, dragged` : model;
      const { times, scripts } = await watched(browser, server.origin, model, isDragged);
      const missed = times
        .slice(1)
        .reduce((sum, time, i) => sum + Math.max(0, Math.round((time - times[i]!) / FRAME) - 1), 0);
      yield atMost(`frames missed in ${WATCHED} s, live, ${what}`, missed, 0);
      yield atMost(`script time of a frame, live, ${what}, ms, median`, median(scripts), 4);
    }
  } finally {
    await browser.close();
    server.close();
  }
}

async function watched(
  browser: Browser,
  origin: string,
  model: string,
  isDragged: boolean,
): Promise<Frames> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.addInitScript(watchFrames);
  await page.goto(`${origin}/play.html?model=${model}`);
  await page.waitForFunction(() => performance.getEntriesByName("nodrift motion").length > 0);
  await page.waitForSelector(".cm-content");
  await page.locator("#mode-live").click();
  await page.waitForSelector("#live canvas");
  await page.waitForTimeout(2000);
  await page.evaluate(() => {
    const { frames } = globalThis as unknown as { readonly frames: Frames };
    frames.times.length = 0;
    frames.scripts.length = 0;
  });
  if (isDragged) await drag(page);
  else await page.waitForTimeout(1000 * WATCHED);
  const found = await page.evaluate(
    () => (globalThis as unknown as { readonly frames: Frames }).frames,
  );
  await page.close();
  return found;
}

/** Drags the part in the middle of the picture in circles. */
async function drag(page: Page): Promise<void> {
  const box = (await page.locator("#live canvas").first().boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const end = Date.now() + 1000 * WATCHED;
  for (let i = 0; Date.now() < end; i++) {
    await page.mouse.move(x + 60 * Math.sin(i / 10), y + 40 * Math.cos(i / 10));
    await page.waitForTimeout(30);
  }
  await page.mouse.up();
}

/** Runs first in the page: records when frames begin, and the duration of their callbacks. */
function watchFrames(): void {
  const frames: Frames = { times: [], scripts: [] };
  const original = requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (callback) =>
    original((time) => {
      if (frames.times.at(-1) !== time) {
        frames.times.push(time);
        frames.scripts.push(0);
      }
      const began = performance.now();
      callback(time);
      frames.scripts[frames.scripts.length - 1]! += performance.now() - began;
    });
  Object.assign(globalThis, { frames });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
