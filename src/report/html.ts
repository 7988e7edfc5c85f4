// Renders blocks without script as HTML. Every text is escaped.

import type { Cell, Fact, TableBlock, TableColumn, Tone } from "./blocks.js";
import { grouped, sizeOf } from "./write-data.js";

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
      tone === undefined ? "fact" : `fact ${tone}`,
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
