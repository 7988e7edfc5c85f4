import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("./support/endurance.mjs", import.meta.url));

const total = (makers: Record<string, number>) =>
  Object.values(makers).reduce((sum, count) => sum + count, 0);

const runs = [
  "equations",
  "rk4",
  "welch",
  "bs3",
  "rodas",
  "radau5",
  "sdirk4",
  "bdf",
  "gearGuptaLeimkuhler",
  "generalisedAlpha",
  "events",
  "plain ode",
  "plain ode with events",
  "mechanism",
  "mechanism in a grip",
  "mechanism in real time, in a grip, read into arrays",
  "mechanism with a rigid stop that is not met",
  "mechanism that rests at a rigid stop",
  "mechanism that rests at a rigid stop, in maximal coordinates",
  "loop that rests at a rigid stop",
  "mechanism with events",
];

test.each(runs)("%s: steps make no objects and leave nothing behind", async (name) => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, name]);
  const { steps, growth, plain, withObject } = JSON.parse(stdout);
  console.log(`${name}: ${((16 * plain.boxes) / steps).toFixed(0)} bytes of numbers a step`);
  // The profiler makes some objects itself, when it begins and ends.
  expect(total(plain.makers), JSON.stringify(plain.makers)).toBeLessThan(steps / 10);
  expect(growth).toBeLessThan(2 ** 17);
  // One object in a step would be seen.
  expect(total(withObject.makers)).toBeGreaterThanOrEqual(steps);
});
