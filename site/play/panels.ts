// Panels around the motion: plots, comparison of methods, model list and descriptions.

import { make } from "../../src/report/page/dom.js";
import { byName, catalogue } from "../gallery/catalogue.js";
import type { Entry } from "../gallery/entry.js";
import { showAbout } from "./about.js";
import { ComparePanel } from "./compare-panel.js";
import { Plots, together } from "./plots.js";
import type { Answer, PlotLines } from "./protocol.js";

/** Actions that the panels request. */
export interface PanelActions {
  readonly seek: (time: number) => void;
  readonly compare: (methods: readonly string[]) => number;
  readonly load: (name: string) => void;
}

const find = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;

export class Panels {
  readonly #plots: Plots;
  readonly #compare: ComparePanel;
  readonly #models = find<HTMLSelectElement>("models");

  constructor({ seek, compare, load }: PanelActions) {
    this.#plots = new Plots(find("plots"), seek);
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
    showAbout(find("about-panel"), entry);
    return entry;
  }

  /** Shows the plots of one or two columns. */
  show(a: readonly PlotLines[], b: readonly PlotLines[] | undefined): void {
    this.#plots.show(together(a, b));
  }

  /** Moves the time markers in the plots. */
  moveTo(time: number): void {
    this.#plots.moveTo(time);
  }

  receive(answer: Answer): void {
    this.#compare.receive(answer);
  }
}
