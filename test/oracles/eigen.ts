/** Naive eigenvalues of a symmetric matrix, ascending: cyclic Jacobi rotations. */
export function naiveEigenvalues(n: number, matrix: Float64Array): Float64Array {
  const a = matrix.slice();
  let scale = 0;
  for (const x of a) scale = Math.max(scale, Math.abs(x));
  for (let sweep = 0, rotated = true; rotated && sweep < 60; sweep++) {
    rotated = false;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (Math.abs(a[p + q * n]) <= 1e-18 * scale) continue;
        rotate(n, a, p, q);
        rotated = true;
      }
    }
  }
  return Float64Array.from({ length: n }, (_, i) => a[i + i * n]).sort();
}

/** Makes element (p, q) zero by a rotation of rows and columns p and q. */
function rotate(n: number, a: Float64Array, p: number, q: number): void {
  const theta = (a[q + q * n] - a[p + p * n]) / (2 * a[p + q * n]);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(1 + theta * theta));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  for (let i = 0; i < n; i++) {
    const x = a[i + p * n];
    const y = a[i + q * n];
    a[i + p * n] = c * x - s * y;
    a[i + q * n] = s * x + c * y;
  }
  for (let i = 0; i < n; i++) {
    const x = a[p + i * n];
    const y = a[q + i * n];
    a[p + i * n] = c * x - s * y;
    a[q + i * n] = s * x + c * y;
  }
  a[p + q * n] = 0;
  a[q + p * n] = 0;
}
