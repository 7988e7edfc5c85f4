// Updates of Euler parameters with angular velocities in the axes of bodies, in plain JavaScript: as in the kernels,
// s e + t h G(w) e with s and t of the rule. They return the index of the first non-finite body, or -1.

export type Rule = "rates" | "implicit" | "cayley" | "exponential";

/** Below this square of half an angle three terms of a series reach the last bit. */
const SERIES_BELOW = 1 / 4096;

/** One function per rule, so that loops contain no indirect calls. */
export const updates: Readonly<
  Record<
    Rule,
    (count: number, h: number, w: Float64Array, e: Float64Array, out: Float64Array) => number
  >
> = {
  rates(count, h, w, e, out) {
    const half = 0.5 * h;
    for (let body = 0, i = 0, j = 0; body < count; body++, i += 3, j += 4) {
      const a1 = half * w[i];
      const a2 = half * w[i + 1];
      const a3 = half * w[i + 2];
      const e0 = e[j];
      const e1 = e[j + 1];
      const e2 = e[j + 2];
      const e3 = e[j + 3];
      const x0 = -(a1 * e1 + a2 * e2 + a3 * e3);
      const x1 = a1 * e0 + (a3 * e2 - a2 * e3);
      const x2 = a2 * e0 + (a1 * e3 - a3 * e1);
      const x3 = a3 * e0 + (a2 * e1 - a1 * e2);
      const sum = x0 + x1 + x2 + x3;
      if (sum - sum !== 0) return body;
      out[j] = x0;
      out[j + 1] = x1;
      out[j + 2] = x2;
      out[j + 3] = x3;
    }
    return -1;
  },

  implicit(count, h, w, e, out) {
    const half = 0.5 * h;
    for (let body = 0, i = 0, j = 0; body < count; body++, i += 3, j += 4) {
      const a1 = half * w[i];
      const a2 = half * w[i + 1];
      const a3 = half * w[i + 2];
      const e0 = e[j];
      const e1 = e[j + 1];
      const e2 = e[j + 2];
      const e3 = e[j + 3];
      const t = 1 / (1 + (a1 * a1 + a2 * a2 + a3 * a3));
      const x0 = t * (e0 - (a1 * e1 + a2 * e2 + a3 * e3));
      const x1 = t * (e1 + (a1 * e0 + (a3 * e2 - a2 * e3)));
      const x2 = t * (e2 + (a2 * e0 + (a1 * e3 - a3 * e1)));
      const x3 = t * (e3 + (a3 * e0 + (a2 * e1 - a1 * e2)));
      const sum = x0 + x1 + x2 + x3;
      if (sum - sum !== 0) return body;
      out[j] = x0;
      out[j + 1] = x1;
      out[j + 2] = x2;
      out[j + 3] = x3;
    }
    return -1;
  },

  cayley(count, h, w, e, out) {
    const half = 0.5 * h;
    for (let body = 0, i = 0, j = 0; body < count; body++, i += 3, j += 4) {
      const a1 = half * w[i];
      const a2 = half * w[i + 1];
      const a3 = half * w[i + 2];
      const e0 = e[j];
      const e1 = e[j + 1];
      const e2 = e[j + 2];
      const e3 = e[j + 3];
      const quarter = 0.25 * (a1 * a1 + a2 * a2 + a3 * a3);
      const t = 1 / (1 + quarter);
      const s = (1 - quarter) * t;
      const x0 = s * e0 - t * (a1 * e1 + a2 * e2 + a3 * e3);
      const x1 = s * e1 + t * (a1 * e0 + (a3 * e2 - a2 * e3));
      const x2 = s * e2 + t * (a2 * e0 + (a1 * e3 - a3 * e1));
      const x3 = s * e3 + t * (a3 * e0 + (a2 * e1 - a1 * e2));
      const sum = x0 + x1 + x2 + x3;
      if (sum - sum !== 0) return body;
      out[j] = x0;
      out[j + 1] = x1;
      out[j + 2] = x2;
      out[j + 3] = x3;
    }
    return -1;
  },

  exponential(count, h, w, e, out) {
    const half = 0.5 * h;
    for (let body = 0, i = 0, j = 0; body < count; body++, i += 3, j += 4) {
      const a1 = half * w[i];
      const a2 = half * w[i + 1];
      const a3 = half * w[i + 2];
      const e0 = e[j];
      const e1 = e[j + 1];
      const e2 = e[j + 2];
      const e3 = e[j + 3];
      const x = a1 * a1 + a2 * a2 + a3 * a3;
      let s = 0;
      let t = 0;
      if (x < SERIES_BELOW) {
        // Products with reciprocals where the kernel divides: not the same bits, but faster.
        s = 1 - x * 0.5 * (1 - x * (1 / 12) * (1 - x * (1 / 30)));
        t = 1 - x * (1 / 6) * (1 - x * (1 / 20) * (1 - x * (1 / 42)));
      } else {
        const angle = Math.sqrt(x);
        s = Math.cos(angle);
        t = Math.sin(angle) / angle;
      }
      const x0 = s * e0 - t * (a1 * e1 + a2 * e2 + a3 * e3);
      const x1 = s * e1 + t * (a1 * e0 + (a3 * e2 - a2 * e3));
      const x2 = s * e2 + t * (a2 * e0 + (a1 * e3 - a3 * e1));
      const x3 = s * e3 + t * (a3 * e0 + (a2 * e1 - a1 * e2));
      const sum = x0 + x1 + x2 + x3;
      if (sum - sum !== 0) return body;
      out[j] = x0;
      out[j + 1] = x1;
      out[j + 2] = x2;
      out[j + 3] = x3;
    }
    return -1;
  },
};
