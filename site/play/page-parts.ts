// Small parts of the page: tabs, menu, dropped files, downloads, captions and the time per frame.

import { find, make, short } from "../dom.js";
import type { ModelFacts, RunFacts } from "./protocol.js";

/** Attaches tabs: one panel is visible at a time; arrow keys move between tabs. */
export function tabs(names: readonly string[]): void {
  const all = names.map((name) => ({ tab: find(`tab-${name}`), panel: find(`${name}-panel`) }));
  const choose = (index: number) => {
    for (const [i, { tab, panel }] of all.entries()) {
      tab.setAttribute("aria-selected", String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
      panel.hidden = i !== index;
    }
  };
  for (const [i, { tab }] of all.entries()) {
    tab.addEventListener("click", () => choose(i));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (step === undefined) return;
      const next = (i + step + all.length) % all.length;
      choose(next);
      all[next]!.tab.focus();
    });
  }
}

export type Format = "model" | "csv" | "html";

/** Attaches the download menu; it closes after a choice, on Escape, and on a click elsewhere. */
export function downloadMenu(menu: HTMLDetailsElement, chosen: (format: Format) => void): void {
  const close = () => {
    menu.open = false;
  };
  addEventListener("click", ({ target }) => {
    if (!menu.contains(target as Node)) close();
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu.open) return;
    close();
    menu.querySelector("summary")?.focus();
  });
  menu.addEventListener("click", ({ target }) => {
    const format = (target as HTMLElement).dataset.file as Format | undefined;
    if (format === undefined) return;
    close();
    chosen(format);
  });
}

/** Takes files dropped on the page; a hint is shown while one is dragged over it. */
export function handleDrops(sign: HTMLElement, taken: (file: File | undefined) => void): void {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    sign.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) sign.hidden = true;
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    sign.hidden = true;
    taken(event.dataTransfer?.files[0]);
  });
}

/** Saves a text as a file on the user's computer. */
export function save(name: string, text: string): void {
  const link = make("a", { download: name });
  link.href = URL.createObjectURL(new Blob([text]));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Shows the file served by `nodrift play`, now and after each change. Returns whether a file is served. */
export async function followServedFile(show: (text: string) => void): Promise<boolean> {
  if (!new URLSearchParams(location.search).has("file")) return false;
  const read = async () => {
    const answer = await fetch("./served-model.json", { cache: "no-store" });
    if (answer.ok) show(await answer.text());
    return answer.ok;
  };
  if (!(await read())) return false;
  new EventSource("./changes").addEventListener("message", () => void read());
  return true;
}

/** Writes the key figures below a picture. */
export function caption(element: HTMLElement, facts: RunFacts, isDone: boolean): void {
  const { method, status, reason, steps, drift, energy, energyUnit, milliseconds, perStep } = facts;
  const whatEnergy = facts.isEnergyKept ? "energy error" : "energy changes by";
  const isGood = !isDone || status === "finished" || status === "event";
  const fact = (label: string, value: string) =>
    make("span", {}, `${label} `, make("b", {}, value));
  element.replaceChildren(
    make("b", {}, method),
    fact("steps", String(steps)),
    fact("drift", short(drift, 2)),
    ...(Number.isNaN(energy) ? [] : [fact(whatEnergy, `${short(energy, 2)} ${energyUnit}`)]),
    fact("computed in", `${short(milliseconds, 3)} ms`),
    fact("", `${short(perStep, 3)} µs per step`),
    ...(isGood ? [] : [make("span", { class: "bad" }, `${status}: ${reason}`)]),
  );
}

/** Returns the status line of the page. */
export function statusOf({ counts, notes }: ModelFacts, facts: RunFacts, isDone: boolean): string {
  const parts = [
    `${counts}.`,
    isDone ? "" : "Computing…",
    ...[...notes.slice(0, 1), ...facts.notes.slice(0, 1)].map(sentence),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** Returns a note as a sentence: notes begin in lower case. */
export function sentence(note: string): string {
  return note.charAt(0).toUpperCase() + note.slice(1);
}

const FRAMES_PER_SAMPLE = 60;
/** Milliseconds per frame at 60 Hz. */
const FRAME_BUDGET_MS = 1000 / 60;

/** Measures the page's own time per frame. */
export class FrameClock {
  readonly #times: number[] = [];
  readonly #element = find("budget");
  #lastReport = 0;

  /** Runs and measures the work of a frame. */
  measure(work: () => void): void {
    const began = performance.now();
    work();
    const ended = performance.now();
    this.#times.push(ended - began);
    if (this.#times.length > FRAMES_PER_SAMPLE) this.#times.shift();
    if (ended - this.#lastReport < 500) return;
    this.#lastReport = ended;
    const sorted = [...this.#times].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)]!;
    this.#element.textContent = `${median.toFixed(1)} of ${FRAME_BUDGET_MS.toFixed(1)} ms per frame`;
    this.#element.classList.toggle("bad", median > FRAME_BUDGET_MS);
  }
}
