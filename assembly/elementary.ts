// A module of its own, without arena: the elementary functions of formulas. JavaScript's may
// differ in their last bits from engine to engine; these are AssemblyScript's own (after musl),
// compiled in. Built without their tables (-O3s), which would double the module.

export function sin(x: f64): f64 {
  return Math.sin(x);
}

export function cos(x: f64): f64 {
  return Math.cos(x);
}

export function tan(x: f64): f64 {
  return Math.tan(x);
}

export function asin(x: f64): f64 {
  return Math.asin(x);
}

export function acos(x: f64): f64 {
  return Math.acos(x);
}

export function atan(x: f64): f64 {
  return Math.atan(x);
}

export function atan2(y: f64, x: f64): f64 {
  return Math.atan2(y, x);
}

export function sinh(x: f64): f64 {
  return Math.sinh(x);
}

export function cosh(x: f64): f64 {
  return Math.cosh(x);
}

export function tanh(x: f64): f64 {
  return Math.tanh(x);
}

export function exp(x: f64): f64 {
  return Math.exp(x);
}

export function log(x: f64): f64 {
  return Math.log(x);
}

export function log10(x: f64): f64 {
  return Math.log10(x);
}

export function cbrt(x: f64): f64 {
  return Math.cbrt(x);
}

export function hypot(x: f64, y: f64): f64 {
  return Math.hypot(x, y);
}

export function pow(x: f64, y: f64): f64 {
  return Math.pow(x, y);
}

/** a - b floor(a / b) from the exact remainder: between 0 and b, with the sign of b. */
export function modulo(a: f64, b: f64): f64 {
  const remainder = a % b;
  return remainder != 0 && remainder < 0 != b < 0 ? remainder + b : remainder;
}

/**
 * Returns the sine; {@link keptCosine} then returns the cosine of the same angle at little extra
 * cost.
 */
export function sineAndCosine(x: f64): f64 {
  // AssemblyScript's sincos treats the largest finite values as infinite.
  if (!(Math.abs(x) < 1e300)) {
    Math.sincos_cos = Math.cos(x);
    return Math.sin(x);
  }
  Math.sincos(x);
  return Math.sincos_sin;
}

/** The cosine that {@link sineAndCosine} found last. */
export function keptCosine(): f64 {
  return Math.sincos_cos;
}
