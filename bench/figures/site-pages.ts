// The published pages: their console errors, and their broken links.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { serveFolder } from "../support/site-server.js";
import { atMost, type Figure, reported } from "./figure.js";
import { type Visit, visitsOf } from "./site-visits.js";

/** Built by `npm run site`. */
export const SITE = "build/site";
export const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"];

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** Complaints and links. */
export async function* sitePageFigures(): AsyncGenerator<Figure> {
  if (!existsSync(`${SITE}/play.html`)) throw new Error("build the site first: npm run site");
  yield atMost("broken links of all pages", brokenLinks().length, 0);
  const server = await serveFolder(SITE);
  const browser = await launch();
  try {
    yield reported("pages, and states of pages, that are looked at", visits().length);
    const found = await complaints(browser, server.origin);
    yield atMost(
      "console errors and violations of the policy, all pages at two widths, light and dark",
      found.errors.length,
      0,
    );
    yield atMost(
      "serious findings of axe-core, all pages at two widths, light and dark",
      found.findings.length,
      0,
    );
  } finally {
    await browser.close();
    server.close();
  }
}

/** Pages, and the playground and reports in each of their states. */
const visits = (): readonly Visit[] => visitsOf(pagesOf());

const pagesOf = () => [
  "index.html",
  "play.html",
  ...readdirSync(`${SITE}/docs`)
    .filter((name) => name.endsWith(".html"))
    .map((name) => `docs/${name}`),
];

/** Links and sources of all pages without a target file or heading. */
export function brokenLinks(): string[] {
  const texts = new Map(pagesOf().map((page) => [page, readFileSync(`${SITE}/${page}`, "utf8")]));
  const broken: string[] = [];
  for (const [page, text] of texts) {
    for (const [, link] of text.matchAll(/\b(?:href|src)="([^"]+)"/g)) {
      if (/^[a-z][a-z+.-]*:/i.test(link!)) continue;
      const [path = "", anchor] = decodeURI(link!).split("#");
      const [file] = path.split("?");
      const target = file === "" ? page : posix.join(posix.dirname(page), file!);
      const isThere = existsSync(`${SITE}/${target}`);
      const other = texts.get(target);
      const hasAnchor =
        anchor === undefined || other === undefined || other.includes(`id="${anchor}"`);
      if (!isThere || !hasAnchor) broken.push(`${page}: ${link}`);
    }
  }
  return broken;
}

/** Console errors of pages, and findings of axe. */
interface Complaints {
  readonly errors: string[];
  readonly findings: string[];
}

/**
 * Findings of all pages at both widths, light and dark. A page is loaded once per width, because phones and desktops
 * get other layouts and scripts. Light and dark are settings that an open page follows.
 */
async function complaints(browser: Browser, origin: string): Promise<Complaints> {
  const found: Complaints = { errors: [], findings: [] };
  for (const width of [390, 1400]) {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      reducedMotion: "reduce",
    });
    for (const visit of visits()) await look(await context.newPage(), origin, visit, width, found);
    await context.close();
  }
  return found;
}

async function look(
  tab: Page,
  origin: string,
  { page, prepare }: Visit,
  width: number,
  { errors, findings }: Complaints,
): Promise<void> {
  let where = `${page} at ${width}`;
  const note = (text: string, list = errors) => {
    list.push(text);
    console.error(`${where}: ${text}`);
  };
  tab.on("console", (message) => {
    if (message.type() === "error") note(message.text());
  });
  tab.on("pageerror", (error) => note(error.message));
  await tab.emulateMedia({ colorScheme: "light" });
  try {
    await tab.goto(`${origin}/${page}`);
    await prepare?.(tab);
  } catch (error) {
    note((error as Error).message.split("\n")[0]!);
  }
  // As an expression of the debugger, which is exempt from content policies.
  await tab.evaluate(axe());
  for (const colorScheme of ["light", "dark"] as const) {
    where = `${page} at ${width}, ${colorScheme}`;
    await tab.emulateMedia({ colorScheme });
    await tab.waitForTimeout(100);
    for (const text of await tab.evaluate(seriousFindings)) note(text, findings);
  }
  await tab.close();
}

let axeText: string | undefined;
function axe(): string {
  axeText ??= readFileSync("node_modules/axe-core/axe.min.js", "utf8");
  return axeText;
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Runs in the page, where axe is. */
async function seriousFindings(): Promise<string[]> {
  const { axe } = globalThis as unknown as {
    readonly axe: { run(options: object): Promise<{ readonly violations: readonly Finding[] }> };
  };
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
