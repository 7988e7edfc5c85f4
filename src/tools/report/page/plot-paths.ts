// What plots draw besides the lines of uPlot.

import uPlot from "uplot";
import type { PlotData } from "../page-data.js";
import { clear } from "./colours.js";
import { theme } from "./theme.js";

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Names of marks are written if there are not more of them. */
const NAMED = 12;

/** Points between gaps, through which there is no line. */
export function lonely(chart: uPlot, index: number): number[] {
  const ys = chart.data[index] as (number | null | undefined)[];
  const own = ys.flatMap((y, i) => (y === undefined ? [] : [i]));
  const isGap = (place: number) => (ys[own[place] ?? -1] ?? null) === null;
  return own.filter((i, place) => ys[i] !== null && isGap(place - 1) && isGap(place + 1));
}

/** A line through points in any order. Drawn at once: uPlot keeps no paths of such. */
export function scattered(points: boolean, stroke: string): uPlot.Series.PathBuilder {
  return (chart, index) => {
    const { ctx } = chart;
    const [xs, ys] = chart.data[index] as unknown as [number[], (number | null)[]];
    const places = xs.map((x, i) => {
      const y = ys[i];
      if (y === null || y === undefined) return undefined;
      return [chart.valToPos(x, "x", true), chart.valToPos(y, "y", true)] as const;
    });
    ctx.save();
    ctx.beginPath();
    let isDown = false;
    for (const place of places) {
      if (place !== undefined && isDown) ctx.lineTo(...place);
      else if (place !== undefined) ctx.moveTo(...place);
      isDown = place !== undefined;
    }
    ctx.strokeStyle = stroke;
    ctx.lineWidth = 1.75 * uPlot.pxRatio;
    ctx.lineJoin = "round";
    ctx.stroke();
    ctx.fillStyle = theme().surface;
    for (const place of points ? places : []) {
      if (place === undefined) continue;
      ctx.beginPath();
      ctx.arc(...place, 3.2 * uPlot.pxRatio, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    }
    ctx.restore();
    return null;
  };
}

/** Dashed lines for events, with their names if there is room. */
export function drawMarks(chart: uPlot, { marks }: PlotData): void {
  const { ctx, bbox } = chart;
  const { soft, surface } = theme();
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${11 * ratio}px ${FONT}`;
  ctx.fillStyle = soft;
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.lineJoin = "round";
  let free = Number.NEGATIVE_INFINITY;
  for (const { x, label } of marks) {
    const at = chart.valToPos(x, "x", true);
    ctx.beginPath();
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.strokeStyle = clear(soft, 0.7);
    ctx.lineWidth = ratio;
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.strokeStyle = clear(surface, 0.8);
    ctx.lineWidth = 3 * ratio;
    if (marks.length > NAMED || at < free) continue;
    free = at + 14 * ratio;
    ctx.save();
    ctx.translate(at + 4 * ratio, bbox.top + 4 * ratio);
    ctx.rotate(Math.PI / 2);
    ctx.strokeText(label, 0, 0);
    ctx.fillText(label, 0, 0);
    ctx.restore();
  }
  ctx.restore();
}
