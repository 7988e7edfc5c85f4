/**
 * A zero of a function between a and b, where it has values of different sign: Brent's method (Brent,
 * Algorithms for Minimization without Derivatives, 1973, chapter 4), to within `tolerance`. Of the last
 * bracket the end that lies beyond the zero, seen from a, is returned, so that the result is past the zero.
 */
export function findRoot(
  value: (x: number) => number,
  from: number,
  to: number,
  valueFrom: number,
  valueTo: number,
  tolerance: number,
): number {
  let [a, b, fa, fb] = [from, to, valueFrom, valueTo];
  let [c, fc] = [a, fa];
  let d = b - a;
  let e = d;
  for (let i = 0; i < 200 && fb !== 0; i++) {
    if (fb > 0 === fc > 0) {
      [c, fc] = [a, fa];
      d = b - a;
      e = d;
    }
    if (Math.abs(fc) < Math.abs(fb)) {
      [a, b, c] = [b, c, b];
      [fa, fb, fc] = [fb, fc, fb];
    }
    const near = 2 * Number.EPSILON * Math.abs(b) + tolerance / 2;
    const middle = (c - b) / 2;
    if (Math.abs(middle) <= near) break;
    const step = Math.abs(e) >= near && Math.abs(fa) > Math.abs(fb) ? interpolated() : undefined;
    [e, d] = step === undefined ? [middle, middle] : [d, step];
    [a, fa] = [b, fb];
    b += Math.abs(d) > near ? d : Math.sign(middle) * near;
    fb = value(b);

    /** A step by inverse quadratic or linear interpolation, if it is a good one. */
    function interpolated(): number | undefined {
      const s = fb / fa;
      let [p, q] = [2 * middle * s, 1 - s];
      if (a !== c) {
        const [r, t] = [fb / fc, fa / fc];
        p = s * (2 * middle * t * (t - r) - (b - a) * (r - 1));
        q = (t - 1) * (r - 1) * (s - 1);
      }
      if (p > 0) q = -q;
      p = Math.abs(p);
      const good = 2 * p < Math.min(3 * middle * q - Math.abs(near * q), Math.abs(e * q));
      return good ? p / q : undefined;
    }
  }
  const beyond = fb === 0 || fb > 0 === valueTo > 0 ? b : c;
  return Math.abs(beyond - from) > Math.abs(to - from) ? to : beyond;
}
