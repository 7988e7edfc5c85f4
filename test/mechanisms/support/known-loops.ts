// Loops with their reference solutions, which take a good part of a second each: found once for all test files of a worker.

import { type Loop, type LoopClass, loopsOf } from "../../../bench/reference/loops.js";

interface Known {
  readonly loops: Loop[];
  readonly more: Generator<Loop>;
}

const known = new Map<LoopClass, Known>();

/** The first so many loops of a class, with masses as they come. */
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
