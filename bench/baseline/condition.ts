// Higham's estimate of |(L U)^-1|_1 in plain JavaScript, with the same steps as the kernel.

/** L and U in the leading n x n part of columns that are `ld` long. */
interface Triangles {
  readonly n: number;
  readonly lu: Float64Array;
  readonly ld: number;
}

/** 1 / (norm |(L U)^-1|_1). `x` and `signs` are scratch of length n or more. */
export function reciprocalCondition(
  t: Triangles,
  norm: number,
  x: Float64Array,
  signs: Float64Array,
): number {
  const { n } = t;
  if (n === 0) return 1;
  for (let i = 0; i < n; i++) {
    x[i] = 1 / n;
    signs[i] = 0;
  }
  let best = applyInverse(t, x);
  let vertex = -1;
  for (let climb = 0; n > 1 && climb < 4; climb++) {
    if (!takeSigns(n, x, signs)) break;
    applyTransposed(t, x);
    const steepest = largestIndex(n, x);
    if (steepest === vertex) break;
    vertex = steepest;
    for (let i = 0; i < n; i++) x[i] = 0;
    x[vertex] = 1;
    const value = applyInverse(t, x);
    if (!(value > best)) break;
    best = value;
  }
  for (let i = 0; i < n; i++) {
    const size = n > 1 ? 1 + i / (n - 1) : 1;
    x[i] = (i & 1) !== 0 ? -size : size;
  }
  return 1 / (norm * Math.max(best, (2 * applyInverse(t, x)) / (3 * n)));
}

function largestIndex(n: number, x: Float64Array): number {
  let winner = 0;
  for (let i = 1; i < n; i++) if (Math.abs(x[i]) > Math.abs(x[winner])) winner = i;
  return winner;
}

function takeSigns(n: number, x: Float64Array, signs: Float64Array): boolean {
  let changed = false;
  for (let i = 0; i < n; i++) {
    const sign = x[i] < 0 ? -1 : 1;
    if (sign !== signs[i]) changed = true;
    signs[i] = sign;
    x[i] = sign;
  }
  return changed;
}

/** x = (L U)^-1 x by columns; returns |x|_1. */
function applyInverse({ n, lu, ld }: Triangles, x: Float64Array): number {
  for (let k = 0; k < n; k++) {
    const value = x[k];
    for (let i = k + 1, from = k * ld + i; i < n; i++, from++) x[i] -= lu[from] * value;
  }
  let sum = 0;
  for (let k = n - 1; k >= 0; k--) {
    const value = x[k] * lu[k + k * ld];
    x[k] = value;
    sum += Math.abs(value);
    for (let i = 0, from = k * ld; i < k; i++, from++) x[i] -= lu[from] * value;
  }
  return sum;
}

/** x = (L U)^-T x by dots. */
function applyTransposed({ n, lu, ld }: Triangles, x: Float64Array): void {
  for (let k = 0; k < n; k++) {
    let sum = x[k];
    for (let i = 0, from = k * ld; i < k; i++, from++) sum -= lu[from] * x[i];
    x[k] = sum * lu[k + k * ld];
  }
  for (let k = n - 1; k >= 0; k--) {
    let sum = x[k];
    for (let i = k + 1, from = k * ld + i; i < n; i++, from++) sum -= lu[from] * x[i];
    x[k] = sum;
  }
}
