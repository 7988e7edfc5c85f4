// What a mode lacks is gone from its event on, in the last picture too.

import { readFileSync } from "node:fs";
import { readModel } from "nodrift/files";
import { solve } from "nodrift/solve";
import { expect, test } from "vitest";
import { absencesOf } from "../../src/tools/report/index.js";

test("the sling of the trebuchet is there till it lets go, and not when the stone has come down", async () => {
  const file = readModel(readFileSync("examples/trebuchet.json", "utf8"));
  const system = await file.compile();
  const solution = solve(system, file.solveOptions(system));
  const [release] = solution.events;
  const absences = absencesOf(solution);
  const isGone = (time: number) =>
    absences.some(({ name, from, to }) => name === "sling" && from <= time && time < to);
  expect(solution.status).toBe("event");
  expect(isGone(0.99 * release!.time)).toBe(false);
  expect(isGone(release!.time)).toBe(true);
  expect(isGone(solution.end.time)).toBe(true);
  expect(JSON.parse(JSON.stringify(absences))).toEqual(absences);
});
