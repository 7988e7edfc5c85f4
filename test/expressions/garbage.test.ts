import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { type Formula, FunctionLibrary, parseFormula } from "./support/room.js";

const CALLS = 5_000;
/** Size in bytes of a boxed number; objects are larger. */
const BOX = 16;

let sink: unknown;

/** Number of objects that calls have allocated, apart from boxed numbers. */
async function objectsOf(call: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 1,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  for (let i = 0; i < CALLS; i++) call();
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  // Missing in the typings.
  const { samples } = profile as unknown as { samples: { size: number }[] };
  return samples.filter(({ size }) => size > BOX).length;
}

function evaluation(formula: Formula): () => void {
  let t = 0;
  return () => {
    t += 1e-5;
    formula.slots[0] = t;
    formula.value();
  };
}

test("evaluation allocates no objects", async () => {
  const functions = new FunctionLibrary();
  functions.define("pull", { table: { x: [0, 0.3, 1], y: [0, 2, 1] } });
  const text =
    "if(t > 0.5 and t < 2, exp(-t)*sin(3*t) + t^3, sqrt(t)/(1 + t^2.5)) + pull(t) + mod(t, 0.3)";
  const formula = parseFormula(text, { variables: ["t"], functions });
  const evaluate = evaluation(formula);
  const derivative = evaluation(formula.derivative("t").derivative("t"));
  for (let i = 0; i < CALLS; i++) {
    evaluate();
    derivative();
  }
  // The profiler allocates some objects itself.
  expect(await objectsOf(evaluate)).toBeLessThan(CALLS / 10);
  expect(await objectsOf(derivative)).toBeLessThan(CALLS / 10);
  // One object per call would be detected.
  const withObject = () => {
    evaluate();
    sink = { evaluate };
  };
  expect(await objectsOf(withObject)).toBeGreaterThanOrEqual(CALLS);
  expect(sink).toEqual({ evaluate });
});
