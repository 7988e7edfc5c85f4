// Random stiff mechanisms end where a tight run ends, in every kind of coordinates. The figures run many more.

import { expect, test } from "vitest";
import { stiffRuns } from "../../bench/support/random-stiff.js";

test.each([0, 1, 4, 7])("random stiff mechanism %d", async (seed) => {
  for await (const { what, status, error } of stiffRuns(seed, [1e-3, 1e-6])) {
    expect(status, what).toBe("finished");
    expect(error, what).toBeLessThan(100);
  }
});
