// Sliders for values of the file: those of the gallery entry, else the file's own parameters.

import { slider } from "nodrift/draw";
import type { Slider } from "../gallery/entry.js";
import type { Setting } from "./protocol.js";

/** Maximum number of sliders for a file's own parameters. */
const MAX_OWN_SLIDERS = 6;

/** Called with a new value of the document. */
type Changed = (pointer: string, value: number | string) => void;

export function showSliders(
  parent: HTMLElement,
  sliders: readonly Slider[],
  document: unknown,
  changed: Changed,
): void {
  const shown = (sliders.length > 0 ? sliders : ownSliders(document)).flatMap((one) => {
    const value = valueAt(document, one);
    const { pointer, least: minimum, most: maximum, written = "#", ...rest } = one;
    const set = (number: number) =>
      changed(pointer, written === "#" ? number : written.replace("#", String(number)));
    return value === undefined ? [] : [slider({ ...rest, value, minimum, maximum }, set)];
  });
  parent.replaceChildren(...shown);
  parent.hidden = shown.length === 0;
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
    .slice(0, MAX_OWN_SLIDERS)
    .map(([label, value]: [string, number]) => ({
      label,
      pointer: `${place}/${label.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      least: Math.min(value / 4, 2 * value),
      most: Math.max(value / 4, 2 * value),
      step: Math.abs(value) / 100,
    }));
}

/** Returns the keys of a JSON pointer. */
export function keysOf(pointer: string): readonly string[] {
  const words = pointer.split("/").slice(1);
  return words.map((word) => word.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the value at the keys; undefined if it does not exist. */
function partAt(document: unknown, keys: readonly string[]): unknown {
  return keys.reduce(
    (at, key) => (at as Readonly<Record<string, unknown>> | null)?.[key],
    document,
  );
}

/** Returns the value of a slider in the document; undefined if it does not exist. */
export function valueAt(document: unknown, { pointer, written = "#" }: Slider): number | undefined {
  const at = partAt(document, keysOf(pointer));
  if (written === "#") return typeof at === "number" ? at : undefined;
  if (typeof at !== "string") return undefined;
  const [before = "", after = ""] = written.split("#");
  if (!at.startsWith(before) || !at.endsWith(after)) return undefined;
  const value = Number(at.slice(before.length, at.length - after.length));
  return Number.isFinite(value) ? value : undefined;
}

/** Writes a value at a pointer that exists. */
export function writeAt(document: unknown, pointer: string, value: number | string): void {
  const keys = keysOf(pointer);
  const parent = partAt(document, keys.slice(0, -1)) as Record<string, number | string>;
  parent[keys.at(-1)!] = value;
}

/** Returns the arguments of `set` for the value of a document at a pointer; undefined if it has none. */
export function settingAt(document: unknown, pointer: string): Setting | undefined {
  const [list = "", key = "", option = ""] = keysOf(pointer);
  if (list === "equations" && key === "parameters") {
    return { pointer, given: [{ [option]: partAt(document, [list, key, option]) }] };
  }
  const part = partAt(document, [list, key]) as Readonly<Record<string, unknown>> | undefined;
  if (list === "parameters") return { pointer, given: [{ [key]: part }] };
  if (list === "gravity") return { pointer, given: [{ gravity: partAt(document, [list]) }] };
  if (!["bodies", "joints", "forces"].includes(list) || part?.name === undefined) return undefined;
  return { pointer, given: [part.name, { [option]: part[option] }] };
}
