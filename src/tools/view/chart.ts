// A small plot of one number over time.

import { make } from "../report/page/dom.js";
import { shortNumber } from "../report/page/text.js";
import type { Theme } from "./tints.js";

/** Points that are kept of a motion that goes on. */
const MOST = 1200;

export class Chart {
  readonly canvas = make("canvas", { role: "img", "aria-label": "Plot over time" });
  #times: number[] = [];
  #values: number[] = [];

  /** All at once, or nothing yet. */
  set(times: readonly number[], values: readonly number[]): void {
    this.#times = [...times];
    this.#values = [...values];
  }

  add(time: number, value: number): void {
    const last = this.#times.at(-1);
    // Time that goes back begins anew.
    if (last !== undefined && time < last) this.set([], []);
    if (time === last || !Number.isFinite(value)) return;
    this.#times.push(time);
    this.#values.push(value);
    if (this.#times.length <= MOST) return;
    this.#times = this.#times.filter((_, i) => i % 2 === 0);
    this.#values = this.#values.filter((_, i) => i % 2 === 0);
  }

  paint(theme: Theme, now: number, unit: string): void {
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const finite = this.#values.filter(Number.isFinite);
    if (finite.length < 2) return;
    const [least, most] = [Math.min(...finite), Math.max(...finite)];
    const [from, to] = [this.#times[0]!, this.#times.at(-1)!];
    const x = (time: number) => 2 + ((width - 4) * (time - from)) / (to - from || 1);
    const y = (value: number) =>
      most > least ? height - 14 - ((height - 28) * (value - least)) / (most - least) : height / 2;
    context.beginPath();
    for (const [i, value] of this.#values.entries()) {
      if (Number.isFinite(value)) context.lineTo(x(this.#times[i]!), y(value));
    }
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5;
    context.stroke();
    context.beginPath();
    context.moveTo(x(now), 12);
    context.lineTo(x(now), height - 12);
    context.strokeStyle = theme.soft;
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = theme.soft;
    context.font = "11px system-ui, sans-serif";
    context.fillText(`${shortNumber(most, 4)} ${unit}`, 2, 10);
    context.fillText(`${shortNumber(least, 4)} ${unit}`, 2, height - 2);
  }
}
