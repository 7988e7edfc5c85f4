// What stands around the motion: plots, the comparison of methods, the list of models and what the gallery says of them.

import { make } from "../../src/tools/report/page/dom.js";
import { byName, catalogue } from "../gallery/catalogue.js";
import type { Entry } from "../gallery/entry.js";
import { showAbout } from "./about.js";
import { ComparePanel } from "./compare-panel.js";
import { Plots, together } from "./plots.js";
import type { Answer, PlotLines } from "./protocol.js";

/** What a visitor may want of them. */
export interface Wishes {
  readonly seek: (time: number) => void;
  readonly compare: (methods: readonly string[]) => number;
  readonly load: (name: string) => void;
}

const find = <T extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as T;

export class Panels {
  readonly #plots: Plots;
  readonly #compare: ComparePanel;
  readonly #models = find<HTMLSelectElement>("models");

  constructor({ seek, compare, load }: Wishes) {
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

  /** Says what the gallery knows of a model, and returns it. */
  introduce(name: string): Entry | undefined {
    const entry = byName(name);
    this.#models.value = entry ? name : "";
    showAbout(find("about-panel"), entry);
    return entry;
  }

  /** Shows the plots of one lane, or of two. */
  show(a: readonly PlotLines[], b: readonly PlotLines[] | undefined): void {
    this.#plots.show(together(a, b));
  }

  /** Moves the lines in the plots to a time. */
  moveTo(time: number): void {
    this.#plots.moveTo(time);
  }

  hear(answer: Answer): void {
    this.#compare.hear(answer);
  }
}
