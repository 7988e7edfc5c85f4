// Parts of vectors times real and complex factors, compared with JavaScript.

import { expect, test } from "vitest";
import { randomVector, seeded } from "../support/random.js";
import { stiffModule } from "../support/stiff-module.js";

const { kernels, take } = stiffModule();
const SIZES = [0, 1, 2, 7];

test.each(SIZES)("multiple scales %d values by a real factor", (n) => {
  const random = seeded(n + 5);
  const x = take(randomVector(random, n));
  const out = take(randomVector(random, n + 1));
  const [before, input] = [out.slice(), x.slice()];
  kernels.multiple(n, 0.3, 17, x.byteOffset, 5, out.byteOffset, 0);
  expect(out).toEqual(before.map((value, i) => (i < n ? 0.3 * x[i] : value)));
  expect(x).toEqual(input);
});

test.each(SIZES)(
  "multiple scales %d values by a complex factor, with imaginary parts after the real ones",
  (n) => {
    const random = seeded(n + 7);
    const [a, b] = [n + 2, n + 3];
    const x = take(randomVector(random, a + n));
    const out = take(randomVector(random, b + n + 1));
    const wanted = out.slice();
    for (let i = 0; i < n; i++) {
      wanted[i] = 0.3 * x[i] - -0.7 * x[a + i];
      wanted[b + i] = 0.3 * x[a + i] + -0.7 * x[i];
    }
    kernels.multiple(n, 0.3, -0.7, x.byteOffset, a, out.byteOffset, b);
    expect(out).toEqual(wanted);
  },
);
