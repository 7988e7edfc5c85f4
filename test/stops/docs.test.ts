// The examples of docs/stops.md, one after the other, as a reader would paste them.

import * as bodies from "nodrift/bodies";
import * as solving from "nodrift/solve";
import { expect, test } from "vitest";
import { textOf } from "../support/sources.js";

test("the examples of docs/stops.md print the output they show", async () => {
  const blocks = [...textOf("docs/stops.md").matchAll(/```js\n([\s\S]*?)```/g)].map(
    ([, code]) => code,
  );
  expect(blocks).toHaveLength(4);
  const code = blocks.join("\n").replace(/^import .*$/gm, "");
  const printed: unknown[][] = [];
  const names = {
    ...bodies,
    ...solving,
    console: { log: (...all: unknown[]) => printed.push(all) },
  };
  const program = new Function(...Object.keys(names), `return (async () => {${code}})();`);
  await program(...Object.values(names));
  expect(printed[0][0]).toBe("anvil: upper");
  expect(printed[0][2]).toBeLessThan(0);
  // The first impact is the same in steps of one length.
  const met = printed.filter(([name]) => name === "anvil: upper") as [string, number, number][];
  const [first, ...others] = met;
  const same = others.find(([, time]) => Math.abs(time - first![1]) < 1e-6);
  expect(same?.[2]).toBeCloseTo(first![2], 6);
  const [[path, power], [impulse], [torque]] = printed.slice(-3) as number[][];
  expect(path).toBeGreaterThan(0.5);
  expect(power).toBeLessThanOrEqual(0);
  expect(impulse).toBeCloseTo(-5, 9);
  expect(Math.abs(torque)).toBeLessThan(1e-9);
});
