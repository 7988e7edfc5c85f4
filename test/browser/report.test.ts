// Report pages in a real browser: from a file, and under the strictest content security policy.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderPage } from "../../src/report/index.js";
import { findChromium } from "../support/chromium.mjs";
import { serve } from "../support/server.js";
import { blocks, HOSTILE } from "./support/blocks.js";

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"];
const executablePath = findChromium();

describe.skipIf(executablePath === undefined)("a page in Chromium", () => {
  const html = renderPage({ title: "A slider", blocks: blocks() });
  let folder: string;
  let file: string;
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "nodrift-"));
    writeFileSync(join(folder, "page.html"), html);
    file = pathToFileURL(join(folder, "page.html")).href;
    const headers = { "content-type": "text/html", "content-security-policy": POLICY };
    server = await serve((path) => (path === "/" ? { headers, body: html } : undefined));
    browser = await chromium.launch({ executablePath: executablePath as string, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens the page, runs actions in it, and expects no console errors and no requests. */
  async function open(
    act: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
    address = file,
  ): Promise<void> {
    const page = await browser.newPage({ viewport: { width: 1000, height: 800 }, ...options });
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      const url = request.url();
      if (url !== address && !url.startsWith("data:")) complaints.push(`asks for ${url}`);
    });
    await page.goto(address);
    await page.waitForFunction(() => document.querySelector("canvas")?.width !== 300);
    await act(page);
    await page.close();
    expect(complaints).toEqual([]);
  }

  const picture = (page: Page) =>
    page.evaluate(() => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      return frame()
        .then(frame)
        .then(() => document.querySelector("canvas")?.toDataURL());
    });
  /** Returns the redness of each pixel in the upper left corner, a fraction of the picture's width and height. */
  const reds = (page: Page, width: number, height: number) =>
    page.evaluate(
      ([width, height]) => {
        const canvas = document.querySelector("canvas") as HTMLCanvasElement;
        // Read from a copy: reading slows a canvas down, and browsers warn about it.
        const copy = new OffscreenCanvas(canvas.width, canvas.height);
        const context = copy.getContext("2d", { willReadFrequently: true })!;
        context.drawImage(canvas, 0, 0);
        const part = [canvas.width * width, canvas.height * height] as const;
        const { data } = context.getImageData(0, 0, ...part);
        return Array.from({ length: data.length / 4 }, (_, i) => data[4 * i]);
      },
      [width, height] as const,
    );
  const clock = (page: Page) =>
    page.evaluate(() => Number.parseFloat(document.querySelector("output")?.textContent ?? ""));
  const still = { reducedMotion: "reduce" } as const;

  test("plays automatically, pauses and resumes", () =>
    open(async (page) => {
      const [first, begin] = [await picture(page), await clock(page)];
      await page.waitForFunction(
        (begin) => Number.parseFloat(document.querySelector("output")?.textContent ?? "") > begin,
        begin + 0.2,
      );
      expect(await picture(page)).not.toBe(first);
      await page.keyboard.press("Space");
      const [standing, time] = [await picture(page), await clock(page)];
      await page.waitForTimeout(150);
      expect(await clock(page)).toBe(time);
      expect(await picture(page)).toBe(standing);
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await page.waitForTimeout(150);
      expect(await clock(page)).not.toBe(time);
    }));

  test("starts paused for users who prefer reduced motion, and seeks by keys", () =>
    open(async (page) => {
      await page.waitForTimeout(100);
      expect(await clock(page)).toBe(0);
      const start = await picture(page);
      const slider = page.getByRole("slider");
      await slider.focus();
      for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
      expect(await clock(page)).toBeCloseTo(0.02, 6);
      await page.keyboard.press("End");
      expect(await clock(page)).toBe(4);
      expect(await picture(page)).not.toBe(start);
      expect(await slider.getAttribute("aria-valuetext")).toBe("4.000 s");
    }, still));

  test("rotates, zooms and resets by keys and mouse", () =>
    open(async (page) => {
      const canvas = page.locator("canvas").first();
      const pictures = [await picture(page)];
      const acts = [
        () => page.keyboard.press("Shift+ArrowLeft"),
        () => page.keyboard.press("Shift+ArrowUp"),
        () => page.keyboard.press("+"),
        async () => {
          await page.mouse.move(400, 350);
          await page.mouse.down();
          await page.mouse.move(450, 380, { steps: 3 });
          await page.mouse.up();
        },
        async () => {
          await page.keyboard.down("Control");
          await page.mouse.wheel(0, -200);
          await page.keyboard.up("Control");
        },
        () => page.getByRole("button", { name: "Top" }).click(),
        () => page.getByRole("button", { name: "Names" }).click(),
      ];
      await canvas.focus();
      for (const act of acts) {
        await act();
        pictures.push(await picture(page));
      }
      expect(new Set(pictures).size).toBe(pictures.length);
      await page.getByRole("button", { name: "Names" }).click();
      await canvas.dblclick();
      expect(await picture(page)).toBe(pictures[0]);
    }, still));

  test("leaves wheel and vertical arrows to the page, and steps by horizontal arrows", () =>
    open(async (page) => {
      const canvas = page.locator("canvas").first();
      await canvas.hover();
      await page.mouse.wheel(0, 120);
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50);
      await canvas.focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      expect(await clock(page)).toBeCloseTo(2 / 25, 6);
      await page.keyboard.press("ArrowLeft");
      expect(await clock(page)).toBeCloseTo(1 / 25, 6);
    }, still));

  test("saves a picture and a film", () =>
    open(async (page) => {
      for (const [name, ending, head] of [
        ["PNG", /\.png$/, [0x89, 0x50, 0x4e, 0x47]],
        ["WebM", /\.webm$/, [0x1a, 0x45, 0xdf, 0xa3]],
      ] as const) {
        const waiting = page.waitForEvent("download");
        // Another button's name contains "png" too.
        await page.getByRole("button", { name, exact: true }).click();
        if (name === "WebM") {
          await page.waitForTimeout(300);
          await page.getByRole("button", { name: "Stop" }).click();
        }
        const download = await waiting;
        expect(download.suggestedFilename()).toMatch(ending);
        const bytes = readFileSync(await download.path());
        expect([...bytes.subarray(0, 4)]).toEqual([...head]);
      }
    }, still));

  test("shows complete tables on a phone", () =>
    open(
      async (page) => {
        const cut = await page
          .locator("td")
          .evaluateAll(
            (cells) =>
              cells.filter((cell) => cell.getBoundingClientRect().right > innerWidth + 0.5).length,
          );
        expect(cut).toBe(0);
      },
      { ...still, viewport: { width: 390, height: 800 } },
    ));

  test("synchronises plots with the animation", () =>
    open(async (page) => {
      const marker = page.locator(".now").first();
      const plot = page.locator("figure.plot .u-over").first();
      expect(await page.locator(".uplot").count()).toBe(2);
      const before = await marker.evaluate((line) => line.getBoundingClientRect().left);
      const { width, height } = (await plot.boundingBox()) as { width: number; height: number };
      await plot.click({ position: { x: width / 2, y: height / 2 } });
      expect(await clock(page)).toBeCloseTo(2, 1);
      const after = await marker.evaluate((line) => line.getBoundingClientRect().left);
      expect(after - before).toBeCloseTo(width / 2, -1);
    }, still));

  test("hides absent parts", () =>
    open(async (page) => {
      // The fixed end of the spring, far from all moving parts.
      const inks = async () => (await reds(page, 0.25, 0.7)).filter((value) => value < 128).length;
      const slider = page.getByRole("slider");
      const seek = (part: number) =>
        slider.evaluate(
          (input, value) => {
            (input as HTMLInputElement).value = value;
            input.dispatchEvent(new Event("input"));
          },
          String(1000 * part),
        );
      await seek(0.7);
      await picture(page);
      const there = await inks();
      await seek(0.8);
      await picture(page);
      expect(there).toBeGreaterThan(50);
      expect(await inks()).toBeLessThan(there / 2);
    }, still));

  test("works under a content security policy that allows nothing else", () =>
    open(
      async (page) => {
        expect(await page.locator(".uplot canvas").count()).toBe(2);
        expect(((await picture(page)) as string).length).toBeGreaterThan(5000);
      },
      {},
      `${server.origin}/`,
    ));

  test("shows hostile texts literally", () =>
    open(async (page) => {
      expect(await page.title()).toBe("A slider");
      expect(await page.locator("img").count()).toBe(0);
      const shown = await page.getByText(HOSTILE, { exact: true }).count();
      // Fact, body list, title and legend of the plot, title, head and cell of the table.
      expect(shown).toBeGreaterThanOrEqual(6);
    }));

  test("follows the dark colour scheme, and fits narrow screens", async () => {
    const brightness = async (page: Page) => {
      const paper = await page.evaluate(
        () => getComputedStyle(document.body).backgroundColor.match(/\d+/)?.[0],
      );
      return [(await reds(page, 0.01, 0.01))[0], Number(paper)];
    };
    const narrow = { viewport: { width: 400, height: 700 }, ...still };
    await open(
      async (page) => {
        await picture(page);
        expect(Math.max(...(await brightness(page)))).toBeLessThan(60);
        await page.emulateMedia({ colorScheme: "light" });
        await picture(page);
        expect(Math.min(...(await brightness(page)))).toBeGreaterThan(200);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width).toBeLessThanOrEqual(400);
      },
      { colorScheme: "dark", ...narrow },
    );
  });
});
