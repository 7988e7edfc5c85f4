// Random stiff mechanisms end at the state of a run with tight tolerance, in all coordinates. The benchmarks run many
// more.

import { expect, test } from "vitest";
import { stiffRuns } from "../support/random-stiff.js";

test.each([0, 1, 4, 7])(
  "random stiff mechanism %d reaches the reference state in all coordinates",
  async (seed) => {
    for await (const { what, status, error } of stiffRuns(seed, [1e-3, 1e-6])) {
      expect(status, what).toBe("finished");
      expect(error, what).toBeLessThan(100);
    }
  },
);
