// Rows as text.

/**
 * @param {readonly string[]} header
 * @param {readonly (readonly string[])[]} rows
 */
function textTable(header, rows) {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells) =>
    cells
      .map((cell, k) => (k === 0 ? cell.padEnd(widths[k]) : cell.padStart(widths[k])))
      .join("  ")
      .trimEnd();
  return [
    line(header),
    widths.map((width) => "-".repeat(width)).join("  "),
    ...rows.map(line),
  ].join("\n");
}

const short = (value) => (Number.isFinite(value) ? value.toExponential(1) : "-");
const plain = (value) => (Number.isFinite(value) ? value.toPrecision(3) : "-");

/** @param {readonly import("./measure.mjs").MeasuredRow[]} rows */
export function workPrecisionTable(rows) {
  const header = ["contestant", "dt or tolerance", "CPU ms", "us/step", "error m", "violation m"];
  return textTable(
    [...header, "energy drift", ""],
    rows.map((row) => [
      row.contestant,
      `${row.setting === "step" ? "dt" : "tol"} ${row.value}`,
      plain(row.milliseconds),
      plain(row.microsecondsPerStep),
      short(row.error),
      short(row.violation),
      short(row.energy),
      row.failure ?? "",
    ]),
  );
}
