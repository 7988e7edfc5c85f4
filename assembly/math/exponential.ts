// Powers and hyperbolic tangents by sums and products alone, to a few units in the last place.
// Rejected: Math.pow and Math.tanh, whose tables add 9 kB to a module of 80.
//
//   x = m 2^k,   ln m = 2 (z + z^3/3 + z^5/5 + ...),   z = (m - 1) / (m + 1),   1/2 < m^2 < 2
//   e^y - 1 = 2^k (e^r - 1) + (2^k - 1),   y = k ln 2 + r,   |r| <= ln(2) / 2

const LOGARITHM_TERMS: i32 = 12;
const EXPONENTIAL_TERMS: i32 = 14;
/** Beyond this tanh is 1 to the last bit. */
const TANH_SATURATION: f64 = 20.0;
const MANTISSA: u64 = 0x000fffffffffffff;
const ONE: u64 = 0x3ff0000000000000;
const BIAS: i64 = 1023;

/** x^p of a normal x > 0; 0 for 0. */
export function power(x: f64, p: f64): f64 {
  if (!(x > 0.0)) return x;
  const bits = reinterpret<u64>(x);
  let exponent = <f64>(<i64>(bits >> 52) - BIAS);
  let mantissa = reinterpret<f64>((bits & MANTISSA) | ONE);
  if (mantissa > Math.SQRT2) {
    mantissa *= 0.5;
    exponent += 1.0;
  }
  const z = (mantissa - 1.0) / (mantissa + 1.0);
  let sum = 0.0;
  for (let k = LOGARITHM_TERMS; k >= 0; k--) sum = sum * z * z + 1.0 / <f64>(2 * k + 1);
  const y = p * (exponent * Math.LN2 + 2.0 * z * sum), k = nearest(y / Math.LN2);
  return powerOfTwo(k) * (1.0 + seriesAt(y - k * Math.LN2));
}

/** e^r - 1 for |r| <= ln(2) / 2 */
function seriesAt(r: f64): f64 {
  let sum = 1.0;
  for (let i = EXPONENTIAL_TERMS; i > 1; i--) sum = 1.0 + (r / <f64>i) * sum;
  return r * sum;
}

/** 2^k; zero below the normal numbers. */
function powerOfTwo(k: f64): f64 {
  return k <= -1023.0 ? 0.0 : reinterpret<f64>(<u64>(<i64>k + BIAS) << 52);
}

/** e^y - 1 for |y| < 700, without loss where y is small. */
function exponentialMinusOne(y: f64): f64 {
  const k = nearest(y / Math.LN2), scale = powerOfTwo(k);
  return scale * seriesAt(y - k * Math.LN2) + (scale - 1.0);
}

/** tanh x = (e^2x - 1) / (e^2x + 1) */
export function hyperbolicTangent(x: f64): f64 {
  if (x > TANH_SATURATION) return 1.0;
  if (x < -TANH_SATURATION) return -1.0;
  const e = exponentialMinusOne(2.0 * x);
  return e / (e + 2.0);
}
