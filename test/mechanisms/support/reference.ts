// References: quadrature, a fine Runge-Kutta integration, and elliptic integrals.

/** y' = f(t, y) from 0 to t by RK4 in `steps` steps. */
export function integrated(
  f: (t: number, y: readonly number[]) => number[],
  start: readonly number[],
  t: number,
  steps: number,
): number[] {
  const h = t / steps;
  const moved = (y: readonly number[], k: readonly number[], by: number) =>
    y.map((value, i) => value + by * k[i]);
  let y = [...start];
  for (let i = 0; i < steps; i++) {
    const now = i * h;
    const k1 = f(now, y);
    const k2 = f(now + h / 2, moved(y, k1, h / 2));
    const k3 = f(now + h / 2, moved(y, k2, h / 2));
    const k4 = f(now + h, moved(y, k3, h));
    y = y.map((value, j) => value + (h / 6) * (k1[j] + 2 * (k2[j] + k3[j]) + k4[j]));
  }
  return y;
}

/** The complete elliptic integral K(k) by the arithmetic-geometric mean. */
export function ellipticK(k: number): number {
  let [a, b] = [1, Math.sqrt(1 - k * k)];
  while (Math.abs(a - b) > 1e-15 * a) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

/** Simpson's rule over an odd number of equally spaced values. */
export function simpson(values: readonly number[], h: number): number {
  const weight = (i: number) => (i === 0 || i === values.length - 1 ? 1 : i % 2 === 1 ? 4 : 2);
  return values.reduce((sum, value, i) => sum + (weight(i) * value * h) / 3, 0);
}
