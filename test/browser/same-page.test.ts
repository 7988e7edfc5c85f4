// One report in two browsers: equal texts and layout and no console errors, at several window widths.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderPage } from "../../src/report/index.js";
import { BROWSERS, type OpenPage, type TestBrowser } from "../support/browsers.js";
import { serve } from "../support/server.js";
import { blocks } from "./support/blocks.js";

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
const there = BROWSERS.filter(({ path }) => path !== undefined);

/** Returns visible texts and their positions. */
const look = (page: OpenPage) =>
  page.evaluate(() => {
    const box = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return { width: Math.round(width), height: Math.round(height) };
    };
    const canvas = document.querySelector("canvas") as HTMLCanvasElement;
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    const context = copy.getContext("2d", { willReadFrequently: true })!;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let ink = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i]! < 160) ink++;
    // Browsers differ in whether the text of a closed list is visible.
    const shown = document.body.cloneNode(true) as HTMLElement;
    for (const part of shown.querySelectorAll("script, style")) part.remove();
    return {
      words: shown.textContent?.split(/\s+/).filter(Boolean),
      time: document.querySelector("output")?.textContent,
      plots: document.querySelectorAll(".uplot").length,
      buttons: document.querySelectorAll("button").length,
      tables: document.querySelectorAll("table").length,
      scene: box(canvas),
      ink: ink / (canvas.width * canvas.height),
      overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    };
  }, undefined);

describe.skipIf(there.length < 2)("a report in Chromium and Firefox", () => {
  let server: Awaited<ReturnType<typeof serve>>;
  let browsers: TestBrowser[] = [];
  beforeAll(async () => {
    const body = renderPage({ title: "A slider", blocks: blocks() });
    const headers = { "content-type": "text/html", "content-security-policy": POLICY };
    server = await serve((path) => (path === "/" ? { headers, body } : { status: 204 }));
    browsers = await Promise.all(there.map(({ launch }) => launch()));
  });
  afterAll(async () => {
    await Promise.all(browsers.map((browser) => browser.close()));
    await server?.close();
  });

  test.each([1000, 390])("renders equally, %i pixels wide", async (width) => {
    const seen: Record<"first" | "last", Awaited<ReturnType<typeof look>>>[] = [];
    for (const browser of browsers) {
      const page = await browser.open(`${server.origin}/`, { width, height: 800 });
      await page.until(() => document.querySelector("canvas")?.width !== 300);
      const first = await look(page);
      await page.evaluate(() => document.querySelector("input")?.focus(), undefined);
      await page.key("End");
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)), undefined);
      const last = await look(page);
      expect([page.errors, page.messages]).toEqual([[], []]);
      await page.close();
      seen.push({ first, last });
    }
    const [chromium, firefox] = seen;
    for (const at of ["first", "last"] as const) {
      const [one, two] = [chromium[at], firefox[at]];
      const { ink, scene, ...rest } = one;
      const { ink: otherInk, scene: otherScene, ...other } = two;
      expect(other).toEqual(rest);
      expect(rest.overflow).toBe(0);
      // Fonts differ by a pixel, and antialiasing by a fraction of the ink.
      expect(Math.abs(scene.width - otherScene.width)).toBeLessThanOrEqual(20);
      expect(ink).toBeGreaterThan(1e-3);
      expect(Math.abs(ink - otherInk)).toBeLessThan(0.5 * ink);
    }
    expect(chromium.first.time).toMatch(/^0/);
    expect(chromium.last.time).toMatch(/^4/);
  });
});
