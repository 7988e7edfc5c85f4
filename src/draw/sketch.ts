// Small curves over time on a canvas, without axes.

import { type Theme, theme } from "./colours.js";
import { shortNumber } from "./text.js";

/** Pixels above and below the curves, and beside them. */
const MARGIN_PX = 14;
const SIDE_PX = 4;

/** Curves of a {@link sketch}. */
export interface SketchCurves {
  readonly x: ArrayLike<number>;
  /** Values of each curve; those that are not finite are left out. */
  readonly ys: readonly ArrayLike<number>[];
  /** Time that is marked. */
  readonly now?: number;
  /** Unit of the least and the largest value, which are written if it is given. */
  readonly unit?: string;
}

/**
 * Paints small curves over time on a canvas, without axes, on a common scale.
 *
 * @example
 * sketch(canvas, { x: solution.time, ys: [heights] });
 */
export function sketch(
  canvas: HTMLCanvasElement,
  { x, ys, now, unit }: SketchCurves,
  colours: Theme = theme(),
): void {
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const context = canvas.getContext("2d");
  if (context === null || width === 0) return;
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const [least, most] = rangeOf(ys);
  if (x.length < 2 || !(least <= most)) return;
  const [from, to] = [x[0]!, x[x.length - 1]!];
  const across = (time: number) =>
    SIDE_PX + ((width - 2 * SIDE_PX) * (time - from)) / (to - from || 1);
  const up = (y: number) =>
    most > least
      ? height - MARGIN_PX - ((height - 2 * MARGIN_PX) * (y - least)) / (most - least)
      : height / 2;
  context.lineJoin = "round";
  context.lineWidth = 1.6;
  for (const [k, y] of ys.entries()) {
    context.strokeStyle = colours.palette[k % colours.palette.length]!;
    context.beginPath();
    for (let i = 0; i < x.length; i++) {
      if (Number.isFinite(y[i])) context.lineTo(across(x[i]!), up(y[i]!));
    }
    context.stroke();
  }
  context.lineWidth = 1;
  context.strokeStyle = colours.soft;
  if (now !== undefined) {
    context.beginPath();
    context.moveTo(across(now), MARGIN_PX - 2);
    context.lineTo(across(now), height - MARGIN_PX + 2);
    context.stroke();
  }
  if (unit === undefined) return;
  context.fillStyle = colours.soft;
  context.font = "11px system-ui, sans-serif";
  context.fillText(`${shortNumber(most, 4)} ${unit}`, 2, 10);
  context.fillText(`${shortNumber(least, 4)} ${unit}`, 2, height - 2);
}

function rangeOf(ys: readonly ArrayLike<number>[]): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const y of ys) {
    for (let i = 0; i < y.length; i++) {
      const value = y[i]!;
      if (!Number.isFinite(value)) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return [least, most];
}
