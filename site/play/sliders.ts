// Sliders for numbers of the file: those the gallery names, else the file's own parameters.

import { make } from "../../src/tools/report/page/dom.js";
import { shortNumber } from "../../src/tools/report/page/text.js";
import type { Slider } from "../gallery/entry.js";

/** Parameters of a file that have a slider without being named. */
const MOST = 6;

export function showSliders(
  parent: HTMLElement,
  sliders: readonly Slider[],
  text: string,
  changed: (pointer: string, written: string) => void,
): void {
  const document = parsed(text);
  const shown = (sliders.length > 0 ? sliders : ownSliders(document)).flatMap((slider) => {
    const value = numberAt(document, slider);
    return value === undefined ? [] : [sliderFor(slider, value, changed)];
  });
  parent.replaceChildren(...shown);
  parent.hidden = shown.length === 0;
}

function sliderFor(
  slider: Slider,
  value: number,
  changed: (pointer: string, written: string) => void,
): HTMLElement {
  const { label, pointer, least, most, step, unit = "", written = "#" } = slider;
  const input = make("input", {
    type: "range",
    min: String(least),
    max: String(most),
    step: String(step),
  });
  input.value = String(value);
  const output = make("output", {}, `${shortNumber(value)} ${unit}`);
  input.addEventListener("input", () => {
    output.textContent = `${shortNumber(Number(input.value))} ${unit}`;
    const number = String(Number(input.value));
    changed(pointer, written === "#" ? number : JSON.stringify(written.replace("#", number)));
  });
  return make("label", {}, label, output, input);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface WithParameters {
  readonly parameters?: object;
  readonly equations?: { readonly parameters?: object };
}

function ownSliders(document: unknown): readonly Slider[] {
  const { parameters, equations } = (document ?? {}) as WithParameters;
  const place = parameters === undefined ? "/equations/parameters" : "/parameters";
  return Object.entries(parameters ?? equations?.parameters ?? {})
    .filter(([, value]) => typeof value === "number" && value !== 0)
    .slice(0, MOST)
    .map(([label, value]: [string, number]) => ({
      label,
      pointer: `${place}/${label.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      least: Math.min(value / 4, 2 * value),
      most: Math.max(value / 4, 2 * value),
      step: Math.abs(value) / 100,
    }));
}

/** The number of a slider in the document; undefined where it is not there. */
export function numberAt(
  document: unknown,
  { pointer, written = "#" }: Slider,
): number | undefined {
  let at = document;
  for (const word of pointer.split("/").slice(1)) {
    const key = word.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  if (written === "#") return typeof at === "number" ? at : undefined;
  if (typeof at !== "string") return undefined;
  const [before = "", after = ""] = written.split("#");
  if (!at.startsWith(before) || !at.endsWith(after)) return undefined;
  const value = Number(at.slice(before.length, at.length - after.length));
  return Number.isFinite(value) ? value : undefined;
}
