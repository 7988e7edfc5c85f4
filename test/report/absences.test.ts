// Parts that a mode lacks are absent from its event on, including in the final frame.

import { readFileSync } from "node:fs";
import { readModel } from "nodrift/files";
import { solve } from "nodrift/solve";
import { expect, test } from "vitest";
import { absencesOf } from "../../src/report/index.js";

test("absencesOf reports the sling of the trebuchet as absent from its release to the end", async () => {
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
