// Speed of the playground: from loading to a moving model, from an edit to the new motion, and cost of a frame.

import type { Browser, Page } from "playwright-core";
import { serveFolder } from "../support/site-server.js";
import { atMost, type Figure } from "./figure.js";
import { launch, SITE } from "./site-pages.js";

/** Number of repetitions, of which the minimum counts, because the machine may be busy. */
const REPEATS = 5;
const EDITS = 8;
/** Duration of the count in seconds. */
const WATCHED = 5;

export async function* siteSpeedFigures(): AsyncGenerator<Figure> {
  const server = await serveFolder(SITE);
  const browser = await launch();
  try {
    yield* loading(browser, server.origin);
    yield atMost(
      "edit to new motion, slider-crank, ms, least",
      await editing(browser, server.origin),
      150,
    );
    for (const model of ["slider-crank", "hmmwv", "chain"]) {
      const cost = await framing(browser, server.origin, model);
      yield atMost(`script time of a frame, ${model}, ms, median`, cost, 4);
    }
  } finally {
    await browser.close();
    server.close();
  }
}

async function opened(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await moving(page, address);
  return page;
}

/** Opens an address and waits until something moves. */
async function moving(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName("nodrift motion").length > 0);
}

async function* loading(browser: Browser, origin: string): AsyncGenerator<Figure> {
  const times: number[] = [];
  const scripts: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    // Before the page is loaded: its counters start here.
    await session.send("Performance.enable");
    await moving(page, `${origin}/play.html`);
    times.push(
      await page.evaluate(() => performance.getEntriesByName("nodrift motion")[0]!.startTime),
    );
    const { metrics } = await session.send("Performance.getMetrics");
    scripts.push(
      1000 * (metrics.find(({ name }) => name === "ScriptDuration")?.value ?? Number.NaN),
    );
    await context.close();
  }
  yield atMost("cold load to first moving frame, ms, least", Math.min(...times), 2500);
  yield atMost("script time of the page till then, ms, least", Math.min(...scripts), 400);
}

/** By a key that is pressed in the editor: the time between two marks of the page. */
async function editing(browser: Browser, origin: string): Promise<number> {
  const page = await opened(browser, `${origin}/play.html?model=slider-crank`);
  await page.waitForSelector(".cm-content");
  const times: number[] = [];
  for (let i = 0; i < EDITS; i++) {
    await page.waitForFunction(
      () => !/Computing/.test(document.getElementById("status")!.textContent!),
    );
    const before = await page.evaluate(() => performance.getEntriesByName("nodrift motion").length);
    await page.locator(".cm-line", { hasText: '"mass"' }).first().click();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Backspace");
    await page.keyboard.insertText(String(1 + i));
    await page.waitForFunction(
      (count) => performance.getEntriesByName("nodrift motion").length > count,
      before,
    );
    times.push(
      await page.evaluate(() => {
        const last = (name: string) => performance.getEntriesByName(name).at(-1)!.startTime;
        return last("nodrift motion") - last("nodrift edit");
      }),
    );
  }
  await page.context().close();
  return Math.min(...times);
}

/** Frame statistics reported by the page. */
async function framing(browser: Browser, origin: string, model: string): Promise<number> {
  const page = await opened(browser, `${origin}/play.html?model=${model}`);
  await page.waitForTimeout(1000 * WATCHED);
  const budget = await page.locator("#budget").textContent();
  await page.context().close();
  return Number.parseFloat(budget ?? "");
}
