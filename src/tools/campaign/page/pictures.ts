// The pictures of a campaign.

import { escaped } from "../../report/index.js";
import { mainEffect } from "../statistics/effects.js";
import type { SobolIndex } from "../statistics/indices.js";
import type { PageCases } from "./page-cases.js";
import { extentOf, HEIGHT, histogram, label, plot, Scale, scatter, WIDTH } from "./svg.js";

/** Variables of the scatter matrix, axes of parallel coordinates, outputs and parameters of main effects. */
const MATRIX = 6;
const AXES = 12;
const OUTPUTS = 6;
const PARAMETERS = 12;
/** Points of a picture: more hide each other. */
const POINTS = 400;
const LINES = 300;

function figure(title: string, picture: string, caption = ""): string {
  const text = caption === "" ? "" : `<figcaption>${escaped(caption)}</figcaption>`;
  return `<figure class="card"><h3>${escaped(title)}</h3>${picture}${text}</figure>`;
}

function section(title: string, inner: string, note = ""): string {
  const text = note === "" ? "" : `<p class="subtitle">${escaped(note)}</p>`;
  return inner === "" ? "" : `<section><h2>${escaped(title)}</h2>${text}${inner}</section>`;
}

/** Histograms of all parameters and outputs. */
export function distributions(cases: PageCases): string {
  const figures = cases.names.map((name, i) => {
    const values = cases.rows.flatMap(({ values: own }) => own[i] ?? []);
    const title = cases.titles[i]!;
    if (values.length === 0) return figure(title, "", "no values");
    return figure(title, histogram(values, `Histogram of ${name}`));
  });
  return section("Distributions", `<div class="grid3">${figures.join("")}</div>`);
}

/** Means of outputs over slices of parameters. */
export function mainEffects(cases: PageCases): string {
  const { parameters, outputs } = cases;
  const figures: { readonly html: string; readonly share: number }[] = [];
  for (let k = 0; k < Math.min(outputs, OUTPUTS); k++) {
    for (let j = 0; j < Math.min(parameters, PARAMETERS); j++) {
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
    inner === "" ? "" : `<div class="grid3">${inner}</div>`,
    "The mean of an output over slices of a parameter, with its standard error; the strongest first.",
  );
}

/** Bars of Sobol's indices, by output. */
export function sobolBars(
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
      (tick) =>
        `<text x="${x.at(tick)}" y="${height - 8}" text-anchor="middle">${label(tick, 1)}</text>`,
    );
    const picture = `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Sobol indices of ${escaped(output)}">${bars.join("")}${ticks.join("")}</svg>`;
    return figure(output, picture);
  });
  const note =
    "Dark: of the parameter alone, with a 95 % interval. Light: with all that it does together with others.";
  return section(
    "Sobol’s indices",
    figures.length === 0 ? "" : `<div class="grid3">${figures.join("")}</div>`,
    note,
  );
}

/** Everything against everything. */
export function scatterMatrix(cases: PageCases): string {
  const shown = cases.strongest(MATRIX);
  const rows = cases.sample(POINTS);
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
  return section("Scatter matrix", n < 2 ? "" : inner, "Click a point to choose its case.");
}

/** A line for each case across all axes. */
export function parallelCoordinates(cases: PageCases): string {
  const axes = cases.strongest(AXES);
  if (axes.length < 2) return "";
  const width = Math.max(720, 120 * axes.length);
  const [top, bottom] = [42, HEIGHT + 60];
  const scales = axes.map((i) => {
    const [low, high] = extentOf(cases.rows.flatMap(({ values }) => values[i] ?? []));
    return new Scale(low, high, bottom, top, 4);
  });
  const place = (k: number) => 60 + (k * (width - 120)) / (axes.length - 1);
  const lines = cases.sample(LINES).flatMap(({ row, values }) => {
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
    const span = to - from;
    return `<path class="axis" d="M${x} ${top}V${bottom}"/><text x="${x}" y="${top - 24}" text-anchor="middle">${escaped(cases.titles[i]!.slice(0, 18))}</text><text x="${x}" y="${bottom + 16}" text-anchor="middle">${label(from, span)}</text><text x="${x}" y="${top - 6}" text-anchor="middle">${label(to, span)}</text>`;
  });
  const picture = `<svg viewBox="0 0 ${width} ${bottom + 24}" role="img" aria-label="Parallel coordinates">${lines.join("")}${marks.join("")}</svg>`;
  return section(
    "Parallel coordinates",
    `<div class="card wide scrollable" tabindex="0" role="region" aria-label="Parallel coordinates">${picture}</div>`,
    "A line for each case; click one to choose it.",
  );
}
