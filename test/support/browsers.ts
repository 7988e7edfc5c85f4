// Common interface of the two test browsers: Chromium (V8) by playwright, Firefox (SpiderMonkey) by WebDriver BiDi, which puppeteer
// supports on the oldest supported Node.

import { chromium } from "playwright-core";
import puppeteer, { type Browser as Fox } from "puppeteer-core";
import { findChromium } from "./chromium.mjs";
import { findFirefox } from "./engines.mjs";

const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** Disables network requests and animations, as in Chromium, so that screenshots can be compared. */
const FIREFOX_PREFERENCES = {
  "ui.prefersReducedMotion": 1,
  "app.update.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
};

/** A page that was opened. */
export interface OpenPage {
  /** Uncaught errors so far. */
  readonly errors: readonly string[];
  /** Console messages. */
  readonly messages: readonly string[];
  /** Runs a function in the page. */
  evaluate<R, Given>(action: (given: Given) => R, given: Given): Promise<Awaited<R>>;
  /** Waits until the action returns a truthy value. */
  until(action: () => unknown): Promise<void>;
  key(name: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** Screenshot of the window as PNG. */
  picture(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
}

/** A browser that was started. */
export interface TestBrowser {
  readonly version: string;
  open(address: string, options?: PageOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface BrowserKind {
  readonly name: "Chromium" | "Firefox";
  readonly path: string | undefined;
  launch(): Promise<TestBrowser>;
}

async function launchChromium(executablePath: string): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  return {
    version: browser.version(),
    close: () => browser.close(),
    async open(address, { width = 1000, height = 800 } = {}) {
      const page = await browser.newPage({
        viewport: { width, height },
        reducedMotion: "reduce",
      });
      const [errors, messages]: [string[], string[]] = [[], []];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => messages.push(message.text()));
      await page.goto(address);
      return {
        errors,
        messages,
        evaluate: (action, given) => page.evaluate(action as never, given) as never,
        until: async (action) => void (await page.waitForFunction(action)),
        key: (name) => page.keyboard.press(name),
        click: (selector) => page.click(selector),
        picture: () => page.screenshot(),
        close: () => page.close(),
      };
    },
  };
}

async function launchFirefox(executablePath: string): Promise<TestBrowser> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath,
    headless: true,
    protocolTimeout: 120_000,
    extraPrefsFirefox: FIREFOX_PREFERENCES,
  });
  return {
    version: (await browser.version()).replace(/^\D+/, ""),
    close: () => browser.close(),
    open: (address, options) => openInFirefox(browser, address, options),
  };
}

async function openInFirefox(
  browser: Fox,
  address: string,
  { width = 1000, height = 800 }: PageOptions = {},
): Promise<OpenPage> {
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  const [errors, messages]: [string[], string[]] = [[], []];
  page.on("pageerror", (error) => {
    const { message } = error as Error;
    // Requests blocked by a policy arrive as errors too; Chromium logs them to the console.
    const isNotice = /^(Content-Security-Policy|Cross-Origin Request Blocked):/.test(message);
    (isNotice ? messages : errors).push(message);
  });
  page.on("console", (message) => messages.push(message.text()));
  await page.goto(address);
  return {
    errors,
    messages,
    evaluate: (action, given) => page.evaluate(action as never, given as never) as never,
    until: async (action) => void (await page.waitForFunction(action as never)),
    key: (name) => page.keyboard.press(name as never),
    click: (selector) => page.click(selector),
    picture: () => page.screenshot(),
    close: () => page.close(),
  };
}

const [chromiumPath, firefoxPath] = [findChromium(), findFirefox()];

/** Both browsers, even if one is not installed, which tests report. */
export const BROWSERS: readonly BrowserKind[] = [
  { name: "Chromium", path: chromiumPath, launch: () => launchChromium(chromiumPath as string) },
  { name: "Firefox", path: firefoxPath, launch: () => launchFirefox(firefoxPath as string) },
];
