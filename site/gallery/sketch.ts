// Curves of a run in a card, for systems without bodies to draw.

import type { PlotLines } from "../play/protocol.js";

const MARGIN = 14;
/** Colour variables of the page, accent first. */
const COLOURS = ["--accent", "--number", "--warn", "--key"] as const;

/** Draws curves over time on a common scale. */
export function sketch(canvas: HTMLCanvasElement, { x, curves }: PlotLines): void {
  const context = canvas.getContext("2d");
  if (!context || x.length < 2) return;
  const ratio = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const values = curves.flatMap(({ y }) => Array.from(y)).filter(Number.isFinite);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [from, to] = [x[0]!, x.at(-1)!];
  const across = (time: number) => MARGIN + ((width - 2 * MARGIN) * (time - from)) / (to - from);
  const up = (y: number) =>
    height - MARGIN - ((height - 2 * MARGIN) * (y - least)) / (most - least || 1);
  context.lineWidth = 1.8;
  context.lineJoin = "round";
  for (const [k, { y }] of curves.entries()) {
    context.strokeStyle = style.getPropertyValue(COLOURS[k % COLOURS.length]!);
    context.beginPath();
    for (const [i, time] of x.entries()) context.lineTo(across(time), up(y[i]!));
    context.stroke();
  }
}
