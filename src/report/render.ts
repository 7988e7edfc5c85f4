// Renders a page as one self-contained text that loads nothing else.

import type { Plot, Scene } from "../draw/scene-data.js";
import type { PageData, PlotData } from "./encode.js";
import { pageHashes, pageScript, pageStyle } from "./generated-page.js";
import { grouped, sizeOf, toJson, type Written, writePlot, writeScene } from "./write-data.js";

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
  return documentHtml({
    title,
    style,
    script,
    hashes: pageHashes,
    main: header + body,
    footer,
    data: toJson(data),
    more: element("noscript", "", element("p", "", WITHOUT_SCRIPT)),
  });
}

/** Returns a page with its style, script and data. Its security policy allows only these, so that texts cannot inject code. */
export function documentHtml(parts: {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  readonly hashes: { readonly script: string; readonly style: string };
  readonly main: string;
  readonly footer: readonly string[];
  /** JSON, escaped for a script element. */
  readonly data: string;
  readonly more?: string;
}): string {
  const { title, style, script, hashes, main, footer, data, more = "" } = parts;
  const policy = `default-src 'none'; script-src '${hashes.script}'; style-src '${hashes.style}'; img-src data:`;
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<link rel="icon" href="${ICON}">`,
    `<style>${style}</style></head><body>`,
    element("main", "", main),
    more,
    element("footer", "", ...footer.map((line) => element("p", "", escaped(line)))),
    `<script type="application/json" id="data">${data}</script>`,
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

// Renders blocks without script as HTML. Every text is escaped.

const SYMBOLS: Readonly<Record<Tone, string>> = { good: "✓", warn: "!", bad: "✕" };
const WORDS: Readonly<Record<Tone, string>> = { good: "good", warn: "note", bad: "bad" };
/** Maximum number of notes shown. */
const MAX_NOTES = 200;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML, also inside attributes. */
export function escaped(text: string | number): string {
  return String(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Returns an element, or an empty text if it has no content. */
export function element(name: string, classes: string, ...parts: readonly string[]): string {
  const attribute = classes === "" ? "" : ` class="${classes}"`;
  return `<${name}${attribute}>${parts.join("")}</${name}>`;
}

export function titleOf(title: string | undefined): string {
  return title === undefined ? "" : element("h2", "", escaped(title));
}

/** Returns a symbol in addition to the colour, for colour-blind readers. */
function badge(tone: Tone): string {
  return `<span class="badge" role="img" aria-label="${WORDS[tone]}">${SYMBOLS[tone]}</span>`;
}

export function factsHtml(title: string | undefined, facts: readonly Fact[]): string {
  const cards = facts.map(({ label, value, unit, tone, hint }) =>
    element(
      "div",
      tone === undefined ? "card fact" : `card fact ${tone}`,
      element("dt", "", escaped(label)),
      element(
        "dd",
        "",
        tone === undefined ? "" : badge(tone),
        element("span", "value", escaped(value)),
        unit === undefined ? "" : element("span", "unit", escaped(unit)),
      ),
      hint === undefined ? "" : element("dd", "hint", escaped(hint)),
    ),
  );
  return element("section", "", titleOf(title), element("dl", "facts", ...cards));
}

export function notesHtml(title: string | undefined, notes: readonly string[]): string {
  const shown = notes.length > MAX_NOTES ? notes.slice(0, MAX_NOTES) : notes;
  const rest = notes.length - shown.length;
  const lines = [...shown, ...(rest > 0 ? [`And ${grouped(rest)} more.`] : [])].map((note) =>
    element("li", "", escaped(note)),
  );
  return element("section", "", titleOf(title), element("ul", "card notes", ...lines));
}

/** Renders a table in a limited number of bytes; rows that do not fit are omitted, with a note. */
export function tableHtml(table: TableBlock, room: number): string {
  const { title, caption, columns, rows, collapsed } = table;
  const head = columns.map((column) => cellHtml("th", column, column.name)).join("");
  const lines: string[] = [];
  let left = room;
  for (const row of rows) {
    const line = element(
      "tr",
      "",
      ...row.map((cell, i) => {
        const column = columns[i] ?? { name: "" };
        return labelled(cellHtml("td", column, cell), column);
      }),
    );
    left -= sizeOf(line);
    if (left < 0) break;
    lines.push(line);
  }
  const missing = rows.length - lines.length;
  const below = [
    ...(caption === undefined ? [] : [escaped(caption)]),
    ...(missing === 0 ? [] : [`${grouped(missing)} of ${grouped(rows.length)} rows are omitted.`]),
  ];
  const content = element(
    "div",
    "card",
    `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(title ?? "Table")}">`,
    element("table", "", `<thead><tr>${head}</tr></thead><tbody>${lines.join("")}</tbody>`),
    "</div>",
    below.length === 0 ? "" : element("p", "caption", below.join(" ")),
  );
  if (!collapsed) return element("section", "", titleOf(title), content);
  const summary = element("summary", "", escaped(title ?? "Table"));
  return element("section", "", element("details", "", summary, content));
}

/** Adds the column name to a cell, shown on narrow screens. */
function labelled(cell: string, { name }: TableColumn): string {
  return name === "" ? cell : cell.replace("<td", `<td data-label="${escaped(name)}"`);
}

function cellHtml(name: "th" | "td", { align }: TableColumn, cell: Cell): string {
  const { text, tone, hint } = typeof cell === "string" ? { text: cell } : cell;
  const classes = [align === "right" ? "right" : "", tone ?? ""].filter(Boolean).join(" ");
  return element(
    name,
    classes,
    tone === undefined ? "" : badge(tone),
    escaped(text),
    hint === undefined ? "" : element("small", "", escaped(hint)),
  );
}

// Blocks of a page.

/** An assessment, shown by a colour and a symbol. */
export type Tone = "good" | "warn" | "bad";

/** A key figure. */
export interface Fact {
  readonly label: string;
  readonly value: string | number;
  readonly unit?: string;
  readonly tone?: Tone;
  /** Additional line in small type. */
  readonly hint?: string;
}

export type Cell = string | { readonly text: string; readonly tone?: Tone; readonly hint?: string };

export interface TableColumn {
  readonly name: string;
  readonly align?: "left" | "right";
}

export interface TableBlock {
  readonly title?: string;
  readonly caption?: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether the table is collapsed until its title is clicked. */
  readonly collapsed?: boolean;
}

export type Block =
  | { readonly kind: "facts"; readonly title?: string; readonly facts: readonly Fact[] }
  | { readonly kind: "notes"; readonly title?: string; readonly notes: readonly string[] }
  | ({ readonly kind: "table" } & TableBlock)
  | { readonly kind: "animation"; readonly scene: Scene }
  /** Consecutive plots form a grid. */
  | { readonly kind: "plot"; readonly plot: Plot }
  | { readonly kind: "heading"; readonly text: string };

export interface Page {
  /** Title of the window and heading of the page. */
  readonly title: string;
  readonly subtitle?: string;
  readonly blocks: readonly Block[];
  readonly footer?: string;
}
