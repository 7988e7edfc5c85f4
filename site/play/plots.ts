// Plots of the columns: one for each quantity, with the curves of both methods and a marker at the animation time.

import uPlot from "uplot";
import { make } from "../../src/report/page/dom.js";
import { optionsOf } from "../../src/report/page/plot-options.js";
import { onTheme } from "../../src/report/page/theme.js";
import type { PlotLines } from "./protocol.js";

const HEIGHT = 190;
/** Placeholder for the data of a series, which optionsOf does not read. */
const NO_NUMBERS = { base: 0, scale: 1, isLog: false, values: "" };

interface Shown {
  readonly key: string;
  readonly figure: HTMLElement;
  readonly box: HTMLElement;
  readonly line: HTMLElement;
  chart: uPlot;
  lines: PlotLines;
}

export class Plots {
  readonly #parent: HTMLElement;
  readonly #seek: (time: number) => void;
  #shown: Shown[] = [];
  /** Time of the markers; undefined if they must be placed. */
  #time: number | undefined;

  constructor(parent: HTMLElement, seek: (time: number) => void) {
    this.#parent = parent;
    this.#seek = seek;
    onTheme(() => {
      for (const shown of this.#shown) this.#draw(shown);
    });
    new ResizeObserver(() => {
      for (const { chart, box } of this.#shown) {
        const width = box.clientWidth;
        if (width > 0 && width !== chart.width) chart.setSize({ width, height: HEIGHT });
        this.#time = undefined;
      }
    }).observe(parent);
  }

  /** Shows plots; charts with unchanged curves only get new data. */
  show(plots: readonly PlotLines[]): void {
    this.#time = undefined;
    const keys = plots.map(keyOf);
    for (const gone of this.#shown.filter(({ key }) => !keys.includes(key))) {
      gone.chart.destroy();
      gone.figure.remove();
    }
    this.#shown = plots.map((lines, i) => {
      const found = this.#shown.find(({ key }) => key === keys[i]);
      if (!found) return this.#make(lines);
      found.lines = lines;
      found.chart.setData(dataOf(lines));
      return found;
    });
    this.#parent.append(...this.#shown.map(({ figure }) => figure));
  }

  /** Moves the time markers. */
  moveTo(time: number): void {
    if (time === this.#time) return;
    this.#time = time;
    for (const { chart, line } of this.#shown) {
      const x = chart.valToPos(time, "x");
      const isInside = x >= 0 && x <= chart.bbox.width / uPlot.pxRatio;
      line.style.transform = `translateX(${x}px)`;
      line.style.visibility = isInside ? "visible" : "hidden";
    }
  }

  #make(lines: PlotLines): Shown {
    const box = make("div", { class: "box" });
    const title = make("figcaption", {}, lines.title);
    const figure = make("figure", { class: "plot card" }, title, box);
    this.#parent.append(figure);
    const line = make("div", { class: "now" });
    const parts = { figure, box, line, lines };
    return { ...parts, key: keyOf(lines), chart: this.#chartOf(parts) };
  }

  #draw(shown: Shown): void {
    shown.chart.destroy();
    shown.chart = this.#chartOf(shown);
  }

  #chartOf({ box, lines, line }: Pick<Shown, "box" | "lines" | "line">): uPlot {
    const axis = {
      label: "",
      ...(lines.unit !== undefined && { unit: lines.unit }),
      log: lines.isLog,
    };
    const series = lines.curves.map(({ name }) => ({
      name,
      points: false,
      aside: false,
      ordered: true,
      x: NO_NUMBERS,
      y: NO_NUMBERS,
    }));
    const plot = { title: lines.title, x: { label: "t" }, y: axis, series, marks: [], scene: 0 };
    const chart = new uPlot(
      optionsOf(plot, true, box.clientWidth || 320, HEIGHT),
      dataOf(lines),
      box,
    );
    chart.over.append(line);
    chart.over.addEventListener("click", ({ clientX }) =>
      this.#seek(chart.posToVal(clientX - chart.over.getBoundingClientRect().left, "x")),
    );
    return chart;
  }
}

function keyOf({ title, curves, isLog }: PlotLines): string {
  return JSON.stringify([title, isLog, curves.map(({ name }) => name)]);
}

function dataOf({ x, curves, isLog }: PlotLines): uPlot.AlignedData {
  const drawable = (y: number) => Number.isFinite(y) && (!isLog || y > 0);
  const columns = curves.map(({ y }) => Array.from(y, (one) => (drawable(one) ? one : null)));
  return [Array.from(x), ...columns] as uPlot.AlignedData;
}

/** Merges the plots of two methods; curves get the letters of their columns. */
export function together(
  a: readonly PlotLines[],
  b: readonly PlotLines[] | undefined,
): readonly PlotLines[] {
  if (!b) return a;
  return a.map((one) => {
    const other = b.find(({ title }) => title === one.title);
    if (!other) return one;
    const named = (letter: string, { curves }: PlotLines) =>
      curves.map(({ name, y }) => ({ name: `${letter}: ${name}`, y }));
    const joined = uPlot.join([
      [Array.from(one.x), ...one.curves.map(({ y }) => Array.from(y))],
      [Array.from(other.x), ...other.curves.map(({ y }) => Array.from(y))],
    ] as uPlot.AlignedData[]);
    const curves = [...named("A", one), ...named("B", other)].map(({ name }, k) => ({
      name,
      y: Float64Array.from(
        joined[k + 1] as ArrayLike<number | null | undefined>,
        (y) => y ?? Number.NaN,
      ),
    }));
    return { ...one, x: Float64Array.from(joined[0] as ArrayLike<number>), curves };
  });
}
