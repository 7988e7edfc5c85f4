// How much of a frame the page itself takes.

const KEPT = 60;
/** Milliseconds of a frame at 60 Hz. */
const BUDGET = 1000 / 60;

export class FrameClock {
  readonly #times: number[] = [];
  readonly #element = document.getElementById("budget");
  #told = 0;

  /** Does the work of a frame. */
  measure(work: () => void): void {
    const began = performance.now();
    work();
    const ended = performance.now();
    this.#times.push(ended - began);
    if (this.#times.length > KEPT) this.#times.shift();
    if (ended - this.#told < 500 || !this.#element) return;
    this.#told = ended;
    const { median } = this;
    this.#element.textContent = `${median.toFixed(1)} of ${BUDGET.toFixed(1)} ms a frame`;
    this.#element.classList.toggle("bad", median > BUDGET);
  }

  get median(): number {
    const sorted = [...this.#times].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }
}
