/** Terms of the series of the logarithm and of the exponential; the remainders are below rounding. */
const LOGARITHM_TERMS = 12;
const EXPONENTIAL_TERMS = 14;

/**
 * x^p of a positive x, by sums, products and quotients alone. Engines may differ in the last bit of Math.pow,
 * and with it in the length of every step: these are the same everywhere. Zero, infinity and NaN are
 * returned unchanged.
 *
 *   x = m 2^k,   ln m = 2 (z + z^3/3 + z^5/5 + ...),   z = (m - 1) / (m + 1),   1/sqrt(2) <= m <= sqrt(2)
 */
export function power(x: number, p: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x;
  let mantissa = x;
  let exponent = 0;
  for (; mantissa > Math.SQRT2; exponent++) mantissa /= 2;
  for (; mantissa < Math.SQRT1_2; exponent--) mantissa *= 2;
  const z = (mantissa - 1) / (mantissa + 1);
  let sum = 0;
  for (let k = LOGARITHM_TERMS; k >= 0; k--) sum = sum * z * z + 1 / (2 * k + 1);
  return exponential(p * (exponent * Math.LN2 + 2 * z * sum));
}

/** e^y = 2^k e^r,   |r| <= ln(2) / 2. */
function exponential(y: number): number {
  const k = Math.round(y / Math.LN2);
  const r = y - k * Math.LN2;
  let sum = 1;
  for (let i = EXPONENTIAL_TERMS; i > 0; i--) sum = 1 + (r / i) * sum;
  for (let i = 0; i < k; i++) sum *= 2;
  for (let i = 0; i > k; i--) sum /= 2;
  return sum;
}
