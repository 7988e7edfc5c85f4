// Functions with the same bits in every engine: made of sums, products, quotients and square roots, which all
// engines round alike. The last bits of Math.sin, Math.cos and Math.hypot are each engine's own.

/** pi / 2 in two parts: the first has 33 bits, so that its products with quotients below 2^20 are exact. */
const QUARTER = 1.5707963267341256;
const QUARTER_REST = 6.077100506506192e-11;
/** Larger angles are first reduced by multiples of 2 pi; the rounding error is that of the angle. */
const MAX_UNREDUCED_ANGLE_RAD = 1e5;
/** Terms of the series; the remainder is below rounding for |r| <= pi / 4. */
const SERIES_TERMS = 9;

/**
 * sin x, to about one unit in its last place: x = k pi / 2 + r with |r| <= pi / 4, then the series
 *
 *   sin r = r (1 - r^2 / (2 3) (1 - r^2 / (4 5) (1 - ...))),   cos r = 1 - r^2 / (1 2) (1 - r^2 / (3 4) (1 - ...)).
 */
export function sine(x: number): number {
  return quarterTurned(x, 0);
}

/** cos x = sin (x + pi / 2). */
export function cosine(x: number): number {
  return quarterTurned(x, 1);
}

function quarterTurned(x: number, quarters: number): number {
  const angle = Math.abs(x) > MAX_UNREDUCED_ANGLE_RAD ? x % (2 * Math.PI) : x;
  const k = Math.round(angle / (QUARTER + QUARTER_REST));
  const r = angle - k * QUARTER - k * QUARTER_REST;
  const place = (((k + quarters) % 4) + 4) % 4;
  const value = place % 2 === 0 ? r * series(r * r, 1) : series(r * r, 0);
  return place < 2 ? value : -value;
}

function series(square: number, first: number): number {
  let sum = 1;
  for (let i = SERIES_TERMS; i > 0; i--) {
    const n = 2 * i + first;
    sum = 1 - (square / ((n - 1) * n)) * sum;
  }
  return sum;
}

/** Halvings before the series of the arc sine: its argument is then below sin(pi / 32). */
const ARC_SINE_HALVINGS = 4;
/** Coefficients of x^3, x^5, ... of the arc sine; the next one is below rounding. */
const ARC = [1 / 6, 3 / 40, 15 / 336, 105 / 3456, 945 / 42240, 10395 / 599040, 135135 / 9676800];

/** The angle between -pi / 2 and pi / 2 whose sine is x: asin x = 2 asin(x / sqrt(2 (1 + sqrt(1 - x^2)))). */
export function arcSine(x: number): number {
  let half = Math.min(1, Math.max(-1, x));
  for (let i = 0; i < ARC_SINE_HALVINGS; i++)
    half /= Math.sqrt(2 * (1 + Math.sqrt(1 - half * half)));
  const square = half * half;
  let sum = 0;
  for (let i = ARC.length - 1; i >= 0; i--) sum = (sum + ARC[i]!) * square;
  return 2 ** ARC_SINE_HALVINGS * half * (1 + sum);
}

/**
 * The angle between -pi and pi from the direction (1, 0) to (x, y), by the arc sine of the smaller of the two: its
 * derivative is bounded there. Zero for the point (0, 0).
 */
export function arcTangent(y: number, x: number): number {
  const largest = Math.max(Math.abs(x), Math.abs(y));
  if (largest === 0) return 0;
  const [across, along] = [y / largest, x / largest];
  const length = Math.sqrt(across * across + along * along);
  if (Math.abs(across) > Math.abs(along)) {
    const rest = Math.PI / 2 - arcSine(along / length);
    return y > 0 ? rest : -rest;
  }
  const angle = arcSine(across / length);
  if (x > 0) return angle;
  return y < 0 ? -Math.PI - angle : Math.PI - angle;
}

/** Magnitudes between these bounds can be squared and added without overflow or loss of digits. */
const MIN_UNSCALED = 1e-280;
const MAX_UNSCALED = 1e280;

/** The square root of a sum of squares. */
export function hypotenuse(...values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  if (sum > MIN_UNSCALED && sum < MAX_UNSCALED) return Math.sqrt(sum);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  let scaled = 0;
  for (const value of values) scaled += (value / largest) * (value / largest);
  return largest * Math.sqrt(scaled);
}
