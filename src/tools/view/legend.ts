// Names with their colours: one that is pointed at, or has the focus, leaves the others as ghosts.

import { button, make } from "../report/page/dom.js";

/** Names that are listed. */
const LISTED = 24;
/** If there are more than that, these are listed. */
const FIRST = 12;

export class Legend {
  readonly element = make("ul", { class: "legend", "aria-label": "Bodies" });
  #swatches: HTMLElement[] = [];
  #chips: HTMLButtonElement[] = [];

  constructor(
    names: readonly string[],
    actions: {
      readonly point: (body: number | undefined) => void;
      readonly choose: (body: number) => void;
    },
  ) {
    const count = names.length > LISTED ? FIRST : names.length;
    for (const [i, name] of names.slice(0, count).entries()) {
      const swatch = make("span", { class: "swatch" });
      const chip = button(
        name,
        make("span", { class: "chip-text" }, name),
        () => actions.choose(i),
        "chip",
      );
      chip.setAttribute("aria-pressed", "false");
      chip.prepend(swatch);
      for (const type of ["pointerenter", "focus"]) {
        chip.addEventListener(type, () => actions.point(i));
      }
      for (const type of ["pointerleave", "blur"]) {
        chip.addEventListener(type, () => actions.point(undefined));
      }
      this.#swatches.push(swatch);
      this.#chips.push(chip);
      this.element.append(make("li", {}, chip));
    }
    const more = names.length - count;
    if (more > 0) this.element.append(make("li", { class: "clock" }, `and ${more} more`));
  }

  recolour(colour: (body: number) => string): void {
    for (const [i, swatch] of this.#swatches.entries()) swatch.style.background = colour(i);
  }

  press(body: number): void {
    for (const [i, chip] of this.#chips.entries()) {
      chip.setAttribute("aria-pressed", String(i === body));
    }
  }
}
