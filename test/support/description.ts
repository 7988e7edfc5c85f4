import type { Mechanism } from "nodrift/mechanisms";

/** Largest difference relative to the largest magnitude. */
export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const size = Array.from(b).reduce((most, x) => Math.max(most, Math.abs(x)), 1);
  return Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0) / size;
}

/** Central finite differences of a vector along a line. */
export function slope(f: (s: number) => ArrayLike<number>, h = 1e-5): number[] {
  const [before, after] = [f(-h), f(h)];
  return Array.from(after, (x, i) => (x - before[i]) / (2 * h));
}

/** A point on a line. */
export const moved = (q: Float64Array, d: ArrayLike<number>, s: number) =>
  q.map((x, i) => x + s * d[i]);
export const unit = (n: number, j: number) =>
  Float64Array.from({ length: n }, (_, i) => (i === j ? 1 : 0));

/** The functions of a description at any state, with their preparation. */
export function functionsOf({
  equations: { description, coordinateNames, holonomicNames },
}: Mechanism) {
  const [n, m] = [coordinateNames.length, holonomicNames.length];
  const { holonomic, prepare, mass } = description;
  const write = (size: number, f: (out: Float64Array) => unknown) => {
    const out = new Float64Array(size);
    f(out);
    return out;
  };
  const at = (q: Float64Array, v: Float64Array, t: number) => prepare?.(q, v, t);
  const zero = new Float64Array(n);
  return {
    n,
    m,
    value: (q: Float64Array, t: number) => {
      at(q, zero, t);
      return write(m, (out) => holonomic?.value(q, out, t));
    },
    jacobian: (q: Float64Array, t: number) => {
      at(q, zero, t);
      return write(m * n, (out) => holonomic?.jacobian?.(q, out, t));
    },
    timeDerivative: (q: Float64Array, t: number) => {
      at(q, zero, t);
      return write(m, (out) => holonomic?.timeDerivative?.(q, out, t));
    },
    gamma: (q: Float64Array, v: Float64Array, t: number) => {
      at(q, v, t);
      return write(m, (out) => holonomic?.gamma?.(q, v, out, t));
    },
    forces: (q: Float64Array, v: Float64Array) => {
      at(q, v, 0);
      return write(n, (out) => description.forces(q, v, out, 0));
    },
    massTimes: (q: Float64Array, v: Float64Array) => {
      at(q, zero, 0);
      const full = write(n * n, (out) => "full" in mass && mass.full(q, out, 0));
      return Float64Array.from(v, (_, i) => v.reduce((sum, x, j) => sum + full[i * n + j] * x, 0));
    },
    potential: (q: Float64Array) => {
      at(q, zero, 0);
      return description.potential?.(q, 0) as number;
    },
  };
}
