// Cubic splines by their second derivatives M at the points x, with lengths h_i = x_(i+1) - x_i of
// intervals and slopes s_i = (y_(i+1) - y_i) / h_i of chords. On interval i the second derivative
// is a straight line; twice integrated, and through both points, with u = x - x_i:
//
//   y(u) = y_i + (s_i - h_i (2 M_i + M_(i+1)) / 6) u + M_i / 2 u^2 + (M_(i+1) - M_i) / (6 h_i) u^3
//
// The slopes of neighbours are equal at the points inside when
//
//   h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (s_i - s_(i-1))          (1)
//
// Two equations are missing, which are those of the ends. Every system here is symmetric with a
// dominant diagonal, so that elimination needs no pivots. (de Boor, A Practical Guide to Splines,
// chapter IV.)

/** A curve through points: of its intervals the lengths and the slopes of the chords. */
interface Chords {
  readonly lengths: Float64Array;
  readonly slopes: Float64Array;
}

/** What a spline does at its ends. */
export type Ends = "natural" | "level" | "periodic";

/** Four coefficients for each interval: of 1, u, u^2 and u^3. */
export function splineCoefficients(x: Float64Array, y: Float64Array, ends: Ends): Float64Array {
  const chords = chordsOf(x, y);
  const bends = ends === "periodic" ? periodicBends(chords) : openBends(chords, ends);
  const out = new Float64Array(4 * chords.slopes.length);
  for (let i = 0; i < chords.slopes.length; i++) {
    const h = chords.lengths[i]!;
    const [left, right] = [bends[i]!, bends[i + 1]!];
    const slope = chords.slopes[i]! - (h * (2 * left + right)) / 6;
    out.set([y[i]!, slope, left / 2, (right - left) / (6 * h)], 4 * i);
  }
  return out;
}

/** Straight lines between the points, in the same form. */
export function chordCoefficients(x: Float64Array, y: Float64Array): Float64Array {
  const { slopes } = chordsOf(x, y);
  const out = new Float64Array(4 * slopes.length);
  for (let i = 0; i < slopes.length; i++) out.set([y[i]!, slopes[i]!], 4 * i);
  return out;
}

function chordsOf(x: Float64Array, y: Float64Array): Chords {
  const lengths = new Float64Array(x.length - 1);
  const slopes = new Float64Array(x.length - 1);
  for (let i = 0; i < lengths.length; i++) {
    lengths[i] = x[i + 1]! - x[i]!;
    slopes[i] = (y[i + 1]! - y[i]!) / lengths[i]!;
  }
  return { lengths, slopes };
}

/** Second derivatives at the points of a spline that has two ends. */
function openBends({ lengths, slopes }: Chords, ends: Ends): Float64Array {
  const last = lengths.length;
  const diagonal = new Float64Array(last + 1);
  const beside = lengths.slice();
  const right = new Float64Array(last + 1);
  for (let i = 1; i < last; i++) {
    diagonal[i] = 2 * (lengths[i - 1]! + lengths[i]!);
    right[i] = 6 * (slopes[i]! - slopes[i - 1]!);
  }
  if (ends === "level") {
    // (1) with the slope 0 in place of the neighbour that is not there:
    //   2 h_0 M_0 + h_0 M_1 = 6 s_0,   h_(n-1) M_(n-1) + 2 h_(n-1) M_n = -6 s_(n-1).
    diagonal[0] = 2 * lengths[0]!;
    diagonal[last] = 2 * lengths[last - 1]!;
    right[0] = 6 * slopes[0]!;
    right[last] = -6 * slopes[last - 1]!;
  } else {
    // M_0 = M_n = 0: what the neighbours would have of them is zero as well.
    diagonal[0] = 1;
    diagonal[last] = 1;
    beside[0] = 0;
    beside[last - 1] = 0;
  }
  return solveTridiagonal(diagonal, beside, right);
}

/**
 * Second derivatives where the last point is the first one again: M_n = M_0, and (1) holds there
 * with the last interval before the first. The other rows are tridiagonal in M_1 ... M_(n-1) with
 * M_0 on the right, so these are p + M_0 q with
 *
 *   T p = r,   T q = -(h_0, 0, ..., 0, h_(n-1)),
 *
 * and the row of M_0, 2 (h_(n-1) + h_0) M_0 + h_0 M_1 + h_(n-1) M_(n-1) = r_0, gives
 *
 *   M_0 = (r_0 - h_0 p_1 - h_(n-1) p_(n-1)) / (2 (h_(n-1) + h_0) + h_0 q_1 + h_(n-1) q_(n-1)).
 *
 * The denominator is a Schur complement of a positive definite matrix: it is positive.
 */
function periodicBends({ lengths, slopes }: Chords): Float64Array {
  const count = lengths.length;
  const inside = count - 1;
  const first = lengths[0]!;
  const final = lengths[count - 1]!;
  const diagonal = new Float64Array(inside);
  const right = new Float64Array(inside);
  for (let i = 0; i < inside; i++) {
    diagonal[i] = 2 * (lengths[i]! + lengths[i + 1]!);
    right[i] = 6 * (slopes[i + 1]! - slopes[i]!);
  }
  const coupling = new Float64Array(inside);
  coupling[0]! -= first;
  coupling[inside - 1]! -= final;
  const beside = lengths.subarray(1, count - 1);
  const p = solveTridiagonal(diagonal, beside, right);
  const q = solveTridiagonal(diagonal, beside, coupling);
  const reached = (part: Float64Array) => first * part[0]! + final * part[inside - 1]!;
  const own = 6 * (slopes[0]! - slopes[count - 1]!);
  const start = (own - reached(p)) / (2 * (final + first) + reached(q));
  const bends = new Float64Array(count + 1).fill(start);
  for (let i = 0; i < inside; i++) bends[i + 1] = p[i]! + start * q[i]!;
  return bends;
}

/** Solves a symmetric tridiagonal system by elimination from the first row to the last. */
function solveTridiagonal(
  diagonal: Float64Array,
  beside: Float64Array,
  right: Float64Array,
): Float64Array {
  const pivots = diagonal.slice();
  const out = right.slice();
  for (let i = 1; i < out.length; i++) {
    const factor = beside[i - 1]! / pivots[i - 1]!;
    pivots[i]! -= factor * beside[i - 1]!;
    out[i]! -= factor * out[i - 1]!;
  }
  for (let i = out.length - 1; i >= 0; i--) {
    const next = i + 1 < out.length ? beside[i]! * out[i + 1]! : 0;
    out[i] = (out[i]! - next) / pivots[i]!;
  }
  return out;
}
