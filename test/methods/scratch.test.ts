import { test } from "vitest";
import { allCosts } from "../../bench/support/method-costs.js";
test("x", () => {
  for (const [k, v] of Object.entries(allCosts())) console.log(k.padEnd(40), v);
});
