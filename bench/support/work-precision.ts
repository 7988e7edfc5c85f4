// Work against error: what a method costs at an error, by runs at a row of tolerances.

/** A run: its error, and its work in any unit. */
export interface WorkPoint {
  readonly error: number;
  readonly work: number;
}

/**
 * Work at an error: on the line through the two runs around it, in logarithms. Where the first run, that of the
 * loosest tolerance, is already better, its work; undefined where no run is as good.
 */
export function workAt(points: readonly WorkPoint[], error: number): number | undefined {
  const next = points.findIndex((point) => point.error <= error);
  if (next < 0) return undefined;
  if (next === 0) return points[0].work;
  const [rough, fine] = [points[next - 1], points[next]];
  const share = Math.log(rough.error / error) / Math.log(rough.error / fine.error);
  return rough.work * (fine.work / rough.work) ** share;
}
