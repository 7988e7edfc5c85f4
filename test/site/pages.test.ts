// The site in a real browser under its own policy: simulation, editing, problem marks, links with models, and reasons for
// incompatible methods.

import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../support/chromium.mjs";
import { serve } from "../support/server.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};
const executablePath = findChromium();

describe.skipIf(executablePath === undefined)("the playground", () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serve>>;
  let page: Page;
  const wrong: string[] = [];

  beforeAll(async () => {
    server = await serve((path) => {
      try {
        const headers = { "content-type": TYPES[extname(path)] ?? "text/plain" };
        return { headers, body: readFileSync(join("dist/play", path)) };
      } catch {
        return undefined;
      }
    });
    const args = ["--headless", "--no-sandbox", "--disable-gpu"];
    browser = await chromium.launch({ executablePath: executablePath as string, args });
    page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    page.on("console", (message) => {
      if (message.type() === "error") wrong.push(message.text());
    });
    page.on("pageerror", (error) => wrong.push(error.message));
    await page.goto(`${server.origin}/play.html?model=pendulum`);
    await done();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Waits until the motion is complete. */
  const done = () =>
    page.waitForFunction(() => {
      const caption = document.querySelector(".lane figcaption")?.textContent ?? "";
      const status = document.getElementById("status")?.textContent ?? "";
      return (
        caption.includes("steps") && !status.includes("Computing") && !status.includes("Loading")
      );
    });
  const text = (id: string) => page.locator(`#${id}`).textContent();
  /** Changes the text in the editor by user input. */
  async function edit(from: string, to: string): Promise<void> {
    const line = page.locator(".cm-line", { hasText: from }).first();
    await line.click();
    await page.keyboard.press("End");
    const whole = (await line.textContent())!;
    for (let i = 0; i < whole.trimStart().length; i++) await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.insertText(whole.trimStart().replace(from, to));
  }

  test("shows the contents of the model, its method, and plots", async () => {
    expect(await text("status")).toContain("1 body, 1 joint, 1 degree of freedom");
    expect(await page.locator(".lane figcaption").textContent()).toContain("dop853");
    expect(await page.locator("figure.plot").count()).toBeGreaterThanOrEqual(4);
  });

  test("simulates edits, and marks and explains invalid ones while the last motion stays", async () => {
    await page.waitForSelector(".cm-content");
    await edit('"mass": 1', '"mass": -1');
    await page.waitForFunction(() => document.querySelectorAll("#problems li").length > 0);
    expect(await text("problems")).toMatch(/line \d+: .*mass/);
    expect(await page.locator(".cm-lintRange-error").count()).toBeGreaterThan(0);
    await edit('"mass": -1', '"mass": 3');
    await page.waitForFunction(() => document.getElementById("problems")?.hidden);
    await done();
    expect(await text("status")).toContain("1 body");
  });

  test("runs a second method next to the first, and explains incompatible parts", async () => {
    await page.locator("#two").check();
    await page.waitForFunction(() =>
      document.querySelectorAll(".lane figcaption")[1]?.textContent?.includes("rk4"),
    );
    const second = page.locator(".picker").nth(1);
    // Immediately: late results of the previous run must not replace the message about this choice.
    await second.getByLabel("formulation").selectOption("index3");
    await page.waitForFunction(() =>
      document.querySelectorAll(".lane figcaption")[1]?.textContent?.includes("steps"),
    );
    await page.waitForFunction(() => document.querySelectorAll(".refusal")[1]?.textContent !== "");
    expect(await second.locator(".refusal").textContent()).toContain(
      "multipliers among its unknowns",
    );
    await page.locator("#two").uncheck();
    expect(await page.locator(".lane").count()).toBe(1);
  });

  test("shares the model by a link", async () => {
    await page.locator("#share").click();
    await page.waitForFunction(() => location.hash.startsWith("#m="));
    const other = await browser.newPage();
    await other.goto(page.url());
    await other.waitForSelector(".cm-content");
    await other.waitForFunction(() =>
      document.querySelector(".lane figcaption")?.textContent?.includes("steps"),
    );
    expect(await other.locator(".cm-line", { hasText: '"mass": 3' }).count()).toBe(1);
    await other.goto(`${server.origin}/play.html#m=AAAA`);
    await other.reload();
    await other.waitForFunction(() =>
      /invalid|degree/.test(document.getElementById("status")?.textContent ?? ""),
    );
    await other.close();
  });

  test("edits, runs, plots and shares equations, without a picture", async () => {
    await page.goto(`${server.origin}/play.html?model=equations-pendulum`);
    await done();
    expect(await text("status")).toContain("2 coordinates, 1 constraint");
    expect(await page.locator(".lane canvas").isVisible()).toBe(false);
    expect(await page.locator("#modes").isVisible()).toBe(false);
    expect(await page.locator("#sliders label").count()).toBe(3);
    const titles = await page.locator("figure.plot > figcaption").allTextContents();
    expect(titles).toEqual(expect.arrayContaining(["angle", "Energy", "Constraint error"]));
    await page.waitForSelector(".cm-content");
    await edit('"length": "x^2 + y^2 - L^2"', '"length": "x^2 + yy^2 - L^2"');
    await page.waitForFunction(() => document.querySelectorAll("#problems li").length > 0);
    expect(await text("problems")).toMatch(/line \d+: .*yy/);
    await edit("yy^2", "y^2");
    await page.waitForFunction(() => document.getElementById("problems")?.hidden);
    await done();
    await page.locator("#formula").fill("x*y' - y*x'");
    await page.locator("#quantity button").click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll("figure.plot > figcaption")].some(
        ({ textContent }) => textContent === "x*y' - y*x'",
      ),
    );
    await page.locator("#share").click();
    await page.waitForFunction(() => location.hash.startsWith("#m="));
    await page.goto(`${server.origin}/play.html?model=pendulum`);
    await page.goBack();
    await page.reload();
    await done();
    expect(await text("status")).toContain("2 coordinates, 1 constraint");
  });

  test("runs a live model with events in a worker, and pauses it", async () => {
    await page.goto(`${server.origin}/play.html?model=bouncing-ball`);
    await done();
    await page.locator("#mode-live").click();
    const clock = async () =>
      Number.parseFloat((await page.locator("#live .clock").textContent()) ?? "NaN");
    await expect.poll(clock, { timeout: 20_000 }).toBeGreaterThan(0.3);
    await page.locator("#live").getByRole("button", { name: "Pause" }).click();
    await page.waitForTimeout(300);
    const stands = await clock();
    await page.waitForTimeout(300);
    expect(await clock()).toBe(stands);
  });

  test.each([
    { model: "pendulum", label: "mass", isRestarted: false },
    { model: "peaucellier", label: "motor", isRestarted: true },
    { model: "bouncing-ball", label: "gravity", isRestarted: false },
    { model: "bouncing-ball", label: "bounce", isRestarted: true },
  ])("gives a slider's value to the live $model in the same view: $label", async (one) => {
    await page.goto(`${server.origin}/play.html?model=${one.model}`);
    await done();
    await page.waitForSelector(".cm-content");
    await page.locator("#mode-live").click();
    const view = page.locator("#live .nodrift-view");
    const clock = async () =>
      Number.parseFloat((await page.locator("#live .clock").first().textContent()) ?? "NaN");
    await expect.poll(clock, { timeout: 20_000 }).toBeGreaterThan(1);
    await page.locator("#live").getByRole("button", { name: "Pause" }).click();
    await view.evaluate((element) => element.setAttribute("data-first", ""));
    // Frames that the worker sent before it read the message may still come.
    let before = -1;
    await expect
      .poll(
        async () => {
          const last = before;
          before = await clock();
          return before - last;
        },
        { timeout: 20_000, interval: 300 },
      )
      .toBe(0);
    const slider = page.locator("#sliders label", { hasText: one.label }).locator("input");
    await slider.press("ArrowRight");
    if (one.isRestarted) await expect.poll(clock, { timeout: 20_000 }).toBe(0);
    else {
      // The view draws the newest state for the new value: at most one frame of 1/30 s later.
      await page.waitForTimeout(300);
      expect(Math.abs((await clock()) - before)).toBeLessThan(0.034);
    }
    expect(await view.count()).toBe(1);
    expect(await view.getAttribute("data-first")).toBe("");
    await page.locator("#live").getByRole("button", { name: "Play" }).click();
    await expect.poll(clock, { timeout: 20_000 }).toBeGreaterThan(one.isRestarted ? 0.1 : before);
    await page.locator("#live").getByRole("button", { name: "Back to the start" }).click();
    await done();
    expect(await page.locator("#status.bad").count()).toBe(0);
  });

  test("writes a slider's value into a long text that is still being parsed", async () => {
    await page.goto(`${server.origin}/play.html?model=hmmwv`);
    await done();
    await page.waitForSelector(".cm-content");
    const input = page.locator("#sliders input").first();
    await input.evaluate((slider: HTMLInputElement) => {
      for (let i = 0; i < 50; i++) {
        slider.value = String(Number(slider.value) + (i % 2 ? 1 : -1) * Number(slider.step));
        slider.dispatchEvent(new Event("input"));
      }
    });
    await done();
    expect(await page.locator("#problems").isHidden()).toBe(true);
    expect(await text("status")).toContain("14 bodies");
  });

  test.each([
    { model: "pendulum", label: "mass" },
    { model: "slider-crank", label: "gravity" },
    { model: "peaucellier", label: "motor" },
    { model: "equations-pendulum", label: "length" },
  ])("runs $model with a slider's value as it runs a file with that value", async (one) => {
    /** Steps, drift and energy error, without computing times. */
    const results = async (of: Page) => {
      const caption = (await of.locator(".lane figcaption").textContent()) ?? "";
      return caption.slice(0, caption.indexOf("computed in"));
    };
    await page.goto(`${server.origin}/play.html?model=${one.model}`);
    await done();
    await page.waitForSelector(".cm-content");
    const before = await results(page);
    const slider = page.locator("#sliders label", { hasText: one.label }).locator("input");
    for (let i = 0; i < 9; i++) await slider.press("ArrowRight");
    await page.locator("#share").click();
    await page.waitForFunction(() => location.hash.startsWith("#m="));
    const other = await browser.newPage();
    await other.goto(page.url());
    await other.waitForFunction(() => {
      const caption = document.querySelector(".lane figcaption")?.textContent ?? "";
      const status = document.getElementById("status")?.textContent ?? "";
      return caption.includes("steps") && !status.includes("Computing");
    });
    await expect.poll(() => results(page), { timeout: 20_000 }).toBe(await results(other));
    expect(await results(other)).not.toBe(before);
    await other.close();
  });

  test("logs no errors and violates no policy", () => {
    expect(wrong).toEqual([]);
  });
});
