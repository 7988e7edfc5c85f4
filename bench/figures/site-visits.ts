// Pages to inspect: each page after loading, and the playground and reports in further states.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import type { Page } from "playwright-core";

export interface Visit {
  /** Its address below the site. */
  readonly page: string;
  /** Brings it to the state to inspect. */
  readonly prepare?: (tab: Page) => Promise<void>;
}

/** Models whose reports are inspected: a vehicle, a run with modes, a linkage, equations. */
const REPORTS = ["hmmwv", "trebuchet", "slider-crank", "equations-pendulum"];
const SITE = "build/site";

/** Waits for the first motion and its plots. */
async function moves(tab: Page): Promise<void> {
  await tab.waitForFunction(() =>
    document.querySelector(".lane figcaption")?.textContent?.includes("steps"),
  );
  await tab.waitForSelector("figure.plot");
}

const STATES: readonly (readonly [model: string, prepare: (tab: Page) => Promise<void>])[] = [
  ["slider-crank", async (tab) => await tab.locator("#two").check()],
  [
    "pendulum",
    async (tab) => {
      await tab.locator("#editor").click();
      await tab.waitForSelector(".cm-content");
      await tab.locator(".cm-line", { hasText: '"mass"' }).first().click();
      await tab.keyboard.press("End");
      await tab.keyboard.insertText(" x");
      await tab.waitForSelector("#problems li");
    },
  ],
  [
    "pendulum",
    async (tab) => {
      await tab.locator("#tab-compare").click();
      await tab.locator("#compare-panel button").last().click();
      await tab.waitForTimeout(1500);
    },
  ],
  ["hmmwv", async (tab) => await tab.locator("#tab-about").click()],
  ["equations-pendulum", async () => {}],
];

/** Every page after loading, all models live, the playground in its states, and reports of the command line. */
export function visitsOf(pages: readonly string[]): readonly Visit[] {
  const models = readdirSync(`${SITE}/models`).map((name) => name.replace(/\.json$/, ""));
  const mechanisms = models.filter((name) => !name.startsWith("equations-"));
  return [
    ...pages.map((page) => ({
      page,
      ...(page === "play.html" && { prepare: moves }),
      ...(page === "index.html" && { prepare: (tab: Page) => tab.waitForTimeout(1500) }),
    })),
    ...mechanisms.map((model) => ({ page: `play.html?model=${model}`, prepare: live })),
    ...STATES.map(([model, prepare]) => ({
      page: `play.html?model=${model}`,
      prepare: async (tab: Page) => {
        await moves(tab);
        await prepare(tab);
      },
    })),
    ...reports().map((page) => ({ page, prepare: (tab: Page) => tab.waitForTimeout(300) })),
  ];
}

async function live(tab: Page): Promise<void> {
  await tab.waitForFunction(() =>
    document.querySelector(".lane figcaption")?.textContent?.includes("steps"),
  );
  await tab.locator("#mode-live").click();
  await tab.waitForSelector("#live canvas");
}

/** Pages that the command line writes, next to those of the site. */
function reports(): readonly string[] {
  mkdirSync(`${SITE}/reports`, { recursive: true });
  return REPORTS.map((model) => {
    const out = `build/reports/${model}`;
    execFileSync(process.execPath, ["dist/cli.js", "run", model, "--out", out]);
    const page = readdirSync(out).find((name) => name.endsWith(".html"))!;
    copyFileSync(`${out}/${page}`, `${SITE}/reports/${model}.html`);
    return `reports/${model}.html`;
  });
}
