// Renders a page as one self-contained text that loads nothing else.

import type { Block, Page, Plot } from "./blocks.js";
import { pageHashes, pageScript, pageStyle } from "./generated-page.js";
import { element, escaped, factsHtml, notesHtml, tableHtml } from "./html.js";
import type { PageData, PlotData } from "./page-data.js";
import { sizeOf, toJson, type Written, writePlot, writeScene } from "./write-data.js";

/** Content security policy: only the script and style of this page are allowed, so that texts cannot inject code. */
const POLICY = [
  "default-src 'none'",
  `script-src '${pageHashes.script}'`,
  `style-src '${pageHashes.style}'`,
  "img-src data:",
].join("; ");

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M3 13 8 4l5 5' " +
  "fill='none' stroke='%233b6fd4' stroke-width='2.5' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

/** Maximum size of a page in bytes, apart from its first and last few. */
const MAX_PAGE_BYTES = 980_000;
const WITHOUT_SCRIPT = "Animations and plots need a browser with scripts enabled.";

/**
 * Renders a page that works offline from a file and is smaller than 1 MB. Long motions and curves are thinned; the page
 * notes that.
 *
 * @example
 * const plot = { title: "Height", x: { label: "t", unit: "s" }, y: { label: "z", unit: "m" },
 *   series: [{ name: "ball", x: solution.time, y: solution.body("ball").position[2] }] };
 * writeFileSync("run.html", renderPage({ title: "Ball", blocks: [{ kind: "plot", plot }] }));
 */
export function renderPage(page: Page): string {
  const body = bodyOf(page.blocks).join("");
  const title = escaped(page.title);
  const header = element(
    "header",
    "",
    element("h1", "", title),
    page.subtitle === undefined ? "" : element("p", "subtitle", escaped(page.subtitle)),
  );
  const [style, script] = [pageStyle(), pageScript()];
  const { data, notes } = dataOf(page.blocks, MAX_PAGE_BYTES - sizeOf(style + script + body));
  const footer = [page.footer, ...notes].filter((line) => line !== undefined);
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<link rel="icon" href="${ICON}">`,
    `<style>${style}</style></head><body>`,
    element("main", "", header, body),
    element("footer", "", ...footer.map((line) => element("p", "", escaped(line)))),
    element("noscript", "", element("p", "", WITHOUT_SCRIPT)),
    `<script type="application/json" id="data">${toJson(data)}</script>`,
    `<script>${script}</script></body></html>`,
    "",
  ].join("\n");
}

/** Returns the data of the script, in the order of the page, within `room` bytes. */
function dataOf(
  blocks: readonly Block[],
  room: number,
): { readonly data: PageData; readonly notes: readonly string[] } {
  const animations = blocks.filter((block) => block.kind === "animation");
  const lines = blocks.filter(isPlot).reduce((sum, { plot }) => sum + plot.series.length, 0);
  const plots: Written<PlotData>[] = [];
  let passed = 0;
  for (const block of blocks) {
    if (block.kind === "animation") passed++;
    // A plot before all animations is synchronised with the first one.
    const scene = animations.length === 0 ? -1 : Math.max(0, passed - 1);
    if (isPlot(block)) plots.push(writePlot(block.plot, scene, Math.max(1, lines)));
  }
  const left = room - sizeOf(toJson(plots));
  const scenes = animations.map(({ scene }) => writeScene(scene, animations.length, left));
  return {
    data: { scenes: scenes.map(({ data }) => data), plots: plots.map(({ data }) => data) },
    notes: [...new Set([...scenes, ...plots].flatMap(({ notes }) => notes))],
  };
}

function isPlot(block: Block): block is { readonly kind: "plot"; readonly plot: Plot } {
  return block.kind === "plot";
}

function bodyOf(blocks: readonly Block[]): string[] {
  const parts: string[] = [];
  let grid: string[] = [];
  const closeGrid = () => {
    if (grid.length > 0) parts.push(element("section", "plots", ...grid));
    grid = [];
  };
  const room = roomOfTables(blocks);
  for (const block of blocks) {
    if (isPlot(block)) {
      grid.push(element("figure", "card plot", element("h3", "", escaped(block.plot.title))));
      continue;
    }
    closeGrid();
    parts.push(blockHtml(block, room));
  }
  closeGrid();
  return parts;
}

/** Bytes for all tables of a page: with animations, with plots only, and alone. */
const TABLE_BYTES = 120_000;
const TABLE_BYTES_WITH_PLOTS = 450_000;
const TABLE_BYTES_ALONE = 700_000;

/** Returns the bytes for each table: unlimited if all fit, else an equal share. */
function roomOfTables(blocks: readonly Block[]): number {
  const tables = blocks.filter((block) => block.kind === "table");
  const has = (wanted: Block["kind"]) => blocks.some(({ kind }) => kind === wanted);
  const most = has("animation")
    ? TABLE_BYTES
    : has("plot")
      ? TABLE_BYTES_WITH_PLOTS
      : TABLE_BYTES_ALONE;
  const all = Number.POSITIVE_INFINITY;
  const wanted = tables.reduce((sum, table) => sum + sizeOf(tableHtml(table, all)), 0);
  return wanted <= most ? all : most / tables.length;
}

function blockHtml(block: Exclude<Block, { readonly kind: "plot" }>, room: number): string {
  switch (block.kind) {
    case "facts":
      return factsHtml(block.title, block.facts);
    case "notes":
      return notesHtml(block.title, block.notes);
    case "table":
      return tableHtml(block, room);
    case "heading":
      return element("h2", "", escaped(block.text));
    case "animation":
      return element("section", "", element("figure", "card animation"));
  }
}
