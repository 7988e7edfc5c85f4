// JSON as people like to read it: what fits into a line is in one, and lists of entries have a line each.

import type { Json } from "./document.js";

const WIDTH = 100;

/** The text of a value, ending with a line break. */
export function formatJson(value: Json): string {
  return `${lines(value, "", 0)}\n`;
}

function lines(value: Json, indent: string, before: number): string {
  const short = inline(value);
  // The outermost object has a line for each key, however short it is.
  const fits = indent.length + before + short.length <= WIDTH && indent !== "";
  if (fits || typeof value !== "object" || value === null) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== "object")) return wrapped(value, indent, inner);
    const entries = value.map((one) => `${inner}${lines(one, inner, 1)}`);
    return `[\n${entries.join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).flatMap(([key, one]) => {
    if (one === undefined) return [];
    const start = `${JSON.stringify(key)}: `;
    return [`${inner}${start}${lines(one, inner, start.length + 1)}`];
  });
  return `{\n${entries.join(",\n")}\n${indent}}`;
}

/** Many numbers or words: as many in a line as fit. */
function wrapped(list: readonly Json[], indent: string, inner: string): string {
  const rows: string[] = [];
  let row = "";
  for (const [i, one] of list.entries()) {
    const cell = `${inline(one)}${i < list.length - 1 ? "," : ""}`;
    if (row !== "" && inner.length + row.length + 1 + cell.length > WIDTH) {
      rows.push(row);
      row = "";
    }
    row = row === "" ? cell : `${row} ${cell}`;
  }
  return `[\n${[...rows, row].map((one) => `${inner}${one}`).join("\n")}\n${indent}]`;
}

function inline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  // JSON has a negative zero, but JSON.stringify does not write it.
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  if (entries.length === 0) return "{}";
  return `{ ${entries.map(([key, one]) => `${JSON.stringify(key)}: ${inline(one as Json)}`).join(", ")} }`;
}
