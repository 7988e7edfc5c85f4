// Tab that compares methods on the current model: a plot of error against time, and a table.

import type { ComparedRun } from "nodrift/compare";
import { PlotChart } from "nodrift/draw";
import { make, short } from "../dom.js";
import { sentence } from "./page-parts.js";
import type { Answer } from "./protocol.js";

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

export class ComparePanel {
  readonly #chosen: HTMLInputElement[];
  readonly #status = make("p", { class: "status", role: "status" });
  readonly #figure = make(
    "figure",
    { class: "plot card" },
    make("figcaption", {}, "Error against computing time"),
  );
  readonly #rows = make("tbody", {});
  readonly #result: HTMLElement;
  #chart: PlotChart | undefined;
  #attempts: ComparedRun[] = [];
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
      this.#figure,
      make(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "All runs" },
        table,
      ),
    );
    this.#result.hidden = true;
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
    const plot = {
      title: "",
      x: { label: "computing time", unit: "s", log: true },
      y: { label: "largest error", log: true },
      series: names.map((name, k) => ({
        name,
        points: true,
        x: lines[k]!.map(({ seconds }) => seconds),
        y: lines[k]!.map(({ error }) => error),
      })),
    };
    if (this.#chart) this.#chart.plot = plot;
    else this.#chart = new PlotChart(this.#figure, plot, { height: HEIGHT });
  }
}

function rowOf(attempt: ComparedRun) {
  const { method, coordinates, effort, status, reason, steps } = attempt;
  const { error, drift, energy, seconds } = attempt;
  const cells = [
    method,
    coordinates ?? "-",
    `${effort.kind} ${short(effort.value, 2)}`,
    String(steps),
    short(error, 2),
    short(drift, 2),
    short(energy, 2),
    `${short(1000 * seconds, 3)} ms`,
  ];
  const row = make("tr", {}, ...cells.map((cell) => make("td", {}, cell)));
  if (status !== "finished" && status !== "event") row.title = `${status}: ${reason}`;
  return row;
}
