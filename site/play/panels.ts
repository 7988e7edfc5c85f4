// Panels around the motion: plots, comparison of methods, model list and descriptions.

import { type Plot, PlotChart } from "nodrift/draw";
import { find, make } from "../dom.js";
import { byName, catalogue } from "../gallery/catalogue.js";
import type { Entry } from "../gallery/entry.js";
import { ComparePanel } from "./compare-panel.js";
import type { Answer } from "./protocol.js";

/** Actions that the panels request. */
export interface PanelActions {
  readonly seek: (time: number) => void;
  readonly compare: (methods: readonly string[]) => number;
  readonly load: (name: string) => void;
}

const HEIGHT = 190;

interface Shown {
  readonly figure: HTMLElement;
  readonly chart: PlotChart;
}

export class Panels {
  readonly #compare: ComparePanel;
  readonly #models = find<HTMLSelectElement>("models");
  readonly #seek: (time: number) => void;
  /** Plots by title: one for each quantity, with the curves of both methods. */
  #shown: ReadonlyMap<string, Shown> = new Map();

  constructor({ seek, compare, load }: PanelActions) {
    this.#seek = seek;
    this.#compare = new ComparePanel(find("compare-panel"), compare);
    for (const name of new Set(catalogue.map(({ group }) => group))) {
      const group = make("optgroup", { label: name });
      const own = catalogue.filter((entry) => entry.group === name);
      group.append(...own.map((entry) => new Option(entry.title, entry.name)));
      this.#models.append(group);
    }
    this.#models.addEventListener("change", () => load(this.#models.value));
  }

  /** Shows the gallery entry of a model, and returns it. */
  introduce(name: string): Entry | undefined {
    const entry = byName(name);
    this.#models.value = entry ? name : "";
    const about = entry
      ? [
          make("h2", {}, "What to watch"),
          ...entry.watch.map((sentence) => make("p", {}, sentence)),
          make("h2", {}, "Checked against"),
          make("p", {}, entry.checked),
        ]
      : [make("p", {}, "This model is not from the gallery.")];
    find("about-panel").replaceChildren(...about);
    return entry;
  }

  /** Shows the plots of one or two columns. */
  show(a: readonly Plot[], b: readonly Plot[] | undefined): void {
    const before = this.#shown;
    this.#shown = new Map(
      a.map((plot) => {
        const both = together(plot, b);
        const found = before.get(plot.title);
        if (found) found.chart.plot = both;
        return [plot.title, found ?? this.#made(both)];
      }),
    );
    for (const [title, { figure, chart }] of before) {
      if (this.#shown.has(title)) continue;
      chart.dispose();
      figure.remove();
    }
    find("plots").append(...[...this.#shown.values()].map(({ figure }) => figure));
  }

  /** Moves the time markers in the plots. */
  moveTo(time: number): void {
    for (const { chart } of this.#shown.values()) chart.place(time);
  }

  receive(answer: Answer): void {
    this.#compare.receive(answer);
  }

  #made(plot: Plot): Shown {
    const figure = make("figure", { class: "plot card" }, make("figcaption", {}, plot.title));
    find("plots").append(figure);
    return { figure, chart: new PlotChart(figure, plot, { height: HEIGHT, seek: this.#seek }) };
  }
}

/** Adds the curves of the second method; all get the letters of their columns. */
function together(a: Plot, others: readonly Plot[] | undefined): Plot {
  const b = others?.find(({ title }) => title === a.title);
  if (!b) return a;
  const named = (letter: string, { series }: Plot) =>
    series.map((one) => ({ ...one, name: `${letter}: ${one.name}` }));
  return { ...a, series: [...named("A", a), ...named("B", b)] };
}
