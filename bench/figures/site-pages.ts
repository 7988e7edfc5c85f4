// The pages as visitors get them: what they complain about, and whether their links lead somewhere.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { serveFolder } from "../support/site-server.js";
import { atMost, type Figure } from "./figure.js";

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
    for (const text of [...found.errors, ...found.findings]) console.error(text);
  } finally {
    await browser.close();
    server.close();
  }
}

const pagesOf = () => [
  "index.html",
  "play.html",
  ...readdirSync(`${SITE}/docs`)
    .filter((name) => name.endsWith(".html"))
    .map((name) => `docs/${name}`),
];

/** Links and sources of all pages that lead to no file, or to no heading of it. */
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

/** Of all pages at both widths, light and dark. */
async function complaints(browser: Browser, origin: string) {
  const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
  const errors: string[] = [];
  const findings: string[] = [];
  for (const width of [390, 1400]) {
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: "reduce",
      });
      for (const page of pagesOf()) {
        const where = `${page} at ${width}, ${colorScheme}`;
        const tab = await context.newPage();
        tab.on("console", (message) => {
          if (message.type() === "error") errors.push(`${where}: ${message.text()}`);
        });
        tab.on("pageerror", (error) => errors.push(`${where}: ${error.message}`));
        await tab.goto(`${origin}/${page}`);
        // Gallery and playground have something to compute before they look as they do.
        await tab.waitForTimeout(page.startsWith("docs") ? 50 : 4000);
        // As an expression of the debugger, which policies do not concern.
        await tab.evaluate(axe);
        const found = await tab.evaluate(seriousFindings);
        findings.push(...found.map((text) => `${where}: ${text}`));
        await tab.close();
      }
      await context.close();
    }
  }
  return { errors, findings };
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Runs in the page, where axe is. */
async function seriousFindings(): Promise<string[]> {
  const { axe } = globalThis as unknown as {
    readonly axe: { run(): Promise<{ readonly violations: readonly Finding[] }> };
  };
  const { violations } = await axe.run();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
