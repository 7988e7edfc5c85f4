// node build/bench/loops.js [COUNT [CLASS...]]: random loops by class, compared with the reference. Prints the worst
// errors of each class, in tolerances, and their loop.

import { compiledOf, judgeSolve, judgeStart, readStart, worst } from "../test/reference/judge.js";
import {
  LOOP_SECONDS,
  type LoopClass,
  loopClasses,
  loopClassNames,
  loopsOf,
} from "../test/reference/loops.js";

const [count, ...asked] = process.argv.slice(2);
const classes = asked.length > 0 ? (asked as LoopClass[]) : loopClassNames;
const TOLERANCES = [1e-6, 1e-8, 1e-10];

for (const loopClass of classes) {
  const found: { name: string; errors: number[]; note: string }[] = [];
  const wanted = count === undefined ? loopClasses[loopClass].count : Number(count);
  for (const { name, mechanism, solution } of loopsOf(loopClass, wanted)) {
    const compiled = await compiledOf(mechanism);
    const verdicts = TOLERANCES.map((tolerance) =>
      judgeSolve(compiled, solution, LOOP_SECONDS, tolerance),
    );
    const errors = verdicts.map(({ error }, i) => error / TOLERANCES[i]);
    const start =
      "status" in compiled
        ? new Array<number>(3).fill(Number.POSITIVE_INFINITY)
        : Object.values(judgeStart(readStart(compiled, 1e-2), solution));
    const note = verdicts.find(({ status }) => status !== "finished")?.reason ?? "";
    found.push({ name, errors: [...errors, ...start], note });
  }
  const cells = ["1e-6", "1e-8", "1e-10", "acceleration", "after a step", "reaction"].map(
    (column, i) => {
      const most = worst(found.map(({ errors }) => errors[i]));
      const { name } = found.find(({ errors }) => !(errors[i] < most)) ?? { name: "" };
      return `${column}: ${most.toPrecision(2)} (${name})`;
    },
  );
  console.log(`${loopClass}, ${found.length} loops  ${cells.join("  ")}`);
  for (const { name, note } of found) if (note) console.log(`  ${name}: ${note}`);
}
