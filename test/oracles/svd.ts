/**
 * Naive singular values, descending: one-sided Jacobi (Hestenes) on the columns of the long side.
 * Accurate, slow, and nothing in common with the kernel.
 */
export function naiveSingularValues(m: number, n: number, a: Float64Array): Float64Array {
  const rows = Math.max(m, n);
  const columns = Math.min(m, n);
  const w = Array.from({ length: columns }, (_, j) =>
    Float64Array.from({ length: rows }, (_, i) => (m < n ? a[j + i * m] : a[i + j * m])),
  );
  for (let sweep = 0, rotated = true; rotated && sweep < 60; sweep++) {
    rotated = false;
    for (let p = 0; p < columns; p++) {
      for (let q = p + 1; q < columns; q++) if (orthogonalise(w[p], w[q])) rotated = true;
    }
  }
  return Float64Array.from(w, (x) => Math.sqrt(dot(x, x))).sort((x, y) => y - x);
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

/** Rotates two columns to make them orthogonal. Returns false if they already were. */
function orthogonalise(x: Float64Array, y: Float64Array): boolean {
  const xx = dot(x, x);
  const yy = dot(y, y);
  const xy = dot(x, y);
  if (Math.abs(xy) <= 1e-15 * Math.sqrt(xx * yy)) return false;
  const zeta = (yy - xx) / (2 * xy);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  for (let i = 0; i < x.length; i++) {
    const before = x[i];
    x[i] = c * (before - t * y[i]);
    y[i] = c * (y[i] + t * before);
  }
  return true;
}
