// Numbers of the body, joint or force that was clicked, and a plot of one of them.

import type { ModelData } from "../../bodies.js";
import { button, make } from "../report/page/dom.js";
import { shortNumber } from "../report/page/text.js";
import { Chart } from "./chart.js";
import type { Feed } from "./feed.js";
import type { Named } from "./picture.js";
import { numberOf, QUANTITIES, type Quantity } from "./quantities.js";
import type { Theme } from "./tints.js";

/** States of a solution that a plot is made from. */
const STATES = 300;
/** Milliseconds between two updates of the numbers. */
const PACE = 120;

export interface InspectorActions {
  close(): void;
  /** Shows or hides the way of the centre of a body. */
  trace(name: string): boolean;
}

export class Inspector {
  readonly element = make("section", { class: "panel", hidden: "", "aria-label": "Numbers" });
  #chosen: Named | undefined;
  #shown: readonly { readonly quantity: Quantity; readonly value: HTMLElement }[] = [];
  #plotted: Quantity | undefined;
  readonly #chart = new Chart();
  #last = 0;
  readonly #actions: InspectorActions;

  constructor(actions: InspectorActions) {
    this.#actions = actions;
  }

  get chosen(): Named | undefined {
    return this.#chosen;
  }

  /** Shows another part, or none. */
  choose(named: Named | undefined, feed: Feed): void {
    this.#chosen = named;
    this.element.hidden = named === undefined;
    this.element.replaceChildren();
    if (named === undefined) return;
    this.element.append(
      make("h2", {}, named.name),
      button("Close", "×", () => this.#actions.close(), "close"),
      make("div", {}, about(named, feed.data)),
    );
    const readings = feed.readings();
    if (readings === undefined) {
      this.element.append(make("p", {}, "This source tells no numbers of its parts."));
      return;
    }
    const known = QUANTITIES[named.kind].filter(
      (quantity) => numberOf(quantity, readings, named.name) !== undefined,
    );
    this.#list(known);
    this.#plot(known, named, feed);
    this.#last = 0;
  }

  #list(known: readonly Quantity[]): void {
    this.#shown = known.map((quantity) => ({ quantity, value: make("dd", {}) }));
    const rows = this.#shown.flatMap(({ quantity, value }) => [
      make("dt", {}, quantity.label),
      value,
    ]);
    this.element.append(make("dl", {}, ...rows));
  }

  #plot(known: readonly Quantity[], named: Named, feed: Feed): void {
    const select = make("select", { "aria-label": "Plotted" });
    for (const { label } of known) select.append(new Option(`plot ${label}`, label));
    const begin = () => {
      this.#plotted = known.find(({ label }) => label === select.value) ?? known[0];
      const states = feed.history?.(STATES) ?? [];
      const values = states.map(({ at }) =>
        this.#plotted ? (numberOf(this.#plotted, at, named.name) ?? Number.NaN) : Number.NaN,
      );
      this.#chart.set(
        states.map(({ time }) => time),
        values,
      );
      this.#last = 0;
    };
    select.addEventListener("change", begin);
    begin();
    this.element.append(select, this.#chart.canvas);
    if (named.kind !== "body") return;
    const trace = button("Draw the way of its centre of mass", "Trace", () => {
      trace.setAttribute("aria-pressed", String(this.#actions.trace(named.name)));
    });
    this.element.append(make("div", { class: "row" }, trace));
  }

  /** With the numbers of now. */
  update(feed: Feed, theme: Theme, now = performance.now()): void {
    const named = this.#chosen;
    if (named === undefined || now - this.#last < PACE) return;
    this.#last = now;
    const readings = feed.readings();
    if (readings === undefined) return;
    for (const { quantity, value } of this.#shown) {
      const number = numberOf(quantity, readings, named.name);
      value.textContent =
        number === undefined ? "not now" : `${shortNumber(number, 5)} ${quantity.unit}`;
    }
    if (this.#plotted === undefined) return;
    if (!feed.history) {
      const number = numberOf(this.#plotted, readings, named.name);
      if (number !== undefined) this.#chart.add(feed.time, number);
    }
    this.#chart.paint(theme, feed.time, this.#plotted.unit);
  }
}

/** What a part is. */
function about({ kind, name }: Named, data: ModelData): string {
  if (kind === "body") {
    const { mass } = data.bodies.find((body) => body.name === name)!;
    return `body of ${shortNumber(mass, 5)} kg`;
  }
  if (kind === "joint") {
    const joint = data.joints.find((each) => each.name === name)!;
    return `${joint.type} ${joint.isDrive ? "(drive)" : "joint"}`;
  }
  return data.forces.find((each) => each.name === name)?.type ?? "force by a function";
}
