// The cases that the self-check runs on a user's machine, here on both modules.

import { expect, test } from "vitest";
import { kernelCases } from "../../bench/cases/index.js";
import { seeded } from "../support/random.js";

test.each([...kernelCases])("$name", ({ run }) => {
  for (let n = 1; n <= 34; n++) {
    for (const condition of [1, 1e6]) {
      const { error } = run(seeded(100 * n), n, condition);
      expect(error / (n * Number.EPSILON), `n = ${n}, condition ${condition}`).toBeLessThan(50);
    }
  }
});
