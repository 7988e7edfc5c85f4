// Renders the page of a campaign as one self-contained HTML text without external requests.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  documentHtml,
  escaped,
  factsHtml,
  niceAbove,
  pageStyle,
  shortNumber,
  tableHtml,
  tickTexts,
} from "../../src/report/index.js";
import type { CaseResult, FailedCase } from "../cases/result.js";
import type { Ledger } from "../journal/ledger.js";
import { Running } from "../journal/running.js";
import { type SobolIndex, sobolIndices } from "../statistics/indices.js";

// Main effects: the mean of an output for each slice of a parameter, over all other parameters. They exist for any design. If
// parameters vary independently, the variance of these means is approximately the first-order Sobol index.

/** Number of slices of a parameter. */
const SLICES = 10;

/** Mean of an output in a slice of a parameter. */
interface Slice {
  readonly from: number;
  readonly to: number;
  readonly mean: number;
  readonly standardError: number;
  readonly count: number;
}

/** Divides cases into slices of about equal size; equal values stay together. */
function mainEffect(
  results: readonly Extract<CaseResult, { status: "done" }>[],
  parameter: number,
  column: number,
): { readonly slices: readonly Slice[]; readonly share: number } {
  const pairs = results
    .map(({ parameters, outputs }) => [parameters[parameter]!, outputs[column]] as const)
    .filter((pair): pair is readonly [number, number] => pair[1] !== null && pair[1] !== undefined)
    .sort((a, b) => a[0] - b[0]);
  const all = new Running();
  for (const [, y] of pairs) all.add(y);
  const slices: Slice[] = [];
  const distinct = new Set(pairs.map(([x]) => x)).size;
  const least = Math.ceil(pairs.length / Math.min(SLICES, distinct));
  for (let i = 0; i < pairs.length; ) {
    const running = new Running();
    const from = pairs[i]![0];
    let to = from;
    for (; i < pairs.length && (running.count < least || pairs[i]![0] === to); i++) {
      if (distinct <= SLICES && pairs[i]![0] !== from) break;
      to = pairs[i]![0];
      running.add(pairs[i]![1]);
    }
    slices.push({
      from,
      to,
      mean: running.mean,
      standardError: running.standardError,
      count: running.count,
    });
  }
  let between = 0;
  for (const { mean, count } of slices) between += (count * (mean - all.mean) ** 2) / pairs.length;
  // Subtract the variance of the means that is due to chance.
  let chance = 0;
  for (const { standardError, count } of slices) {
    if (count > 1) chance += (count * standardError ** 2) / pairs.length;
  }
  const share = Math.max(0, (between - chance) / all.variance);
  return { slices, share: Number.isFinite(share) ? share : 0 };
}

// Cases on the page: all cases of a small campaign, an even sample of a large one.

type Done = Extract<CaseResult, { status: "done" }>;

/** Largest numbers of plotted cases and of listed failed cases. */
const MAX_PLOTTED_CASES = 20_000;
const MAX_FAILED_CASES = 100;

/** A case of the page: its row and its values. */
interface PageRow {
  readonly row: number;
  readonly result: Done;
  readonly values: readonly (number | null)[];
}

class PageCases {
  /** Names of parameters, then of outputs. */
  readonly names: readonly string[];
  /** Names with units. */
  readonly titles: readonly string[];
  readonly parameters: number;
  readonly outputs: number;
  readonly rows: readonly PageRow[];
  readonly failed: readonly FailedCase[];
  readonly #folder: string;

  constructor(ledger: Ledger, folder: string) {
    const { plan } = ledger;
    this.names = [...plan.parameters, ...plan.columns];
    const units = new Map(
      [...plan.definition.parameters, ...plan.definition.outputs].map(({ name, unit }) => [
        name,
        unit,
      ]),
    );
    this.titles = this.names.map((name) => {
      const unit = units.get(name.replace(/\[\d+\]$/, ""));
      return unit === undefined ? name : `${name} (${unit})`;
    });
    this.parameters = plan.parameters.length;
    this.outputs = plan.columns.length;
    this.#folder = folder;
    const stride = Math.max(1, Math.ceil(ledger.count / MAX_PLOTTED_CASES));
    const rows: PageRow[] = [];
    const failed: FailedCase[] = [];
    for (let i = 0; i < ledger.count; i++) {
      if (ledger.isFailed(i) ? failed.length >= MAX_FAILED_CASES : i % stride > 0) continue;
      const result = ledger.result(i);
      if (result?.status === "failed") failed.push(result);
      else if (result) {
        rows.push({ row: rows.length, result, values: [...result.parameters, ...result.outputs] });
      }
    }
    this.rows = rows;
    this.failed = failed;
  }

  get done(): readonly Done[] {
    return this.rows.map(({ result }) => result);
  }

  /** An even sample of the cases. */
  sample(maximum: number): readonly PageRow[] {
    const stride = Math.max(1, Math.ceil(this.rows.length / maximum));
    return this.rows.filter(({ row }) => row % stride === 0);
  }

  /** Most informative variables: the first outputs, and the parameters that affect them most. */
  strongest(maximum: number): readonly number[] {
    const half = Math.max(1, Math.min(this.outputs, Math.floor(maximum / 2)));
    const outputs = Array.from({ length: half }, (_, k) => this.parameters + k);
    const { done } = this;
    const ranked = Array.from({ length: this.parameters }, (_, j) => ({
      j,
      share: Math.max(...outputs.map((k) => mainEffect(done, j, k - this.parameters).share)),
    }));
    ranked.sort((a, b) => b.share - a.share || a.j - b.j);
    const parameters = ranked.slice(0, maximum - half).map(({ j }) => j);
    return [...parameters.sort((a, b) => a - b), ...outputs];
  }

  hasReport(id: string): boolean {
    return existsSync(join(this.#folder, "cases", id, "report.html"));
  }
}

// Small static SVG plots. Colours come from the page's style; callers escape texts.

/** Linear scale from values to lengths, with round numbers as labels. */
class Scale {
  readonly ticks: readonly { readonly at: number; readonly text: string }[];

  constructor(
    readonly from: number,
    readonly to: number,
    readonly start: number,
    readonly end: number,
    count = 4,
  ) {
    const span = to - from;
    const isWide = span > 0 && Number.isFinite(span);
    const step = isWide ? niceAbove(span / count) : Math.abs(from) || 1;
    const first = Math.ceil(from / step - 1e-9);
    const length = isWide ? Math.floor(to / step + 1e-9) - first + 1 : 1;
    const values = Array.from({ length }, (_, k) => (isWide ? (first + k) * step : from));
    const texts = tickTexts(values, step);
    this.ticks = values.map((value, k) => ({ at: this.at(value), text: texts[k]! }));
  }

  at(value: number): number {
    const part = this.to === this.from ? 0.5 : (value - this.from) / (this.to - this.from);
    return Math.round(10 * (this.start + part * (this.end - this.start))) / 10;
  }
}

/** Range of the values along an axis. */
function extentOf(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(low <= high)) return [0, 1];
  if (low === high) return [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
  return [low, high];
}

const WIDTH = 320;
const HEIGHT = 190;
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 10, 8, 26];

/** Plot with axes; `draw` renders the content with the scales. */
function plot(
  x: readonly [number, number],
  y: readonly [number, number],
  about: string,
  draw: (x: Scale, y: Scale) => string,
): string {
  const across = new Scale(x[0], x[1], LEFT, WIDTH - RIGHT, 6);
  const up = new Scale(y[0], y[1], HEIGHT - BOTTOM, TOP, 5);
  const lines = up.ticks.map(
    ({ at, text }) =>
      `<path class="grid" d="M${LEFT} ${at}H${WIDTH - RIGHT}"/><text x="${LEFT - 6}" y="${at + 4}" text-anchor="end">${text}</text>`,
  );
  const below = across.ticks.map(
    ({ at, text }) =>
      `<text x="${at}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${text}</text>`,
  );
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(about)}">${lines.join("")}${below.join("")}<path class="axis" d="M${LEFT} ${HEIGHT - BOTTOM}H${WIDTH - RIGHT}"/>${draw(across, up)}</svg>`;
}

/** Histogram of values. */
function histogram(values: readonly number[], about: string): string {
  const [low, high] = extentOf(values);
  const count = Math.max(5, Math.min(30, Math.round(Math.sqrt(values.length))));
  const bins = new Array<number>(count).fill(0);
  for (const value of values) {
    bins[Math.min(count - 1, Math.floor(((value - low) / (high - low)) * count))]!++;
  }
  return plot([low, high], [0, Math.max(1, ...bins)], about, (x, y) =>
    bins
      .map((n, i) => {
        const [from, to] = [
          x.at(low + (i * (high - low)) / count),
          x.at(low + ((i + 1) * (high - low)) / count),
        ];
        const top = y.at(n);
        return `<rect class="bar" x="${from}" y="${top}" width="${Math.max(0.5, to - from - 1).toFixed(1)}" height="${(y.at(0) - top).toFixed(1)}"/>`;
      })
      .join(""),
  );
}

/** Scatter plot with one selectable point per case. */
function scatter(
  points: readonly { readonly x: number; readonly y: number; readonly row: number }[],
  about: string,
): string {
  const [x, y] = [extentOf(points.map((one) => one.x)), extentOf(points.map((one) => one.y))];
  return plot(x, y, about, (across, up) =>
    points
      .map(
        ({ x: a, y: b, row }) =>
          `<circle class="dot" data-row="${row}" cx="${across.at(a)}" cy="${up.at(b)}" r="2.2"/>`,
      )
      .join(""),
  );
}

/** Style in addition to that of all pages of the package. */
const campaignStyle = `
.plots{grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr))}
.plots figure{padding:0 6px 8px}
figcaption{padding:0 10px;color:var(--soft);font-size:13px;overflow-wrap:anywhere}
svg{display:block;width:100%;height:auto}
svg text{fill:var(--soft);font-size:11px}
svg .grid{stroke:var(--line);fill:none}
svg .axis{stroke:var(--soft);fill:none}
svg .bar{fill:var(--accent);opacity:.8}
svg .dot{fill:var(--accent);fill-opacity:.55;cursor:pointer}
svg .path{fill:none;stroke:var(--accent);stroke-opacity:.22;cursor:pointer}
svg .mean{fill:none;stroke:var(--accent);stroke-width:2}
svg .band{stroke:var(--accent);stroke-width:1.2;fill:none}
svg .total{fill:var(--accent);opacity:.35}
svg .over,svg .chosen{fill-opacity:1;stroke-opacity:1}
svg .dot.over,svg .dot.chosen{fill:var(--bad);r:4px}
svg .path.over,svg .path.chosen{stroke:var(--bad);stroke-width:2.2}
tr[data-row]{cursor:pointer}
tr.over td,tr.chosen td{background:var(--hover)}
.matrix{display:grid;gap:4px}
.matrix>div{min-width:0}
.matrix .name{display:flex;align-items:center;justify-content:center;text-align:center;font-size:13px;font-weight:600;overflow-wrap:anywhere;padding:4px}
.scrollable{overflow-x:auto;padding:8px}
.matrix{min-width:calc(var(--n) * 150px)}
.wide svg{min-width:560px}
#case{position:sticky;bottom:12px;margin:0 auto 12px;max-width:1112px;padding:4px 16px 12px;max-height:45vh;overflow:auto;border:1px solid var(--accent);border-radius:12px;background:var(--card);box-shadow:0 6px 30px rgb(0 0 0/25%)}
#case h3{padding:10px 0;display:flex;justify-content:space-between;align-items:center;font-size:15px}
#case button{border:0;background:none;color:var(--soft);font-size:16px}
#case dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(130px,1fr));gap:6px 14px;margin:0}
#case dl div{min-width:0}#case dt{color:var(--soft);font-size:12px;overflow-wrap:anywhere}#case dd{margin:0;font-variant-numeric:tabular-nums}
#case p{margin:10px 0 0;overflow-wrap:anywhere}
#case a{color:var(--accent)}
`;

// Interaction of the page: a case selected in one plot is highlighted in all, with its values and a link to its report. This
// function is embedded into the page as text, so it uses nothing from outside.

/** Script of the page. */
function pageScript(): void {
  interface Data {
    readonly names: readonly string[];
    readonly rows: readonly (readonly [number, string, boolean, ...(number | null)[]])[];
    readonly command: string;
  }
  const data = JSON.parse(document.getElementById("data")!.textContent!) as Data;
  const panel = document.getElementById("case")!;
  let chosen: number | undefined;

  const mark = (row: number | undefined, name: string, isOn: boolean) => {
    if (row === undefined) return;
    for (const element of document.querySelectorAll(`[data-row="${row}"]`)) {
      element.classList.toggle(name, isOn);
      // SVG elements drawn last lie on top.
      if (isOn && element instanceof SVGElement) element.parentNode?.append(element);
    }
  };
  const line = (tag: string, text: string) => {
    const element = document.createElement(tag);
    element.textContent = text;
    return element;
  };
  const show = (row: number) => {
    mark(chosen, "chosen", false);
    chosen = row;
    mark(row, "chosen", true);
    const [index, id, hasReport, ...values] = data.rows[row]!;
    const list = document.createElement("dl");
    data.names.forEach((name, i) => {
      const value = values[i];
      const pair = document.createElement("div");
      pair.append(
        line("dt", name),
        line(
          "dd",
          value === null || value === undefined ? "–" : String(Number(value.toPrecision(6))),
        ),
      );
      list.append(pair);
    });
    const heading = line("h3", `Case ${index}`);
    const close = line("button", "✕");
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => {
      mark(chosen, "chosen", false);
      chosen = undefined;
      panel.hidden = true;
    });
    heading.append(close);
    const way = document.createElement("p");
    const command = line("code", `${data.command} --case ${index}`);
    if (hasReport) {
      const link = line("a", "Open report");
      link.setAttribute("href", `cases/${id}/report.html`);
      way.append(link);
    } else way.append("Report: ", command);
    panel.replaceChildren(heading, list, way);
    panel.hidden = false;
  };
  const rowOf = (event: Event) => {
    const element = (event.target as Element).closest?.("[data-row]");
    return element ? Number(element.getAttribute("data-row")) : undefined;
  };
  let over: number | undefined;
  document.addEventListener("pointerover", (event) => {
    const row = rowOf(event);
    if (row === over) return;
    mark(over, "over", false);
    over = row;
    mark(over, "over", true);
  });
  document.addEventListener("click", (event) => {
    const row = rowOf(event);
    if (row !== undefined) show(row);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") panel.hidden = true;
    if (event.key !== "Enter") return;
    const row = rowOf(event);
    if (row !== undefined) show(row);
  });
}

// Plots of a campaign.

/** Largest numbers of variables in the scatter matrix, axes of parallel coordinates, and outputs and parameters of main effects. */
const MAX_MATRIX_VARIABLES = 6;
const MAX_AXES = 12;
const MAX_OUTPUTS = 6;
const MAX_PARAMETERS = 12;
/** Largest numbers of points and lines in a plot; more would hide each other. */
const MAX_POINTS = 400;
const MAX_LINES = 300;

function figure(title: string, picture: string, caption = ""): string {
  const text = caption === "" ? "" : `<figcaption>${escaped(caption)}</figcaption>`;
  return `<figure class="card"><h3>${escaped(title)}</h3>${picture}${text}</figure>`;
}

function section(title: string, inner: string, note = ""): string {
  const text = note === "" ? "" : `<p class="subtitle">${escaped(note)}</p>`;
  return inner === "" ? "" : `<section><h2>${escaped(title)}</h2>${text}${inner}</section>`;
}

/** Histograms of all parameters and outputs. */
function distributions(cases: PageCases): string {
  const figures = cases.names.map((name, i) => {
    const values = cases.rows.flatMap(({ values: own }) => own[i] ?? []);
    const title = cases.titles[i]!;
    if (values.length === 0) return figure(title, "", "no values");
    return figure(title, histogram(values, `Histogram of ${name}`));
  });
  return section("Distributions", `<div class="plots">${figures.join("")}</div>`);
}

/** Main effects: means of outputs over slices of parameters. */
function mainEffects(cases: PageCases): string {
  const { parameters, outputs } = cases;
  const figures: { readonly html: string; readonly share: number }[] = [];
  for (let k = 0; k < Math.min(outputs, MAX_OUTPUTS); k++) {
    for (let j = 0; j < Math.min(parameters, MAX_PARAMETERS); j++) {
      const { slices, share } = mainEffect(cases.done, j, k);
      if (slices.length < 2) continue;
      const points = slices.map(({ from, to, mean, standardError }) => ({
        x: (from + to) / 2,
        mean,
        error: standardError || 0,
      }));
      const bounds = points.flatMap(({ mean, error }) => [mean - error, mean + error]);
      const [name, output] = [cases.titles[j]!, cases.titles[parameters + k]!];
      const picture = plot(
        extentOf(points.map(({ x }) => x)),
        extentOf(bounds),
        `${output} by ${name}`,
        (x, y) => {
          const line = points
            .map(({ x: at, mean }, i) => `${i === 0 ? "M" : "L"}${x.at(at)} ${y.at(mean)}`)
            .join("");
          const bars = points
            .map(
              (one) =>
                `M${x.at(one.x)} ${y.at(one.mean - one.error)}V${y.at(one.mean + one.error)}`,
            )
            .join("");
          return `<path class="mean" d="${line}"/><path class="band" d="${bars}"/>`;
        },
      );
      const html = figure(
        `${output} by ${name}`,
        picture,
        `explains about ${Math.round(100 * share)} % of the variance`,
      );
      figures.push({ html, share });
    }
  }
  figures.sort((a, b) => b.share - a.share);
  const inner = figures.map(({ html }) => html).join("");
  return section(
    "Main effects",
    inner === "" ? "" : `<div class="plots">${inner}</div>`,
    "Mean of an output over slices of a parameter, with its standard error; strongest effects first.",
  );
}

/** Bars of Sobol's indices, by output. */
function sobolBars(
  indices: readonly (readonly [string, Readonly<Record<string, SobolIndex>>])[],
): string {
  const figures = indices.map(([output, own]) => {
    const entries = Object.entries(own);
    const height = 26 * entries.length + 30;
    const x = new Scale(
      0,
      Math.max(1, ...entries.map(([, { total }]) => total)),
      110,
      WIDTH - 14,
      4,
    );
    const bars = entries.map(([name, { first, total, firstError }], i) => {
      const y = 26 * i + 6;
      const [zero, alone, all] = [x.at(0), x.at(Math.max(first, 0)), x.at(Math.max(total, 0))];
      const [low, high] = [x.at(Math.max(first - firstError, 0)), x.at(first + firstError)];
      return `<text x="104" y="${y + 14}" text-anchor="end">${escaped(name.slice(0, 18))}</text><rect class="total" x="${zero}" y="${y}" width="${(all - zero).toFixed(1)}" height="20"/><rect class="bar" x="${zero}" y="${y + 4}" width="${(alone - zero).toFixed(1)}" height="12"/><path class="axis" d="M${low} ${y + 10}H${high}"/>`;
    });
    const ticks = x.ticks.map(
      ({ at, text }) => `<text x="${at}" y="${height - 8}" text-anchor="middle">${text}</text>`,
    );
    const picture = `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Sobol indices of ${escaped(output)}">${bars.join("")}${ticks.join("")}</svg>`;
    return figure(output, picture);
  });
  const note =
    "Dark: first-order index, with a 95 % interval. Light: total index, including interactions.";
  return section(
    "Sobol’s indices",
    figures.length === 0 ? "" : `<div class="plots">${figures.join("")}</div>`,
    note,
  );
}

/** Scatter matrix of the main variables. */
function scatterMatrix(cases: PageCases): string {
  const shown = cases.strongest(MAX_MATRIX_VARIABLES);
  const rows = cases.sample(MAX_POINTS);
  const cells = shown.flatMap((b, i) =>
    shown.map((a, j) => {
      const name = cases.titles[a]!;
      if (i === j) return `<div class="name card">${escaped(name)}</div>`;
      const points = rows.flatMap(({ row, values }) => {
        const [x, y] = [values[a], values[b]];
        return x === null || x === undefined || y === null || y === undefined
          ? []
          : [{ x, y, row }];
      });
      return `<div>${scatter(points, `${cases.titles[b]} against ${name}`)}</div>`;
    }),
  );
  const n = shown.length;
  const inner = `<div class="card scrollable" tabindex="0" role="region" aria-label="Scatter matrix"><div class="matrix n${n}">${cells.join("")}</div></div>`;
  return section("Scatter matrix", n < 2 ? "" : inner, "Click a point to select its case.");
}

/** Parallel coordinates, with a line for each case. */
function parallelCoordinates(cases: PageCases): string {
  const axes = cases.strongest(MAX_AXES);
  if (axes.length < 2) return "";
  const width = Math.max(720, 120 * axes.length);
  const [top, bottom] = [42, HEIGHT + 60];
  const scales = axes.map((i) => {
    const [low, high] = extentOf(cases.rows.flatMap(({ values }) => values[i] ?? []));
    return new Scale(low, high, bottom, top, 4);
  });
  const place = (k: number) => 60 + (k * (width - 120)) / (axes.length - 1);
  const lines = cases.sample(MAX_LINES).flatMap(({ row, values }) => {
    const points = axes.map((i, k) => [place(k), values[i]] as const);
    if (points.some(([, value]) => value === null || value === undefined)) return [];
    const path = points.map(
      ([x, value], k) => `${k === 0 ? "M" : "L"}${x.toFixed(1)} ${scales[k]!.at(value!)}`,
    );
    return [`<path class="path" data-row="${row}" d="${path.join("")}"/>`];
  });
  const marks = axes.map((i, k) => {
    const { from, to } = scales[k]!;
    const x = place(k).toFixed(1);
    return `<path class="axis" d="M${x} ${top}V${bottom}"/><text x="${x}" y="${top - 24}" text-anchor="middle">${escaped(cases.titles[i]!.slice(0, 18))}</text><text x="${x}" y="${bottom + 16}" text-anchor="middle">${shortNumber(from, 4)}</text><text x="${x}" y="${top - 6}" text-anchor="middle">${shortNumber(to, 4)}</text>`;
  });
  const picture = `<svg viewBox="0 0 ${width} ${bottom + 24}" role="img" aria-label="Parallel coordinates">${lines.join("")}${marks.join("")}</svg>`;
  return section(
    "Parallel coordinates",
    `<div class="card wide scrollable" tabindex="0" role="region" aria-label="Parallel coordinates">${picture}</div>`,
    "One line for each case; click a line to select it.",
  );
}

/** Largest size of the list of failed cases in bytes. */
const MAX_LIST_BYTES = 60_000;
/** Number of selectable cases, whose values the page contains. */
const SELECTABLE_CASES = 400;

const hash = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

export interface CampaignPageOptions {
  readonly footer: string;
  /** Folder of the campaign; existing reports of cases are linked. */
  readonly folder: string;
}

/** Renders the page. */
export function campaignPage(ledger: Ledger, { footer, folder }: CampaignPageOptions): string {
  const { plan } = ledger;
  const cases = new PageCases(ledger, folder);
  const matrix = [2, 3, 4, 5, 6]
    .map((n) => `.n${n}{--n:${n};grid-template-columns:repeat(${n},1fr)}`)
    .join("");
  const style = `${pageStyle()}${campaignStyle}${matrix}`;
  const script = `(${pageScript.toString()})()`;
  const title = escaped(plan.definition.name);
  const indices = plan.columns.flatMap((name) => {
    const own = sobolIndices(ledger, name);
    return own ? [[name, own] as const] : [];
  });
  const body = [
    facts(ledger),
    statistics(ledger),
    distributions(cases),
    sobolBars(indices),
    mainEffects(cases),
    scatterMatrix(cases),
    parallelCoordinates(cases),
    failures(cases),
  ].join("");
  const header = `<header><h1>${title}</h1><p class="subtitle">${escaped(subtitle(ledger))}</p></header>`;
  return documentHtml({
    title,
    style,
    script,
    hashes: { script: hash(script), style: hash(style) },
    main: header + body,
    footer: [footer],
    data: dataOf(cases),
    more: '<aside id="case" hidden aria-live="polite"></aside>',
  });
}

const DESIGNS = {
  grid: "grid",
  random: "random numbers",
  latinHypercube: "Latin hypercube",
  sobol: "scrambled Sobol sequence",
  sensitivity: "design for Sobol’s indices",
  list: "list",
} as const;

function subtitle({ plan }: Ledger): string {
  const { design, seed = 0 } = plan.definition;
  const drawn = design.type === "grid" || design.type === "list" ? "" : `, seed ${seed}`;
  return `${plan.parameters.length} parameters, ${plan.columns.length} outputs; ${DESIGNS[design.type]}${drawn}`;
}

function facts(ledger: Ledger): string {
  const { count, done, failed, stopReason, plan } = ledger;
  return factsHtml(undefined, [
    { label: "cases", value: count, hint: count < plan.count ? `of ${plan.count}` : "all" },
    { label: "done", value: done, tone: "good" },
    { label: "failed", value: failed, ...(failed > 0 && { tone: "bad" as const }) },
    ...(stopReason === undefined ? [] : [{ label: "ended early", value: "yes", hint: stopReason }]),
  ]);
}

function statistics(ledger: Ledger): string {
  const { plan } = ledger;
  const all = [...plan.parameters, ...plan.columns].map((name) => ({
    name,
    running: new Running(),
  }));
  for (const result of ledger.results()) {
    if (result.status === "failed") continue;
    for (const [i, value] of [...result.parameters, ...result.outputs].entries()) {
      if (value !== null) all[i]!.running.add(value);
    }
  }
  const cell = (value: number) =>
    Number.isFinite(value) ? String(Number(value.toPrecision(5))) : "–";
  const right = { align: "right" as const };
  return tableHtml(
    {
      title: "Statistics",
      columns: [
        { name: "" },
        { name: "mean", ...right },
        { name: "± of the mean", ...right },
        { name: "deviation", ...right },
        { name: "smallest", ...right },
        { name: "largest", ...right },
      ],
      rows: all.map(({ name, running }) => [
        name,
        ...(running.count === 0
          ? ["–", "–", "–", "–", "–"]
          : [
              running.mean,
              running.standardError,
              running.deviation,
              running.minimum,
              running.maximum,
            ].map(cell)),
      ]),
    },
    MAX_LIST_BYTES,
  );
}

function failures({ failed }: PageCases): string {
  if (failed.length === 0) return "";
  return tableHtml(
    {
      title: "Failed cases",
      caption: "Kept in the journal with their last accepted state; rerun them with --only-failed.",
      columns: [
        { name: "case", align: "right" },
        { name: "until", align: "right" },
        { name: "reason" },
      ],
      rows: failed.map((one) => [
        String(one.case),
        one.last ? String(Number(one.last.time.toPrecision(5))) : "–",
        one.reason.slice(0, 300),
      ]),
    },
    MAX_LIST_BYTES,
  );
}

/** Data of the selectable cases, escaped for a script element. */
function dataOf(cases: PageCases): string {
  const shown = new Set(
    [...cases.sample(SELECTABLE_CASES), ...cases.sample(300)].map(({ row }) => row),
  );
  const rows: Record<number, unknown> = {};
  for (const row of shown) {
    const { result, values } = cases.rows[row]!;
    rows[row] = [
      result.case,
      result.id,
      cases.hasReport(result.id),
      ...values.map((value) => (value === null ? null : Number(value.toPrecision(8)))),
    ];
  }
  const data = { names: cases.titles, rows, command: "nodrift sweep CAMPAIGN" };
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
