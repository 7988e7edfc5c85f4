// Sliders for the parameters of a mechanism.

import { make } from "../report/page/dom.js";
import { shortNumber } from "../report/page/text.js";
import type { Feed } from "./feed.js";
import type { SliderOptions } from "./options.js";

const STEPS = 400;

/** Returns the minimum and maximum of a slider, by default derived from the present value. */
export function rangeFor(
  value: number,
  { minimum, maximum }: SliderOptions,
): readonly [number, number] {
  const [low, high] =
    value === 0 ? [-1, 1] : value > 0 ? [value / 10, 3 * value] : [3 * value, value / 10];
  return [minimum ?? Math.min(low, maximum ?? low), maximum ?? Math.max(high, minimum ?? high)];
}

/** Creates a slider for each requested parameter. `set` returns whether the value was accepted. */
export function sliders(
  feed: Feed,
  wanted: false | Readonly<Record<string, SliderOptions>> | undefined,
  set: (values: Readonly<Record<string, number>>) => boolean,
): HTMLElement {
  const place = make("div", { class: "sliders" });
  if (wanted === false || feed.set === undefined) return place;
  const parameters = feed.parameters();
  const shown = wanted ? parameters.filter(({ name }) => Object.hasOwn(wanted, name)) : parameters;
  for (const { name, value } of shown) {
    place.append(slider(name, value, wanted?.[name] ?? {}, (next) => set({ [name]: next })));
  }
  return place;
}

function slider(
  name: string,
  value: number,
  options: SliderOptions,
  set: (value: number) => boolean,
): HTMLElement {
  const [from, to] = rangeFor(value, options);
  const input = make("input", { type: "range", min: "0", max: String(STEPS), step: "1" });
  const output = make("output", {});
  const text = (number: number) =>
    `${shortNumber(number, 4)}${options.unit ? ` ${options.unit}` : ""}`;
  const show = (number: number) => {
    output.textContent = text(number);
    input.value = String(Math.round((STEPS * (number - from)) / (to - from || 1)));
    input.setAttribute("aria-valuetext", text(number));
  };
  let now = value;
  show(now);
  input.addEventListener("input", () => {
    const next = from + ((to - from) * Number(input.value)) / STEPS;
    if (set(next)) now = next;
    show(now);
  });
  return make("label", {}, make("span", {}, options.label ?? name), output, input);
}
