// Measures the page's own time per frame.

const FRAMES_PER_SAMPLE = 60;
/** Milliseconds per frame at 60 Hz. */
const FRAME_BUDGET_MS = 1000 / 60;

export class FrameClock {
  readonly #times: number[] = [];
  readonly #element = document.getElementById("budget");
  #lastReport = 0;

  /** Runs and measures the work of a frame. */
  measure(work: () => void): void {
    const began = performance.now();
    work();
    const ended = performance.now();
    this.#times.push(ended - began);
    if (this.#times.length > FRAMES_PER_SAMPLE) this.#times.shift();
    if (ended - this.#lastReport < 500 || !this.#element) return;
    this.#lastReport = ended;
    const { median } = this;
    this.#element.textContent = `${median.toFixed(1)} of ${FRAME_BUDGET_MS.toFixed(1)} ms per frame`;
    this.#element.classList.toggle("bad", median > FRAME_BUDGET_MS);
  }

  get median(): number {
    const sorted = [...this.#times].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }
}
