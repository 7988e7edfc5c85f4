// Views in a real browser under a strict policy: the program of docs/view.md, pointer and key input, and clean-up.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { BodySimulation, Grip } from "nodrift/bodies";
import type { View } from "nodrift/view";
import { type Browser, chromium, type Page } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../support/chromium.mjs";
import { serve } from "../support/server.js";

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src blob: data:";
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--no-first-run",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--enable-precise-memory-info",
  "--js-flags=--expose-gc",
];
const executablePath = findChromium();

/** Created by the page: the simulation of the docs, and views of it. */
interface Lab {
  readonly simulation: BodySimulation;
  readonly again: (options?: object) => View;
  shown: View;
  grip?: Grip;
}

declare global {
  var lab: Lab;
}

/** Returns the program of the page, with access for tests. */
function program(): string {
  const blocks = [...readFileSync("docs/view.md", "utf8").matchAll(/```js\n([\s\S]*?)```/g)];
  expect(blocks).toHaveLength(2);
  const [first, second] = blocks.map(([, text]) => text);
  return `${first}
${second}
globalThis.lab = { simulation, picture, again: (options) => view(document.querySelector("#machine"), simulation, options) };`;
}

/** Returns the page of docs/how-to.md: its HTML and its program. */
function howTo(): { readonly html: string; readonly script: string } {
  const [, block] = /```html\n([\s\S]*?)```/.exec(readFileSync("docs/how-to.md", "utf8"))!;
  const [, html, script] = /^([\s\S]*?)<script type="module">([\s\S]*?)<\/script>/.exec(block!)!;
  return { html: html!, script: script! };
}

/** Returns the files of a bundled program by their paths: its own script, and the parts that it loads later. */
async function bundled(name: string, program: string): Promise<Record<string, string>> {
  const { compilerOptions } = JSON.parse(readFileSync("tsconfig.tools.json", "utf8"));
  const alias = Object.fromEntries(
    Object.entries<string[]>(compilerOptions.paths).map(([name, [path]]) => [
      `${name}$`,
      resolve(path),
    ]),
  );
  const build = await rolldown({
    input: "page",
    external: [/^node:/],
    resolve: { alias },
    plugins: [
      {
        name: "given",
        resolveId: (id) => (id === "page" ? resolve("page.ts") : null),
        load: (id) => (id === resolve("page.ts") ? program : null),
      },
    ],
    logLevel: "silent",
  });
  const { output } = await build.generate({
    format: "esm",
    entryFileNames: `${name}.js`,
    chunkFileNames: `${name}-[name]-[hash].js`,
  });
  await build.close();
  return Object.fromEntries(
    output.flatMap((part) => (part.type === "chunk" ? [[`/${part.fileName}`, part.code]] : [])),
  );
}

describe.skipIf(executablePath === undefined)("a view in Chromium", () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    const own = howTo();
    const scripts: Record<string, string | undefined> = {
      ...(await bundled("page", program())),
      ...(await bundled("how-to", own.script)),
    };
    const html = `<!doctype html><html lang="en"><title>View</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css">
      <div id="machine"></div><script type="module" src="/page.js"></script>`;
    const files: Record<string, readonly [string, string]> = {
      "/": ["text/html", html],
      "/how-to": ["text/html", `${own.html}<script type="module" src="/how-to.js"></script>`],
      "/page.css": ["text/css", "body { margin: 0 } #machine { height: 600px }"],
    };
    server = await serve((path) => {
      const [type, body] = files[path] ?? ["text/javascript", scripts[path]];
      const headers = { "content-type": type ?? "", "content-security-policy": POLICY };
      return body === undefined ? undefined : { headers, body };
    });
    browser = await chromium.launch({ executablePath: executablePath as string, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test("shows the page of docs/how-to.md", async () => {
    const page = await browser.newPage();
    const wrong: string[] = [];
    page.on("pageerror", (error) => wrong.push(error.message));
    await page.goto(`${server.origin}/how-to`);
    await page.waitForSelector("#machine canvas");
    await page.close();
    expect(wrong).toEqual([]);
  });

  async function open(act: (page: Page) => Promise<void>, before?: () => void): Promise<void> {
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    const complaints: string[] = [];
    page.on("console", (message) => {
      // Ignored: output of the program itself, and Chromium's warnings about slow reads in software rendering.
      if (!/^image\/png|GPU stall|GroupMarkerNotSet/.test(message.text()))
        complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    if (before) await page.addInitScript(before);
    await page.goto(server.origin);
    await page.waitForFunction(() => "lab" in globalThis);
    await act(page);
    await page.close();
    expect(complaints).toEqual([]);
  }

  test("runs the program of the docs, and cleans up completely", () =>
    open(async (page) => {
      expect(await page.locator("#machine > *").count()).toBe(0);
      const size = await page.evaluate(
        () => (globalThis.lab as never as { picture: Blob }).picture.size,
      );
      expect(size).toBeGreaterThan(5000);
    }));

  test("handles drags, clicks and keys", () =>
    open(async (page) => {
      await page.evaluate(() => {
        lab.shown = lab.again({ projection: "orthographic", from: "front", play: true });
      });
      const canvas = page.locator("canvas.picture");
      // Locate the ball by its name, which stands next to it.
      await page.evaluate(() => lab.shown.pause());
      const box = (await canvas.boundingBox())!;
      const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
      const hit = await page.evaluate(
        ([x0, y0]) => {
          for (let r = 0; r < 320; r += 6) {
            for (let a = 0; a < 24; a++) {
              const at = [x0 + r * Math.cos(a), y0 + r * Math.sin(a)];
              const element = document.querySelector("#machine > *")!.shadowRoot!;
              const target = element.querySelector<HTMLCanvasElement>("canvas.picture")!;
              for (const type of ["pointerdown", "pointerup"]) {
                const event = {
                  clientX: at[0],
                  clientY: at[1],
                  pointerId: 1,
                  button: 0,
                  shiftKey: true,
                };
                target.dispatchEvent(new PointerEvent(type, event));
              }
              const title = element.querySelector(".panel:not([hidden]) h2")?.textContent;
              if (title === "ball") return at;
              lab.shown.select(undefined);
            }
          }
          return undefined;
        },
        [left, top],
      );
      expect(hit).toBeDefined();
      const [x, y] = hit!;
      const panel = page.locator(".panel");
      await expect.poll(() => panel.innerText()).toMatch(/body of 2 kg[\s\S]*speed/);
      await page.evaluate(() => {
        const grab = lab.simulation.grab.bind(lab.simulation);
        lab.simulation.grab = (...given) => {
          lab.grip = grab(...given);
          return lab.grip;
        };
      });
      const target = () => page.evaluate(() => lab.grip!.target);
      await page.mouse.move(x, y);
      await page.mouse.down();
      const from = await target();
      await page.mouse.move(x + 160, y - 60, { steps: 4 });
      const to = await target();
      // The target follows the pointer in the plane of the screen: x to the right, z up.
      expect(to[0]).toBeGreaterThan(from[0] + 0.05);
      expect((to[2] - from[2]) / (to[0] - from[0])).toBeCloseTo(60 / 160, 6);
      expect(to[1]).toBeCloseTo(from[1], 9);
      await page.evaluate(() => lab.shown.play());
      await expect
        .poll(() => page.evaluate(() => Math.hypot(...lab.grip!.force)), { timeout: 20_000 })
        .toBeGreaterThan(0);
      await page.mouse.up();
      expect(await page.evaluate(() => lab.grip!.isHolding)).toBe(false);
      await canvas.focus();
      await page.keyboard.press("Escape");
      expect(await panel.isVisible()).toBe(false);
      await page.keyboard.press(" ");
      expect(await page.evaluate(() => lab.shown.isPlaying)).toBe(false);
      const time = await page.evaluate(() => lab.shown.time);
      await page.keyboard.press("ArrowRight");
      expect(await page.evaluate(() => lab.shown.time)).toBeCloseTo(time + 1 / 240, 9);
      await page.evaluate(() => lab.shown.rewind());
      expect(await page.evaluate(() => lab.shown.time)).toBe(0);
      await page.evaluate(() => lab.shown.dispose());
    }));

  test("draws in 2D without WebGL, with a notice", () =>
    open(
      async (page) => {
        await page.evaluate(() => {
          lab.shown = lab.again({ show: { reactions: true } });
        });
        expect(await page.evaluate(() => lab.shown.isFlat)).toBe(true);
        await expect
          .poll(() => page.locator(".notice").innerText())
          .toContain("WebGL is not available");
        const colours = await page.evaluate(async () => {
          const bitmap = await createImageBitmap(await lab.shown.picture());
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
          context.drawImage(bitmap, 0, 0);
          const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
          return new Set(new Uint32Array(data.buffer)).size;
        });
        expect(colours).toBeGreaterThan(50);
      },
      () => {
        const get = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
        HTMLCanvasElement.prototype.getContext = function (
          this: HTMLCanvasElement,
          ...given: unknown[]
        ) {
          return String(given[0]).startsWith("webgl") ? null : get.apply(this, given);
        } as never;
      },
    ));

  test("releases contexts and memory when created and disposed repeatedly", () =>
    open(
      async (page) => {
        const { growth, contexts } = await page.evaluate(async () => {
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          const times = async (count: number) => {
            for (let i = 0; i < count; i++) {
              const shown = lab.again({ show: { names: true, reactions: true } });
              await frame();
              shown.select("ball");
              await frame();
              shown.dispose();
            }
            for (let i = 0; i < 3; i++) {
              globalThis.gc?.();
              await new Promise((done) => setTimeout(done, 20));
            }
            return (performance as never as { memory: { usedJSHeapSize: number } }).memory
              .usedJSHeapSize;
          };
          const before = await times(4);
          const after = await times(8);
          const made = (globalThis as never as { made: WebGL2RenderingContext[] }).made;
          return {
            growth: after - before,
            contexts: made.filter((context) => !context.isContextLost()).length,
          };
        });
        expect(contexts).toBe(0);
        expect(growth).toBeLessThan(2e6);
      },
      () => {
        const get = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
        const made: unknown[] = [];
        Object.assign(globalThis, { made });
        HTMLCanvasElement.prototype.getContext = function (
          this: HTMLCanvasElement,
          ...given: unknown[]
        ) {
          const context = get.apply(this, given);
          if (String(given[0]).startsWith("webgl") && context && !made.includes(context))
            made.push(context);
          return context;
        } as never;
      },
    ));
});
