// Loops with their reference solutions, cached for all test files of a worker, because each takes a good part of a
// second.

import { type Loop, type LoopClass, loopsOf } from "../../reference/loops.js";

interface Known {
  readonly loops: Loop[];
  readonly more: Generator<Loop>;
}

const known = new Map<LoopClass, Known>();

/** Returns the first loops of a class, with unselected masses. */
export function firstLoops(loopClass: LoopClass, count: number): readonly Loop[] {
  let entry = known.get(loopClass);
  if (!entry) {
    entry = { loops: [], more: loopsOf(loopClass) };
    known.set(loopClass, entry);
  }
  const { loops, more } = entry;
  while (loops.length < count) {
    const { value, done } = more.next();
    if (done) throw new Error(`there are no ${count} loops of class ${loopClass}`);
    loops.push(value);
  }
  return loops.slice(0, count);
}
