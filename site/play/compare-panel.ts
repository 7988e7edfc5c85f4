// Tab that compares methods on the current model: a plot of error against time, and a table.

import uPlot from "uplot";
import { make } from "../../src/report/page/dom.js";
import { optionsOf } from "../../src/report/page/plot-options.js";
import { shortNumber } from "../../src/report/page/text.js";
import { onTheme } from "../../src/report/page/theme.js";
import { sentence } from "./captions.js";
import type { Answer, Attempt } from "./protocol.js";

const CHOICES = [
  ["dop853", true],
  ["dp5", true],
  ["radau5", false],
  ["sdirk4", false],
  ["welch", true],
  ["projection + rk4", true],
  ["driftElimination + rk4", false],
  ["baumgarte(10, 10) + rk4", false],
  ["udwadiaKalaba + rk4", true],
] as const;
const HEIGHT = 320;
const NO_NUMBERS = { base: 0, scale: 1, isLog: true, values: "" };

export class ComparePanel {
  readonly #chosen: HTMLInputElement[];
  readonly #status = make("p", { class: "status", role: "status" });
  readonly #box = make("div", { class: "box" });
  readonly #rows = make("tbody", {});
  readonly #result: HTMLElement;
  #chart: uPlot | undefined;
  #attempts: Attempt[] = [];
  #id = 0;

  constructor(parent: HTMLElement, run: (methods: readonly string[]) => number) {
    this.#chosen = CHOICES.map(([value, isChosen]) => {
      const box = make("input", { type: "checkbox", value });
      box.checked = isChosen;
      return box;
    });
    const button = make("button", { type: "button" }, "Compare methods on this model");
    button.addEventListener("click", () => {
      const methods = this.#chosen.filter(({ checked }) => checked).map(({ value }) => value);
      if (methods.length === 0) return;
      this.#attempts = [];
      this.#rows.replaceChildren();
      this.#status.textContent = "Computing the reference solution…";
      this.#id = run(methods);
    });
    const heads = ["method", "coordinates", "with", "steps", "error", "drift", "energy", "time"];
    const table = make(
      "table",
      {},
      make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
      this.#rows,
    );
    this.#result = make(
      "div",
      {},
      make(
        "figure",
        { class: "plot card" },
        make("figcaption", {}, "Error against computing time"),
        this.#box,
      ),
      make(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "All runs" },
        table,
      ),
    );
    this.#result.hidden = true;
    onTheme(() => this.#draw());
    parent.append(
      make(
        "fieldset",
        { class: "choices card" },
        make("legend", {}, "Methods"),
        ...this.#chosen.map((box) => make("label", {}, box, ` ${box.value}`)),
      ),
      button,
      this.#status,
      this.#result,
    );
  }

  receive(answer: Answer): void {
    if (answer.kind === "refused" && answer.id === this.#id)
      this.#status.textContent = answer.message;
    if (answer.kind === "compared" && answer.id === this.#id) {
      this.#status.textContent = sentence(answer.reference);
    }
    if (answer.kind !== "attempt" || answer.id !== this.#id) return;
    const { attempt, done, total, reference } = answer;
    this.#attempts.push(attempt);
    this.#status.textContent = `${done} of ${total} runs. ${sentence(reference)}`;
    this.#rows.append(rowOf(attempt));
    this.#result.hidden = false;
    this.#draw();
  }

  #draw(): void {
    const names = [...new Set(this.#attempts.map(({ method }) => method))];
    const lines = names.map((name) =>
      this.#attempts
        .filter(({ method, error, seconds }) => method === name && error > 0 && seconds > 0)
        .sort((a, b) => a.seconds - b.seconds),
    );
    const series = names.map((name) => ({
      name,
      points: true,
      aside: false,
      ordered: false,
      x: NO_NUMBERS,
      y: NO_NUMBERS,
    }));
    const plot = {
      title: "",
      x: { label: "computing time", unit: "s", log: true },
      y: { label: "largest error", log: true },
      series,
      marks: [],
      scene: -1,
    };
    const data = lines.map((own) => [
      own.map(({ seconds }) => seconds),
      own.map(({ error }) => error),
    ]);
    this.#chart?.destroy();
    this.#chart = undefined;
    if (data.every(([x]) => x!.length === 0)) return;
    const width = this.#box.clientWidth || 600;
    this.#chart = new uPlot(
      optionsOf(plot, false, width, HEIGHT),
      [null, ...data] as unknown as uPlot.AlignedData,
      this.#box,
    );
  }
}

function rowOf(attempt: Attempt) {
  const { method, coordinates, effort, status, reason, steps } = attempt;
  const { error, drift, energy, seconds } = attempt;
  const cells = [
    method,
    coordinates ?? "-",
    `${effort.kind} ${shortNumber(effort.value, 2)}`,
    String(steps),
    shortNumber(error, 2),
    shortNumber(drift, 2),
    shortNumber(energy, 2),
    `${shortNumber(1000 * seconds, 3)} ms`,
  ];
  const row = make("tr", {}, ...cells.map((cell) => make("td", {}, cell)));
  if (status !== "finished" && status !== "event") row.title = `${status}: ${reason}`;
  return row;
}
