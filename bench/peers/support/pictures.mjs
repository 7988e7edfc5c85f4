// Work-precision plots as SVG: log-log, transparent, legible on light and on dark pages.

const WIDTH = 912;
const PLOT = { left: 76, top: 62, width: 520, height: 400 };
const HEIGHT = PLOT.top + PLOT.height + 62;
const LEGEND = PLOT.left + PLOT.width + 28;

/** Points worse than this belong to diverged runs and are omitted. */
const ASTRAY = 10;
/** Smaller values are drawn here: rounding. */
const FLOOR = 1e-16;

/** Medium luminance, which contrasts with white and black. One for each contestant of a peer. */
const COLOURS = {
  nodrift: ["#d6336c", "#f0609a", "#b0246f", "#c2410c", "#ff5a36", "#e8890c"],
  "@mujoco/mujoco": ["#1c7ed6", "#63a8e8"],
  "@dimforge/rapier3d-compat": ["#2f9e44", "#74b816", "#0ca678"],
  "jolt-physics": ["#8a63d2", "#b08be8"],
  "cannon-es": ["#868e96", "#a8917a"],
  "ammojs-typed": ["#a0713c", "#c79a55"],
  planck: ["#1098ad", "#55b8c9"],
  "@babylonjs/havok": ["#7a8f00"],
};
const MARKERS = ["circle", "square", "diamond", "triangle", "cross", "circle"];

/** @typedef {import("./measure.mjs").MeasuredRow} MeasuredRow */

/**
 * @param {import("../problems/problem.mjs").Problem} problem
 * @param {readonly MeasuredRow[]} rows
 */
export function picturesOf(problem, rows) {
  const pictures = [
    { key: "violation", text: "largest distance between the two points of a joint, m" },
  ];
  if (problem.error !== undefined) pictures.unshift({ key: "error", text: problem.errorText });
  return pictures.map(({ key, text }) => ({
    file: `${problem.name}-${key}.svg`,
    svg: picture(problem.title, text, curvesOf(rows, key)),
  }));
}

/** One curve for each contestant, with its colour and marker. */
function curvesOf(rows, key) {
  const byName = grouped(rows);
  const used = {};
  return [...byName].map(([name, own]) => {
    const { peer } = own[0];
    used[peer] = (used[peer] ?? -1) + 1;
    const colours = COLOURS[peer] ?? ["#868e96"];
    const points = own
      .filter((row) => row.failure === undefined && row[key] <= ASTRAY)
      .map((row) => [row.milliseconds, Math.max(row[key], FLOOR)])
      .sort(([a], [b]) => a - b);
    const colour = colours[used[peer] % colours.length];
    return { name, peer, points, colour, marker: MARKERS[used[peer] % MARKERS.length] };
  });
}

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) {
    groups.set(row.contestant, [...(groups.get(row.contestant) ?? []), row]);
  }
  return groups;
}

function picture(title, text, curves) {
  const points = curves.flatMap((curve) => curve.points);
  const x = axis(
    points.map(([value]) => value),
    (part) => PLOT.left + part * PLOT.width,
  );
  const y = axis(
    points.map(([, value]) => value),
    (part) => PLOT.top + (1 - part) * PLOT.height,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">
<title>${escaped(`${title}: ${text}, against CPU time`)}</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #24292f; }
.title { font-size: 17px; font-weight: 600; }
.grid { stroke: #8c959f; stroke-opacity: 0.28; }
.frame { stroke: #8c959f; fill: none; }
.curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.own { stroke-width: 3; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } }
</style>
<text class="title" x="${PLOT.left}" y="24">${escaped(title)}</text>
<text x="${PLOT.left}" y="46">${escaped(text)}</text>
${gridOf(x, y)}
<text x="${PLOT.left + PLOT.width / 2}" y="${HEIGHT - 14}" text-anchor="middle">CPU time of the run, ms</text>
${[...curves].reverse().map(curveOf(x, y)).join("\n")}
${curves.map(legendLine).join("\n")}
</svg>
`;
}

/** A logarithmic axis over whole decades. */
function axis(values, place) {
  const logs = values.map(Math.log10);
  const low = Math.floor(Math.min(...logs));
  const high = Math.max(Math.ceil(Math.max(...logs)), low + 1);
  const decades = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return {
    at: (value) => place((Math.log10(value) - low) / (high - low)),
    lines: decades,
    labels: decades.filter((decade) => (high - decade) % (decades.length > 9 ? 2 : 1) === 0),
  };
}

function gridOf(x, y) {
  const bottom = PLOT.top + PLOT.height;
  const right = PLOT.left + PLOT.width;
  const round = (value) => value.toFixed(1);
  const columns = x.lines.map((decade) => {
    const at = round(x.at(10 ** decade));
    return `<path class="grid" d="M${at} ${PLOT.top}V${bottom}"/>`;
  });
  const rows = y.lines.map((decade) => {
    const at = round(y.at(10 ** decade));
    return `<path class="grid" d="M${PLOT.left} ${at}H${right}"/>`;
  });
  const below = x.labels.map((decade) => {
    const at = round(x.at(10 ** decade));
    return `<text x="${at}" y="${bottom + 20}" text-anchor="middle">${power(decade)}</text>`;
  });
  const beside = y.labels.map((decade) => {
    const at = round(y.at(10 ** decade) + 4.5);
    return `<text x="${PLOT.left - 9}" y="${at}" text-anchor="end">${power(decade)}</text>`;
  });
  const frame = `<rect class="frame" x="${PLOT.left}" y="${PLOT.top}" width="${PLOT.width}" height="${PLOT.height}"/>`;
  return [...columns, ...rows, ...below, ...beside, frame].join("\n");
}

/** An integer power of ten as text. */
function power(exponent) {
  if (exponent >= 0 && exponent <= 4) return String(10 ** exponent);
  const digits = [...String(exponent)].map((digit) =>
    digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)],
  );
  return `10${digits.join("")}`;
}

const curveOf = (x, y) => (curve) => {
  const places = curve.points.map(([work, value]) => [x.at(work), y.at(value)]);
  const path = places.map(([a, b], i) => `${i === 0 ? "M" : "L"}${a.toFixed(1)} ${b.toFixed(1)}`);
  const own = curve.peer === "nodrift" ? " own" : "";
  const markers = places.map(([a, b]) => markerOf(curve, a, b));
  return `<path class="curve${own}" stroke="${curve.colour}" d="${path.join("")}"/>${markers.join("")}`;
};

function legendLine(curve, index) {
  const y = PLOT.top + 10 + index * 22;
  const own = curve.peer === "nodrift" ? " own" : "";
  return `<path class="curve${own}" stroke="${curve.colour}" d="M${LEGEND} ${y}h26"/>${markerOf(curve, LEGEND + 13, y)}
<text x="${LEGEND + 34}" y="${y + 4.5}">${escaped(curve.name)}${curve.points.length === 0 ? " (astray)" : ""}</text>`;
}

function markerOf({ marker, colour }, x, y) {
  const at = `transform="translate(${x.toFixed(1)} ${y.toFixed(1)})"`;
  const shapes = {
    circle: `<circle r="4" fill="${colour}" ${at}/>`,
    square: `<path d="M-3.6-3.6h7.2v7.2h-7.2z" fill="${colour}" ${at}/>`,
    diamond: `<path d="M0-5L5 0L0 5L-5 0z" fill="${colour}" ${at}/>`,
    triangle: `<path d="M0-5L4.8 3.8H-4.8z" fill="${colour}" ${at}/>`,
    cross: `<path d="M-4-4L4 4M-4 4L4-4" stroke="${colour}" stroke-width="2.4" ${at}/>`,
  };
  return shapes[marker];
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
