/**
 * Work that reaches an error, on the curve through measured points: linear between logarithms.
 *
 * @param {readonly { error?: number, milliseconds: number }[]} curve
 * @param {number} target
 * @returns {number} milliseconds
 */
export function workFor(curve, target) {
  const points = curve
    .map(({ error, milliseconds }) => [Math.log(error), Math.log(milliseconds)])
    .sort(([a], [b]) => b - a);
  const goal = Math.log(target);
  const next = points.findIndex(([error]) => error <= goal);
  if (next < 1) throw new Error(`no two measured errors enclose ${target}`);
  const [[e0, w0], [e1, w1]] = [points[next - 1], points[next]];
  return Math.exp(w0 + ((goal - e0) / (e1 - e0)) * (w1 - w0));
}
