// Fewer points for the same picture.

/** Numbers of the points that stay, in their order. */
export function reduce(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  most: number,
  ordered: boolean,
): number[] {
  const count = Math.min(x.length, y.length);
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  // Least and largest y, and a gap; where x does not grow, least and largest x too.
  const perPart = 2 + (hasGaps(y, count) ? 1 : 0) + (ordered ? 0 : 2);
  const parts = Math.max(1, Math.floor((most - 2) / perPart));
  const chosen = new Set([0, count - 1]);
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((part * count) / parts);
    const to = Math.floor(((part + 1) * count) / parts);
    extremes(y, from, to, chosen);
    if (!ordered) extremes(x, from, to, chosen);
  }
  return [...chosen].sort((a, b) => a - b);
}

function hasGaps(y: ArrayLike<number>, count: number): boolean {
  for (let i = 0; i < count; i++) if (!Number.isFinite(y[i])) return true;
  return false;
}

function extremes(values: ArrayLike<number>, from: number, to: number, chosen: Set<number>): void {
  let [low, high, gap] = [-1, -1, -1];
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) {
      gap = i;
      continue;
    }
    if (low < 0 || value < values[low]!) low = i;
    if (high < 0 || value > values[high]!) high = i;
  }
  for (const i of [low, high, gap]) if (i >= 0) chosen.add(i);
}

/** Whether x does not decrease. */
export function isOrdered(x: ArrayLike<number>): boolean {
  for (let i = 1; i < x.length; i++) if (!(x[i]! >= x[i - 1]!)) return false;
  return true;
}
